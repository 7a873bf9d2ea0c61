package dev.harmovela.runtime.security;

import dev.harmovela.contract.json.Json;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Who a client certificate stands for. What is named of {@code subject} and {@code san} has to hold, and one of them
 * is named.
 *
 * @param id what the audit calls it, {@code ct_…}
 * @param subject the whole name of its holder ({@code CN=planner,O=Acme}), or null
 * @param san one of its further names, exactly: {@code dns:…}, {@code uri:…} or {@code email:…}, or null
 * @param identity who that is
 * @param tenant where
 * @param roles roles it holds
 * @param grants actions and scopes beside those of its roles
 * @param speaksFor globs of the identities whose events it may send
 */
record CertificateRule(
        String id,
        @Nullable String subject,
        @Nullable String san,
        String identity,
        String tenant,
        List<String> roles,
        List<String> grants,
        List<String> speaksFor) {

    /** Numbers of the kinds of further names (RFC 5280, 4.2.1.6). */
    private static final Map<Integer, String> KINDS = Map.of(1, "email:", 2, "dns:", 6, "uri:");

    CertificateRule {
        roles = List.copyOf(roles);
        grants = List.copyOf(grants);
        speaksFor = List.copyOf(speaksFor);
    }

    /** What its credential is called: another one when it is about other certificates. */
    String credentialName() {
        return CertificateAuthenticator.NAME + id + "/"
                + Secrets.hash(subject + "\n" + san).substring(0, 16);
    }

    boolean fits(X509Certificate certificate) {
        boolean named = subject == null || new X500Principal(subject).equals(certificate.getSubjectX500Principal());
        return named && (san == null || hasName(certificate, san));
    }

    private static boolean hasName(X509Certificate certificate, String name) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names != null
                    && names.stream()
                            .anyMatch(each -> each.get(0) instanceof Integer kind
                                    && each.get(1) instanceof String text
                                    && name.equals(KINDS.getOrDefault(kind, "other:") + text));
        } catch (CertificateParsingException broken) {
            return false;
        }
    }

    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("id", id)
                .put("subject", subject)
                .put("san", san)
                .put("identity", identity)
                .put("tenant", tenant)
                .put("roles", roles)
                .put("grants", grants)
                .put("speaks_for", speaksFor)
                .build();
    }
}
