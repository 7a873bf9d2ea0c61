package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Speaks the mesh dialect: slash methods over JSON-RPC, without a version header, as its clients do. Any thread. */
final class MeshCaller {

    /** Where the mesh serves JSON-RPC, below its origin. */
    static final List<String> PATHS = List.of("/", "/rpc", "/a2a/jsonrpc");

    private static final Set<String> TERMINAL = Set.of("completed", "failed", "canceled", "rejected");
    private static final Pattern OFFICIAL = Pattern.compile("\"(TASK_STATE_|ROLE_)[A-Z_]+\"");

    private final AtomicLong ids = new AtomicLong();
    private final Run run;
    private final URI at;

    MeshCaller(Run run, URI at) {
        this.run = run;
        this.at = at;
    }

    Reply call(String method, Json.Obj params) throws WireException {
        Json.Obj body = Json.Obj.builder()
                .put("jsonrpc", "2.0")
                .put("id", ids.incrementAndGet())
                .put("method", method)
                .put("params", params)
                .build();
        Request request = new Request(
                "POST", at, Map.of("Content-Type", "application/json", "Accept", "application/json"), body.toString());
        return JsonRpcCaller.read(run.watch.send(run.signed(request)));
    }

    /** A send request; {@code blocking} is left out when null. */
    static Json.Obj sending(String messageId, String text, @Nullable Boolean blocking) {
        Json.Obj part = Json.Obj.builder().put("type", "text").put("text", text).build();
        Json.Obj message = Json.Obj.builder()
                .put("kind", "message")
                .put("messageId", messageId)
                .put("role", "user")
                .put("parts", new Json.Arr(List.of(part)))
                .build();
        Json.Obj request = Json.Obj.builder().put("message", message).build();
        return blocking == null
                ? request
                : request.with("configuration", Json.Obj.of().with("blocking", Json.of(blocking.booleanValue())));
    }

    /** The state of a mesh task in lower case with hyphens; empty when there is none. */
    static String state(Json.@Nullable Obj task) {
        Json.Obj status = task == null ? null : task.object("status");
        String state = status == null ? null : status.string("state");
        return state == null ? "" : state.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static boolean isTerminal(Json.@Nullable Obj task) {
        return TERMINAL.contains(state(task));
    }

    /** What is official in an answer that should be of the mesh all through; null when nothing is. */
    static @Nullable String mixed(Reply reply) {
        Json.Obj result = reply.object();
        if (result == null) {
            return null;
        }
        if (result.object("task") != null || result.object("message") != null) {
            return "the result is wrapped as in 1.0";
        }
        return OFFICIAL.matcher(result.toString()).find() ? "the result has names of 1.0" : null;
    }

    /** Whether a send is answered in the mesh dialect there. */
    static boolean answers(Run run, URI at) {
        try {
            Reply reply = new MeshCaller(run, at)
                    .call("message/send", sending(run.fresh("kit-dialect"), "which dialect", true));
            return reply.object() != null && mixed(reply) == null;
        } catch (WireException silent) {
            return false;
        }
    }
}
