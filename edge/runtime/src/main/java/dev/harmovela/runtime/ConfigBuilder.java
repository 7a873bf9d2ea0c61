package dev.harmovela.runtime;

import dev.harmovela.contract.CustomFamily;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.security.SecurityStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the typed configuration of values that fit one by one, and checks that they fit together. */
final class ConfigBuilder {

    /** Where a hub keeps its journal when nobody says otherwise (§15). */
    static final String DATA = ".harmovela";

    /** Where a development hub serves gRPC. */
    private static final int GRPC_PORT = 8788;

    private static final int BLOCK = 4096;

    private final Values values;
    private final Path folder;

    ConfigBuilder(Values values, Path folder) {
        this.values = values;
        this.folder = folder;
    }

    DaemonConfig build() throws ConfigProblem {
        together();
        return new DaemonConfig(
                listen(),
                data(),
                securityFile(),
                linksFile(),
                values.text("log_level"),
                values.integer("drain_grace_ms"),
                new DaemonConfig.Limits(
                        values.small("limits.payload_bytes"),
                        values.small("limits.depth"),
                        values.small("limits.name_bytes"),
                        values.text("limits.stale_events"),
                        values.text("limits.budgets")),
                sessions(),
                new DaemonConfig.Subscriptions(
                        values.small("subscriptions.max"),
                        values.small("subscriptions.per_session"),
                        values.small("delivery.max_in_flight"),
                        values.integer("delivery.window_bytes")),
                new RetryPolicy(
                        values.small("delivery.max_attempts"),
                        values.integer("delivery.backoff_ms"),
                        values.decimal("delivery.backoff_multiplier"),
                        values.integer("delivery.max_backoff_ms"),
                        values.integer("delivery.ack_timeout_ms"),
                        values.decimal("delivery.jitter")),
                tasks(),
                history("retention"),
                new DaemonConfig.Audit(values.integer("audit.bytes"), values.integer("audit.age_ms")),
                history("lag"),
                new DaemonConfig.Journal(
                        values.small("journal.segment_bytes"),
                        values.small("journal.backlog_bytes"),
                        values.integer("journal.memory_bytes")),
                new DaemonConfig.Memory(values.integer("memory.ring_bytes"), values.small("memory.duplicates")),
                http(),
                grpc(),
                families());
    }

    private void together() throws ConfigProblem {
        if (values.integer("journal.segment_bytes") % BLOCK != 0) {
            throw wrong("journal.segment_bytes", "a multiple of " + BLOCK);
        }
        if (values.integer("http.hard_cap_bytes") <= values.integer("http.high_watermark_bytes")) {
            throw wrong("http.hard_cap_bytes", "larger than http.high_watermark_bytes");
        }
        if (values.integer("tasks.keep_ms") < values.integer("tasks.detail_ms")) {
            throw wrong("tasks.keep_ms", "at least tasks.detail_ms");
        }
        boolean certified = values.maybeText("grpc.tls_certificate") != null;
        if (certified != (values.maybeText("grpc.tls_key") != null)) {
            throw wrong(
                    certified ? "grpc.tls_key" : "grpc.tls_certificate", "set too: one is nothing without the other");
        }
        if (!certified && values.maybeText("grpc.tls_client_ca") != null) {
            throw wrong("grpc.tls_certificate", "set too, where clients show certificates");
        }
        if (values.integer("tasks.lease_ms") < values.integer("tasks.min_lease_ms")) {
            throw wrong("tasks.lease_ms", "at least tasks.min_lease_ms");
        }
    }

    private ConfigProblem wrong(String path, String expected) {
        return Values.wrong(path, expected, values.value(path), values.origin(path));
    }

    private DaemonConfig.Listen listen() throws ConfigProblem {
        return new DaemonConfig.Listen(
                values.text("host"),
                values.small("port"),
                values.flag("dev") ? DaemonConfig.Access.OPEN : DaemonConfig.Access.AUTHENTICATED,
                values.flag("insecure_network")
                        ? DaemonConfig.Network.INSECURE_ALLOWED
                        : DaemonConfig.Network.LOOPBACK_ONLY,
                secure());
    }

    private DaemonConfig.@Nullable Secure secure() throws ConfigProblem {
        String certificate = values.maybeText("tls.certificate");
        String key = values.maybeText("tls.key");
        String authorities = values.maybeText("tls.client_ca");
        String clients = values.text("tls.clients");
        if ((certificate == null) != (key == null)) {
            throw wrong(certificate == null ? "tls.certificate" : "tls.key", "named too: both or none");
        }
        if (certificate == null && authorities != null) {
            throw wrong("tls.client_ca", "left out without tls.certificate and tls.key");
        }
        if (authorities == null && clients.equals("required")) {
            throw wrong("tls.clients", "optional or none without tls.client_ca");
        }
        return certificate == null || key == null
                ? null
                : new DaemonConfig.Secure(
                        folder.resolve(certificate),
                        folder.resolve(key),
                        authorities == null ? null : folder.resolve(authorities),
                        authorities == null ? "none" : clients,
                        values.integer("tls.handshake_ms"));
    }

    private @Nullable Path data() {
        String named = values.maybeText("data");
        if (named != null) {
            return folder.resolve(named);
        }
        return values.flag("dev") ? null : folder.resolve(DATA);
    }

    private @Nullable Path securityFile() {
        String named = values.maybeText("security_file");
        if (named != null) {
            return folder.resolve(named);
        }
        Path data = data();
        return data == null ? null : data.resolve(SecurityStore.NAME);
    }

    private @Nullable Path linksFile() {
        String named = values.maybeText("links_file");
        if (named != null) {
            return folder.resolve(named);
        }
        Path data = data();
        return data == null ? null : data.resolve(LinkStore.NAME);
    }

    private DaemonConfig.Sessions sessions() {
        return new DaemonConfig.Sessions(
                values.small("sessions.max"),
                values.small("sessions.per_identity"),
                values.small("sessions.per_connection"),
                values.small("sessions.conformance_spaces"),
                values.integer("sessions.resume_window_ms"),
                values.integer("sessions.ready_timeout_ms"));
    }

    private DaemonConfig.Tasks tasks() {
        return new DaemonConfig.Tasks(
                values.integer("tasks.timeout_ms"),
                values.integer("tasks.lease_ms"),
                values.integer("tasks.min_lease_ms"),
                values.integer("tasks.cancel_grace_ms"),
                values.integer("tasks.offline_target_ms"),
                values.text("tasks.orphans"),
                values.text("tasks.on_session_closed"),
                new DaemonConfig.Kept(
                        values.integer("tasks.detail_ms"),
                        values.integer("tasks.keep_ms"),
                        values.small("tasks.keep_count")),
                new DaemonConfig.TaskBounds(
                        values.small("tasks.max_children"),
                        values.small("tasks.max_depth"),
                        values.small("tasks.max_live")));
    }

    private DaemonConfig.History history(String group) {
        return new DaemonConfig.History(
                values.integer(group + ".events"), values.integer(group + ".bytes"), values.integer(group + ".age_ms"));
    }

    private DaemonConfig.Http http() {
        return new DaemonConfig.Http(
                values.texts("http.origins"),
                values.texts("http.trusted_hosts"),
                new DaemonConfig.Connections(
                        values.small("http.max_connections"),
                        values.small("http.accepts_per_second"),
                        values.small("http.accept_burst")),
                new DaemonConfig.Sizes(
                        values.small("http.header_bytes"),
                        values.small("http.body_bytes"),
                        values.small("http.high_watermark_bytes"),
                        values.small("http.hard_cap_bytes")),
                new DaemonConfig.Times(
                        values.integer("http.request_ms"),
                        values.integer("http.keep_alive_ms"),
                        values.integer("http.open_ms"),
                        values.integer("http.stall_ms"),
                        values.integer("http.close_grace_ms"),
                        values.integer("http.stream_heartbeat_ms"),
                        values.integer("http.long_poll_ms")));
    }

    /** Nobody has to ask for it in development, where it gives way to whoever has its port. */
    private DaemonConfig.Grpc grpc() {
        boolean asked = !(values.origin("grpc.port") instanceof Origin.Standard);
        int port = values.small("grpc.port");
        if (!asked && values.flag("dev")) {
            port = values.small("port") == 0 ? 0 : GRPC_PORT;
        }
        return new DaemonConfig.Grpc(
                port,
                asked ? DaemonConfig.IfTaken.FAIL : DaemonConfig.IfTaken.MOVE,
                values.small("grpc.max_streams"),
                values.small("grpc.streams_per_connection"),
                values.small("grpc.message_bytes"),
                values.small("grpc.queue_bytes"),
                values.integer("grpc.keep_alive_ms"),
                values.integer("grpc.keep_alive_timeout_ms"),
                tls());
    }

    private DaemonConfig.@Nullable Tls tls() {
        String certificate = values.maybeText("grpc.tls_certificate");
        String key = values.maybeText("grpc.tls_key");
        String authority = values.maybeText("grpc.tls_client_ca");
        return certificate == null || key == null
                ? null
                : new DaemonConfig.Tls(
                        folder.resolve(certificate),
                        folder.resolve(key),
                        authority == null ? null : folder.resolve(authority));
    }

    private List<CustomFamily> families() throws ConfigProblem {
        List<CustomFamily> families = new ArrayList<>();
        if (values.value("families") instanceof Json.Arr list) {
            for (Json item : list.items()) {
                families.add(family("families." + families.size(), item));
            }
        }
        try {
            EventRegistry.standard().withFamilies(families);
        } catch (IllegalArgumentException refused) {
            throw new ConfigProblem(
                    "families, from " + values.origin("families").text() + ", cannot be used: " + refused.getMessage()
                            + ".",
                    "A family needs a name of its own and actions of lower-case words.");
        }
        return families;
    }

    private CustomFamily family(String path, Json item) throws ConfigProblem {
        Origin origin = values.origin("families");
        if (!(item instanceof Json.Obj family)) {
            throw Values.wrong(path, "an object with name and actions", item, origin);
        }
        for (String name : family.names()) {
            if (!List.of("name", "actions", "schemas").contains(name)) {
                throw Values.wrong(path, "an object with name, actions and schemas only", item, origin);
            }
        }
        String name = family.string("name");
        List<String> actions = family.strings("actions");
        if (name == null || actions.isEmpty()) {
            throw Values.wrong(path, "an object with name and actions", item, origin);
        }
        Map<String, Json.Obj> schemas = new LinkedHashMap<>();
        Json.Obj given = family.object("schemas");
        for (String action : given == null ? List.<String>of() : given.names()) {
            Json.Obj schema = given == null ? null : given.object(action);
            if (schema == null) {
                throw Values.wrong(path + ".schemas." + action, "a JSON Schema", item, origin);
            }
            schemas.put(action, schema);
        }
        return new CustomFamily(name, actions, schemas);
    }
}
