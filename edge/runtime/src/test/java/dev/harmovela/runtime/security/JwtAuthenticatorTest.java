package dev.harmovela.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Authenticator.Verdict;
import dev.harmovela.spi.Caller;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SEC-01, SEC-04: signed tokens, the wrong ones above all. */
class JwtAuthenticatorTest {

    private static final String FILE = """
        {"version": 1, "tenants": {"acme": {}, "other": {}}, "issuers": [
          {"id": "jw_test", "issuer": "https://id.test", "audience": ["hub"], "keys": "keys.json", "skew_ms": 1000,
           "algorithms": ["RS256", "ES256"], "tenant_claim": "org", "tenants": ["acme"], "roles": ["viewer"],
           "claims": [
             {"claim": "realm_access.roles", "value": "senders", "roles": ["publisher"], "speaks_for": ["tool:*"]},
             {"claim": "scope", "value": "dead-letters", "grants": ["dlq.replay"]}]}]}""";

    private static Signer ec;
    private static Signer rsa;

    @TempDir
    Path folder;

    private long now = 1_800_000_000_000L;
    private JwtAuthenticator door;

    @BeforeAll
    static void makeKeys() throws Exception {
        ec = Signer.ec("k1");
        rsa = Signer.rsa("k2", 2048);
    }

    @BeforeEach
    void open() throws Exception {
        Files.writeString(folder.resolve("keys.json"), Signer.keys(ec, rsa));
        door = new JwtAuthenticator(() -> now, folder.resolve("security.json"));
        door.use(SecurityReader.read(FILE, EventRegistry.standard()));
        assertThat(door.refresh()).isEmpty();
    }

    private com.nimbusds.jwt.JWTClaimsSet.Builder claims() {
        return Signer.claims("planner", now).claim("org", "acme");
    }

    private Verdict show(String token) {
        return door.authenticate(new Authenticator.Credentials(token, List.of()));
    }

    private void refused(String token, String reason) {
        assertThat(show(token)).isEqualTo(new Verdict.Refused(reason));
    }

    private Caller known(String token) {
        assertThat(show(token)).isInstanceOf(Verdict.Known.class);
        return ((Verdict.Known) show(token)).caller();
    }

    @Test
    void claimsBecomeIdentityTenantRolesAndGrants() throws Exception {
        Caller plain = known(ec.sign(claims()));
        assertThat(plain.identity()).isEqualTo("agent:planner");
        assertThat(plain.tenant()).isEqualTo("acme");
        assertThat(plain.trust()).isEqualTo(Caller.Trust.VERIFIED);
        assertThat(plain.roles()).containsExactly("viewer");
        assertThat(plain.grants()).contains("event.subscribe").doesNotContain("event.publish", "dlq.replay");
        Caller more = known(rsa.sign(claims().claim("realm_access", Map.of("roles", List.of("other", "senders")))
                .claim("scope", "openid dead-letters")));
        assertThat(more.roles()).containsExactly("viewer", "publisher");
        assertThat(more.grants()).contains("event.publish", "dlq.replay");
        assertThat(more.speaksFor()).containsExactly("tool:*");
        assertThat(more.credential().name()).startsWith("jwt:jw_test/");
        assertThat(more.credential().expiresAt()).isEqualTo(now + 3_601_000);
    }

    @Test
    void whatClaimsSayByThemselvesGivesNothing() throws Exception {
        Caller caller = known(ec.sign(claims().claim("roles", List.of("admin"))
                .claim("grants", List.of("*"))
                .claim("speaks_for", List.of("*"))
                .claim("scope", "admin tenant.cross_access")
                .claim("tenant", "other")));
        assertThat(caller.roles()).containsExactly("viewer");
        assertThat(caller.grants()).doesNotContain("*", "tenant.cross_access");
        assertThat(caller.speaksFor()).isEmpty();
        assertThat(caller.tenant()).isEqualTo("acme");
        refused(ec.sign(claims().claim("org", "other")), "unknown_tenant");
        refused(ec.sign(claims().claim("org", List.of("acme"))), "unknown_tenant");
        refused(ec.sign(claims().subject("a b")), "unusable_identity");
        refused(ec.sign(claims().subject(null)), "unnamed_token");
    }

    @Test
    void timesAudienceAndIssuerHaveToFit() throws Exception {
        refused(ec.sign(claims().expirationTime(new Date(now - 1_000))), "expired_token");
        known(ec.sign(claims().expirationTime(new Date(now))));
        refused(ec.sign(claims().expirationTime(null)), "endless_token");
        refused(ec.sign(claims().notBeforeTime(new Date(now + 2_000))), "early_token");
        known(ec.sign(claims().notBeforeTime(new Date(now + 1_000))));
        refused(ec.sign(claims().audience("elsewhere")), "wrong_audience");
        refused(ec.sign(claims().audience((String) null)), "wrong_audience");
        known(ec.sign(claims().audience(List.of("elsewhere", "hub"))));
        refused(ec.sign(claims().issuer("https://id.test/")), "unknown_issuer");
        refused(ec.sign(claims().claim("cnf", Map.of("jkt", "x"))), "bound_token");
    }

    @Test
    void onlyListedAlgorithmsCountAndNoneNever() throws Exception {
        refused(new PlainJWT(claims().build()).serialize(), "broken_token");
        String[] parts = ec.sign(claims()).split("\\.");
        String none = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        refused(none + "." + parts[1] + ".", "broken_token");
        refused(none + "." + parts[1] + "." + parts[2], "broken_token");
        refused(rsa.with(JWSAlgorithm.PS256).sign(claims()), "forbidden_algorithm");
        // the public key as the secret of a symmetric signature
        for (byte[] secret : List.of(
                rsa.key().toRSAKey().toPublicKey().getEncoded(),
                rsa.key().toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8))) {
            SignedJWT mac = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k2").build(), claims().build());
            mac.sign(new MACSigner(secret));
            refused(mac.serialize(), "forbidden_algorithm");
        }
        refused(ec.sign(claims(), header -> header.type(new JOSEObjectType("logout+jwt"))), "forbidden_algorithm");
        known(ec.sign(claims(), header -> header.type(new JOSEObjectType("at+JWT"))));
        refused(ec.sign(claims(), header -> header.criticalParams(java.util.Set.of("exp"))), "wrong_signature");
        // a key that the token brings along is not the issuer's
        Signer stranger = Signer.ec("k1");
        refused(stranger.sign(claims(), header -> header.jwk(stranger.key().toPublicJWK())), "wrong_signature");
    }

    @Test
    void shortenedChangedAndMadeUpTokensAreRefusedWhateverTheyAre() throws Exception {
        String token = ec.sign(claims());
        for (int length = 0; length < token.length(); length++) {
            assertThat(show(token.substring(0, length))).isInstanceOf(Verdict.Refused.class);
        }
        Random random = new Random(42);
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = token.getBytes(StandardCharsets.US_ASCII);
            int changes = 1 + random.nextInt(3);
            for (int i = 0; i < changes; i++) {
                bytes[random.nextInt(bytes.length)] = (byte) (33 + random.nextInt(94));
            }
            String changed = new String(bytes, StandardCharsets.US_ASCII);
            if (!isSame(token, changed)) {
                assertThat(show(changed)).as(changed).isInstanceOf(Verdict.Refused.class);
            }
        }
        for (String made :
                List.of("", ".", "..", "...", "a.b.c", "x".repeat(8193), "{}.{}.{}", "e30.e30.e30", "é.ü.ß")) {
            assertThat(show(made)).isInstanceOf(Verdict.Refused.class);
        }
        String deep = "{\"alg\":\"ES256\",\"a\":" + "[".repeat(2_000) + "]".repeat(2_000) + "}";
        assertThat(show(Base64.getUrlEncoder().encodeToString(deep.getBytes(StandardCharsets.US_ASCII)) + ".e30.e30"))
                .isInstanceOf(Verdict.Refused.class);
    }

    /** The last characters of a part hold bits that mean nothing: another spelling of the same token. */
    private static boolean isSame(String one, String other) {
        String[] parts = one.split("\\.");
        String[] others = other.split("\\.", -1);
        if (parts.length != others.length) {
            return false;
        }
        for (int i = 0; i < parts.length; i++) {
            if (!Arrays.equals(
                    com.nimbusds.jose.util.Base64URL.from(parts[i]).decode(),
                    com.nimbusds.jose.util.Base64URL.from(others[i]).decode())) {
                return false;
            }
        }
        return true;
    }

    @Test
    void aNewKeyHoldsAfterTheNextLookAndAnOldOneNoLonger() throws Exception {
        Signer next = Signer.ec("k3");
        String early = next.sign(claims());
        refused(early, "unknown_key");
        Files.writeString(folder.resolve("keys.json"), Signer.keys(next));
        refused(early, "unknown_key");
        now += 1_000;
        assertThat(door.refresh()).isEmpty();
        known(early);
        refused(ec.sign(claims()), "unknown_key");
        Files.writeString(folder.resolve("keys.json"), "broken");
        now += 1_000;
        assertThat(door.refresh())
                .singleElement()
                .asString()
                .contains("jw_test")
                .contains("no set of keys");
        known(next.sign(claims()));
        now += 24 * 3_600_000L;
        door.refresh();
        refused(next.sign(claims()), "unknown_key");
    }

    @Test
    void keysThatAreSecretShortOrForOtherUsesAreNoKeys() throws Exception {
        for (String keys : List.of(
                "{\"keys\":[{\"kty\":\"oct\",\"k\":\"" + "A".repeat(43) + "\",\"kid\":\"k1\"}]}",
                Signer.keys(Signer.rsa("k1", 1024)),
                Signer.keys(ec).replace("\"kty\"", "\"use\":\"enc\",\"kty\""),
                "{\"keys\":[]}")) {
            Files.writeString(folder.resolve("keys.json"), keys);
            JwtAuthenticator fresh = new JwtAuthenticator(() -> now, folder.resolve("security.json"));
            fresh.use(SecurityReader.read(FILE, EventRegistry.standard()));
            assertThat(fresh.refresh()).as(keys).singleElement().asString().contains("keys there verifies");
        }
    }

    @Test
    void whoIsInGoesWhenWhatTheTokenRestsOnChanges() throws Exception {
        Caller held = known(ec.sign(claims()));
        assertThat(door.again(held)).isEqualTo(held);
        door.use(SecurityReader.read(
                FILE.replace("\"tenants\": {", "\"roles\": {\"x\": []}, \"tenants\": {"), EventRegistry.standard()));
        assertThat(door.again(held)).isEqualTo(held);
        door.use(SecurityReader.read(
                FILE.replace("\"tenants\": {", "\"roles\": {\"viewer\": []}, \"tenants\": {"),
                EventRegistry.standard()));
        assertThat(door.again(held)).isNull();
        assertThat(known(ec.sign(claims())).grants()).isEmpty();
        door.use(SecurityReader.read(FILE, EventRegistry.standard()));
        assertThat(door.again(held)).isEqualTo(held);
        now += 3_601_000;
        assertThat(door.again(held)).isNull();
        door.use(SecurityFile.EMPTY);
        assertThat(show(ec.sign(claims()))).isInstanceOf(Verdict.NotMine.class);
    }

    @Test
    void whatIsNoIssuerIsRefusedWithItsPlace() throws Exception {
        SecurityFile read = SecurityReader.read(FILE, EventRegistry.standard());
        assertThat(SecurityReader.checked(read, EventRegistry.standard())).isEqualTo(read);
        for (String[] slip : new String[][] {
            {"\"ES256\"", "\"HS256\"", "HS256 is none of"},
            {"\"ES256\"", "\"none\"", "none is none of"},
            {"keys.json", "http://id.test/keys", "must be an https URL"},
            {"[\"hub\"]", "[]", "needs audience"},
            {"\"tenant_claim\": \"org\", ", "", "needs tenant, or tenant_claim"},
            {"[\"acme\"]", "[\"nowhere\"]", "there is no tenant nowhere"},
            {"[\"viewer\"]", "[\"king\"]", "there is no role king"},
            {"\"skew_ms\": 1000", "\"skew_ms\": 300001", "skew_ms"},
            {"jw_test", "test", "needs an id jw_"},
            {"dlq.replay", "Everything!", "neither an action"}
        }) {
            assertThatThrownBy(() -> SecurityReader.read(FILE.replace(slip[0], slip[1]), EventRegistry.standard()))
                    .as(slip[1])
                    .isInstanceOf(SecurityProblem.class)
                    .hasMessageContaining(slip[2]);
        }
    }
}
