package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The proof that work may change hands (§9): made by the hub, opaque to everybody else, checked by nobody but the hub.
 *
 * @param issuer {@code iss}, who hands over
 * @param subject {@code sub}, who takes over
 * @param taskId the task it is bound to
 * @param parentId {@code parent_task_id}, null when there is none
 * @param issuedAt {@code iat}, epoch seconds
 * @param expiresAt {@code exp}, epoch seconds
 * @param jti its id
 */
record HandoffToken(
        String issuer,
        String subject,
        String taskId,
        @Nullable String parentId,
        long issuedAt,
        long expiresAt,
        String jti) {

    private static final String ALGORITHM = "HmacSHA256";
    private static final String HEADER = encoded("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");

    /** The token as text. */
    String signed(String key) {
        String claims = encoded(Json.Obj.builder()
                .put("iss", issuer)
                .put("sub", subject)
                .put("task_id", taskId)
                .put("parent_task_id", parentId)
                .put("iat", issuedAt)
                .put("exp", expiresAt)
                .put("jti", jti)
                .build()
                .toString());
        String signed = HEADER + '.' + claims;
        return signed + '.' + mac(signed, key);
    }

    /** What a token says that this key has signed; null for everything else. */
    static @Nullable HandoffToken verified(String text, String key) {
        int dot = text.lastIndexOf('.');
        if (dot < 0 || !text.startsWith(HEADER + '.') || dot <= HEADER.length()) {
            return null;
        }
        byte[] expected = mac(text.substring(0, dot), key).getBytes(StandardCharsets.US_ASCII);
        byte[] given = text.substring(dot + 1).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(expected, given)) {
            return null;
        }
        try {
            byte[] claims = Base64.getUrlDecoder().decode(text.substring(HEADER.length() + 1, dot));
            return Json.parse(new String(claims, StandardCharsets.UTF_8)) instanceof Json.Obj said ? of(said) : null;
        } catch (IllegalArgumentException | JsonException _) {
            return null;
        }
    }

    private static @Nullable HandoffToken of(Json.Obj said) {
        Long issued = said.integer("iat");
        Long expires = said.integer("exp");
        String issuer = said.string("iss");
        String subject = said.string("sub");
        String task = said.string("task_id");
        String jti = said.string("jti");
        if (issued == null || expires == null || issuer == null || subject == null || task == null || jti == null) {
            return null;
        }
        return new HandoffToken(issuer, subject, task, said.string("parent_task_id"), issued, expires, jti);
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String mac(String text, String key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            byte[] made = mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(made);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
