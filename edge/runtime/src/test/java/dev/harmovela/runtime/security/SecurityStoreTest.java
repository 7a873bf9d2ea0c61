package dev.harmovela.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of tenants, roles and tokens. */
class SecurityStoreTest {

    @TempDir
    Path folder;

    private SecurityStore store;

    @BeforeEach
    void open() {
        store = new SecurityStore(folder.resolve(SecurityStore.NAME), EventRegistry.standard());
    }

    private static SecurityStore.Order order(String identity, String tenant, long expiresAt) {
        return new SecurityStore.Order(
                identity, tenant, List.of("publisher"), List.of("read:task"), List.of("tool:*"), expiresAt);
    }

    private static Authenticator.Verdict show(TokenAuthenticator door, String token) {
        return door.authenticate(new Authenticator.Credentials(token, List.of()));
    }

    @Test
    void whatIsWrittenIsReadAndOnlyItsOwnerCanRead() throws Exception {
        store.edit(before -> before.with(Tenant.parse(
                "acme", (Json.Obj) Json.parse("{\"limits\":{\"sessions\":3},\"redact\":[{\"types\":[\"memory.*\"],"
                        + "\"members\":[\"ssn\"],\"unless\":\"memory.private\"}]}"))));
        store.edit(before -> before.withRole("reporter", List.of("write:task", "send:agent:*", "subscribe:task.*")));
        SecurityStore.Issued issued = store.issue(order("agent:a", "acme", Long.MAX_VALUE), 1000);
        SecurityFile read = store.read();
        assertThat(read.tokens().get(issued.token().id())).isEqualTo(issued.token());
        assertThat(read.roles()).containsKey("reporter");
        assertThat(read.policies().get("acme").limits().sessions()).isEqualTo(3);
        assertThat(read.policies().get("acme").redactions()).hasSize(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store.file())))
                .isEqualTo("rw-------");
        assertThat(store.isOpenToOthers()).isFalse();
        Files.setPosixFilePermissions(store.file(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(store.isOpenToOthers()).isTrue();
        assertThat(Files.readString(store.file())).doesNotContain(issued.secret());
        assertThat(issued.secret()).hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "[]",
                "{}",
                "{\"version\":2}",
                "{\"version\":1,\"rules\":{}}",
                "{\"version\":1,\"tenants\":{\"a b\":{}}}",
                "{\"version\":1,\"tenants\":{\"a\":{\"limits\":{\"sessions\":0}}}}",
                "{\"version\":1,\"tenants\":{\"a\":{\"limits\":{\"seats\":1}}}}",
                "{\"version\":1,\"tenants\":{\"a\":{\"redact\":[{\"types\":[\"*\"]}]}}}",
                "{\"version\":1,\"roles\":{\"r\":[\"write:tool\"]}}",
                "{\"version\":1,\"roles\":{\"r\":[\"subscribe:task.**\"]}}",
                "{\"version\":1,\"roles\":{\"r\":[\"may do\"]}}",
                "{\"version\":1,\"roles\":{\"r\":\"write:task\"}}",
                "{\"version\":1,\"tokens\":{}}",
                "{\"version\":1,\"tokens\":[{\"id\":\"tk_1\"}]}"
            })
    void oneThingWrongAndNoneOfItHolds(String content) throws Exception {
        Files.writeString(store.file(), content);
        assertThatThrownBy(store::read).isInstanceOf(SecurityProblem.class);
        assertThatThrownBy(() -> store.issue(order("agent:a", "default", Long.MAX_VALUE), 0))
                .isInstanceOf(SecurityProblem.class);
        assertThat(Files.readString(store.file())).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bob", "agent:", "harness:harmovela", "harness:adaptation", "agent:a b", "user:bob"})
    void anIdentityIsOneOfTheProtocolAndNeverTheHub(String identity) {
        assertThatThrownBy(() -> store.issue(order(identity, "default", Long.MAX_VALUE), 0))
                .isInstanceOf(SecurityProblem.class);
    }

    @Test
    void whatTokensHoldCannotBeTakenAway() throws Exception {
        store.edit(before -> before.with(Tenant.parse("acme", Json.Obj.of())));
        store.issue(order("agent:a", "acme", Long.MAX_VALUE), 0);
        assertThatThrownBy(() -> store.edit(before -> before.withoutTenant("acme")))
                .isInstanceOf(SecurityProblem.class)
                .hasMessageContaining("acme");
        assertThatThrownBy(() -> store.issue(order("agent:a", "globex", Long.MAX_VALUE), 0))
                .hasMessageContaining("globex");
    }

    @Test
    void changesOfSeveralAtOnceAreAllThere() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String identity = "agent:a" + i;
            SecurityStore own = new SecurityStore(store.file(), EventRegistry.standard());
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    own.issue(order(identity, "default", Long.MAX_VALUE), 0);
                    own.issue(order(identity, "default", Long.MAX_VALUE), 0);
                } catch (IOException | SecurityProblem failed) {
                    throw new AssertionError(failed);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(store.read().tokens()).hasSize(8);
    }

    @Test
    void theFirstTokenIsAnAdminsAndIsMadeOnce() throws Exception {
        assertThat(store.issueAdmin(folder, 0)).isTrue();
        assertThat(store.issueAdmin(folder, 0)).isFalse();
        String secret = SecurityStore.adminSecret(folder);
        TokenAuthenticator door = new TokenAuthenticator(() -> 0);
        door.use(store.read());
        assertThat(show(door, secret)).isInstanceOfSatisfying(Authenticator.Verdict.Known.class, known -> {
            assertThat(known.caller().identity()).isEqualTo("agent:cli");
            assertThat(known.caller().grants()).contains("*", "hub.read", "tenant.cross_access");
        });
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.resolve(SecurityStore.ADMIN_TOKEN))))
                .isEqualTo("rw-------");
    }

    @Test
    void aTokenIsKnownUntilItExpiresOrIsRevoked() throws Exception {
        long[] now = {1000};
        TokenAuthenticator door = new TokenAuthenticator(() -> now[0]);
        SecurityStore.Issued issued = store.issue(order("agent:a", "default", 2000), 1000);
        door.use(store.read());
        assertThat(show(door, issued.secret())).isInstanceOfSatisfying(Authenticator.Verdict.Known.class, known -> {
            Caller caller = known.caller();
            assertThat(caller.trust()).isEqualTo(Caller.Trust.VERIFIED);
            assertThat(caller.credential().name())
                    .isEqualTo("token:" + issued.token().id());
            assertThat(caller.roles()).containsExactly("publisher");
            assertThat(caller.grants()).contains("event.publish", "write:*", "send:*", "task.submit", "read:task");
            assertThat(caller.speaksFor()).containsExactly("tool:*");
            assertThat(door.again(caller)).isEqualTo(caller);
            now[0] = 2000;
            assertThat(door.again(caller)).isNull();
        });
        assertThat(show(door, issued.secret())).isEqualTo(new Authenticator.Verdict.Refused("expired_token"));
        now[0] = 1500;
        store.edit(before -> before.withoutToken(issued.token().id()));
        door.use(store.read());
        assertThat(show(door, issued.secret())).isEqualTo(new Authenticator.Verdict.Refused("unknown_token"));
    }

    /** Whatever is shown: nobody is let in who does not know a secret, and nothing is thrown. */
    @Test
    void wrongTokensAreRefusedWhateverTheyLookLike() throws Exception {
        SecurityStore.Issued issued = store.issue(order("agent:a", "default", Long.MAX_VALUE), 0);
        TokenAuthenticator door = new TokenAuthenticator(() -> 0);
        door.use(store.read());
        Random random = new Random(7);
        String secret = issued.secret();
        for (int i = 0; i < 5000; i++) {
            StringBuilder other = new StringBuilder(secret);
            switch (random.nextInt(5)) {
                case 0 -> other.setCharAt(random.nextInt(secret.length()), (char) (1 + random.nextInt(65_000)));
                case 1 -> other.setLength(random.nextInt(secret.length()));
                case 2 -> other.append((char) random.nextInt(128));
                case 3 -> other.insert(0, ' ');
                default -> other.append("x".repeat(random.nextInt(100_000)));
            }
            if (!other.toString().equals(secret)) {
                assertThat(show(door, other.toString())).isNotInstanceOf(Authenticator.Verdict.Known.class);
            }
        }
        assertThat(show(door, issued.token().sha256())).isInstanceOf(Authenticator.Verdict.NotMine.class);
        assertThat(show(door, "hvt_" + issued.token().sha256())).isInstanceOf(Authenticator.Verdict.Refused.class);
        assertThat(show(door, null)).isInstanceOf(Authenticator.Verdict.NotMine.class);
    }
}
