package dev.harmovela.runtime;

import static dev.harmovela.runtime.Setting.decimal;
import static dev.harmovela.runtime.Setting.flag;
import static dev.harmovela.runtime.Setting.integer;
import static dev.harmovela.runtime.Setting.text;
import static dev.harmovela.runtime.Setting.texts;
import static dev.harmovela.runtime.Setting.word;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that can be configured, in the order in which it is shown. */
final class Settings {

    private static final long DAY = 86_400_000L;
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long GIB = 1024 * MIB;
    private static final long PIB = 1024 * 1024 * GIB;
    private static final long FOREVER = 3650 * DAY;
    private static final int MANY = 100_000_000;

    static final List<Setting> ALL = all();

    private static final Map<String, Setting> BY_PATH = byPath();

    private Settings() {}

    /** The setting of that path, or null. */
    static @Nullable Setting find(String path) {
        return BY_PATH.get(path);
    }

    private static List<Setting> all() {
        List<Setting> all = new ArrayList<>(process());
        all.addAll(events());
        all.addAll(tasks());
        all.addAll(storage());
        all.addAll(http());
        all.addAll(grpc());
        all.addAll(tls());
        return List.copyOf(all);
    }

    private static Map<String, Setting> byPath() {
        Map<String, Setting> byPath = new LinkedHashMap<>();
        for (Setting setting : ALL) {
            if (byPath.put(setting.path(), setting) != null) {
                throw new IllegalStateException("two settings are called " + setting.path());
            }
        }
        return byPath;
    }

    private static List<Setting> process() {
        return List.of(
                text(
                        "host",
                        Json.of("127.0.0.1"),
                        "address to listen on; other than loopback needs authentication and TLS, or insecure_network"),
                integer("port", 8787, 0, 65_535, "port of WebSocket, event streams and HTTP API; 0 takes a free one"),
                text("data", Json.Null.NULL, "folder of the journal; .harmovela, and with dev nothing but memory"),
                text(
                        "security_file",
                        Json.Null.NULL,
                        "tenants, roles and tokens; security.json in the data folder, followed while the hub runs"),
                text(
                        "links_file",
                        Json.Null.NULL,
                        "links to brokers; links.json in the data folder, followed while the hub runs"),
                flag("dev", "development: everybody who reaches the port is let in"),
                flag("insecure_network", "allow another host than loopback without TLS, where anybody can listen in"),
                word(
                        "log_level",
                        "info",
                        List.of("error", "warn", "info", "debug"),
                        "what is written to standard error"),
                integer("drain_grace_ms", 5_000, 0, 600_000, "how long a stopping hub waits for those attached"));
    }

    private static List<Setting> events() {
        return List.of(
                integer("limits.payload_bytes", MIB, KIB, 256 * MIB, "largest payload of an event"),
                integer("limits.depth", 64, 4, 512, "deepest nesting of an event"),
                word(
                        "limits.stale_events",
                        "flag",
                        List.of("flag", "reject"),
                        "what happens to an event that arrives past its freshness window"),
                word(
                        "limits.budgets",
                        "enforce",
                        List.of("enforce", "refuse"),
                        "whether budgets are enforced, or nobody may set one because the hub must not enforce it"),
                integer("limits.name_bytes", 512, 64, 8 * KIB, "longest id, identity or routing name"),
                integer("sessions.max", 100_000, 1, MANY, "live sessions"),
                integer("sessions.per_identity", 1_000, 1, MANY, "live sessions of one identity"),
                integer("sessions.per_connection", 64, 1, MANY, "sessions that share one connection"),
                integer("sessions.conformance_spaces", 512, 0, 10_000, "conformance sessions at a time"),
                integer("sessions.resume_window_ms", 300_000, 0, FOREVER, "how long a session outlives its connection"),
                integer("sessions.ready_timeout_ms", 30_000, 1, FOREVER, "how long a session may stay unconfirmed"),
                integer("subscriptions.max", 200_000, 1, MANY, "subscriptions, inboxes included"),
                integer("subscriptions.per_session", 1_000, 1, MANY, "subscriptions of one session"),
                integer(
                        "delivery.max_in_flight",
                        256,
                        1,
                        1_000_000,
                        "deliveries that may wait for their acknowledgement"),
                integer("delivery.window_bytes", 8 * MIB, KIB, GIB, "the same in bytes, for each subscription"),
                integer("delivery.max_attempts", 3, 1, 1_000, "deliveries of one event, the first included"),
                integer("delivery.backoff_ms", 1_000, 0, FOREVER, "pause before the second attempt"),
                decimal("delivery.backoff_multiplier", 2, 1, 100, "growth of the pause"),
                integer("delivery.max_backoff_ms", 30_000, 0, FOREVER, "longest pause"),
                decimal("delivery.jitter", 0, 0, 1, "share of a pause that is left to chance"),
                integer("delivery.ack_timeout_ms", 30_000, 1, FOREVER, "how long an acknowledgement is waited for"),
                new Setting(
                        "families",
                        Setting.Kind.FAMILIES,
                        Json.of(List.of()),
                        Setting.Range.ANY,
                        "event families of your own: [{name, actions[], schemas{action: JSON Schema}}]"));
    }

    private static List<Setting> tasks() {
        return List.of(
                integer("tasks.timeout_ms", 0, 0, FOREVER, "from submission to task.timed_out; 0 is no limit"),
                integer("tasks.lease_ms", 60_000, 1, FOREVER, "how long a silent owner keeps a task"),
                integer("tasks.min_lease_ms", 1_000, 1, FOREVER, "shortest lease a submission can ask for"),
                integer("tasks.cancel_grace_ms", 30_000, 0, FOREVER, "how long an owner has to confirm a cancellation"),
                integer(
                        "tasks.offline_target_ms",
                        60_000,
                        1,
                        FOREVER,
                        "how long a task waits for a target that is away"),
                word("tasks.orphans", "cancel", List.of("cancel", "run"), "children of a failed or timed out parent"),
                word(
                        "tasks.on_session_closed",
                        "fail",
                        List.of("fail", "cancel", "continue"),
                        "tasks of an owner that leaves"),
                integer("tasks.detail_ms", 3_600_000, 0, FOREVER, "how long an ended task is kept in memory"),
                integer("tasks.keep_ms", 7 * DAY, 0, FOREVER, "how long the id of an ended task stays taken"),
                integer("tasks.keep_count", 1_000_000, 1, MANY, "ended tasks remembered for each tenant"),
                integer("tasks.max_children", 10_000, 1, MANY, "live children of one task"),
                integer("tasks.max_depth", 32, 1, 64, "levels of a tree of tasks"),
                integer("tasks.max_live", 1_000_000, 1, MANY, "live tasks of one tenant"));
    }

    private static List<Setting> storage() {
        return List.of(
                integer("retention.events", 1_000_000, 1, Long.MAX_VALUE >> 12, "events of history"),
                integer("retention.bytes", 8 * GIB, MIB, PIB, "bytes of history"),
                integer("retention.age_ms", 7 * DAY, 1, FOREVER, "age of history"),
                integer("audit.bytes", GIB, 0, PIB, "bytes of audit kept of history that is gone"),
                integer("audit.age_ms", 90 * DAY, 1, FOREVER, "the same in time"),
                integer("lag.events", 1_000_000, 1, Long.MAX_VALUE >> 12, "events a subscription may lie behind"),
                integer("lag.bytes", 512 * MIB, KIB, PIB, "the same in bytes"),
                integer("lag.age_ms", 7 * DAY, 1, FOREVER, "the same in time"),
                integer(
                        "journal.segment_bytes",
                        64 * MIB,
                        MIB,
                        GIB,
                        "size of a file of the journal, a multiple of 4096"),
                integer("journal.backlog_bytes", 64 * MIB, MIB, GIB, "bytes waiting for the disk that stop publishing"),
                integer("journal.memory_bytes", 256 * MIB, MIB, 64 * GIB, "history kept when there is no data folder"),
                integer("memory.ring_bytes", 16 * MIB, 64 * KIB, 16 * GIB, "newest events kept in memory"),
                integer("memory.duplicates", 1 << 20, 1, MANY, "events remembered to recognise a repeated publish"));
    }

    private static List<Setting> http() {
        return List.of(
                texts("http.origins", "web origins that browsers may call from"),
                texts("http.trusted_hosts", "names of this machine, besides localhost, that a browser may use"),
                integer("http.max_connections", 20_000, 1, 1_000_000, "open connections"),
                integer("http.accepts_per_second", 5_000, 1, 1_000_000, "new connections a second on average"),
                integer("http.accept_burst", 10_000, 1, 1_000_000, "new connections at once"),
                integer("http.header_bytes", 16 * KIB, KIB, MIB, "headers of a request"),
                integer("http.body_bytes", 8 * MIB, KIB, GIB, "body of a request"),
                integer(
                        "http.high_watermark_bytes",
                        256 * KIB,
                        KIB,
                        GIB,
                        "unsent bytes that pause a reader's deliveries"),
                integer("http.hard_cap_bytes", 4 * MIB, 2 * KIB, GIB, "unsent bytes that end a slow reader"),
                integer("http.request_ms", 15_000, 1, FOREVER, "from the first to the last byte of a request"),
                integer("http.keep_alive_ms", 60_000, 1, FOREVER, "idle connection between two requests"),
                integer("http.open_ms", 30_000, 1, FOREVER, "WebSocket without a session"),
                integer("http.stall_ms", 30_000, 1, FOREVER, "reader that takes nothing"),
                integer("http.close_grace_ms", 5_000, 1, FOREVER, "from the last answer to the hard end"),
                integer("http.stream_heartbeat_ms", 10_000, 1, 15_000, "between two comments on an event stream"),
                integer("http.long_poll_ms", 60_000, 0, FOREVER, "longest wait of a long poll"));
    }

    private static List<Setting> grpc() {
        return List.of(
                integer("grpc.port", -1, -1, 65_535, "port of gRPC; 0 takes a free one, -1 is none; with dev 8788"),
                integer("grpc.max_streams", 20_000, 1, 1_000_000, "open calls"),
                integer("grpc.streams_per_connection", 1_000, 1, 1_000_000, "open calls of one connection"),
                integer("grpc.message_bytes", 4 * MIB, KIB, GIB, "largest message"),
                integer("grpc.queue_bytes", 4 * MIB, KIB, GIB, "bytes waiting for a reader that end it"),
                text("grpc.tls_certificate", Json.Null.NULL, "certificate chain of the port, PEM; with tls_key"),
                text("grpc.tls_key", Json.Null.NULL, "private key of that certificate, PEM"),
                text("grpc.tls_client_ca", Json.Null.NULL, "certificates that vouch for clients who show one, PEM"),
                integer("grpc.keep_alive_ms", 30_000, 1, FOREVER, "silence before a connection is probed"),
                integer("grpc.keep_alive_timeout_ms", 10_000, 1, FOREVER, "how long the answer to a probe may take"));
    }

    private static List<Setting> tls() {
        return List.of(
                text(
                        "tls.certificate",
                        Json.Null.NULL,
                        "PEM file of the hub's certificate chain; followed for changes"),
                text("tls.key", Json.Null.NULL, "PEM file of its private key (PKCS #8, not encrypted)"),
                text("tls.client_ca", Json.Null.NULL, "PEM file of authorities whose client certificates are believed"),
                word(
                        "tls.clients",
                        "optional",
                        List.of("none", "optional", "required"),
                        "whether clients show certificates, where tls.client_ca is given"),
                integer("tls.handshake_ms", 10_000, 1, 600_000, "how long a TLS handshake may take"));
    }
}
