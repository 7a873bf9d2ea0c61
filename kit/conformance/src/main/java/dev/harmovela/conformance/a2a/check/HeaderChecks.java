package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Map;

/** The service parameters: version and extensions. */
final class HeaderChecks {

    private static final String ROW = "extensions.headers";

    static final List<Check> TABLE = List.of(
            check("headers.version", "A2A-Version 1.0 is served", probe -> served(probe, "1.0")),
            check("headers.version-query", "A2A-Version as a query parameter is served", HeaderChecks::query),
            check("headers.version-patch", "patch digits do not matter", probe -> served(probe, "1.0.1")),
            check("headers.version-missing", "without a version: refused", HeaderChecks::missing),
            check("headers.version-empty", "an empty version: refused", HeaderChecks::empty),
            check("headers.version-list", "a list of versions: refused", probe -> refused(probe, "0.3, 1.0")),
            check("headers.version-unsupported", "an unknown version: refused", HeaderChecks::unsupported),
            check("headers.version-stream", "an unknown version on a stream: refused", HeaderChecks::onStream),
            check("headers.extension-unknown", "an unknown extension is ignored", HeaderChecks::unknownExtension),
            check("headers.extension-required", "a required extension left out: refused", HeaderChecks::required));

    private HeaderChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.EACH, title, body);
    }

    private static Json.Obj unknownTask(Probe probe) {
        return Probe.id(probe.run.fresh("no-such-task"));
    }

    private static Reply asked(Probe probe, String version) throws WireException {
        return probe.caller()
                .tuned(request -> request.with(Map.of(Caller.VERSION, version)))
                .call(Operation.GET, unknownTask(probe));
    }

    private static void served(Probe probe, String version) throws WireException, Verdict {
        probe.refused(asked(probe, version), A2aError.TASK_NOT_FOUND, "A2A-Version " + version + ", an unknown task");
    }

    private static void query(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller()
                .tuned(request -> request.without(Caller.VERSION).asking("A2A-Version=1.0"))
                .call(Operation.GET, unknownTask(probe));
        probe.refused(reply, A2aError.TASK_NOT_FOUND, "?A2A-Version=1.0, an unknown task");
    }

    private static void missing(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller()
                .tuned(request -> request.without(Caller.VERSION))
                .call(Operation.SEND, probe.sending(Probe.COMPLETE, "no version"));
        notServed(probe, reply, "no A2A-Version");
    }

    private static void empty(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller()
                .tuned(request -> request.with(Map.of(Caller.VERSION, "")))
                .call(Operation.SEND, probe.sending(Probe.COMPLETE, "empty version"));
        notServed(probe, reply, "an empty A2A-Version");
    }

    /** None means 0.3, where the operations have other names: either refusal is right, serving it as 1.0 is not. */
    private static void notServed(Probe probe, Reply reply, String what) throws Verdict {
        boolean right = reply.is(A2aError.VERSION_NOT_SUPPORTED) || reply.is(A2aError.METHOD_NOT_FOUND);
        probe.require(right, what + ": VERSION_NOT_SUPPORTED expected, got " + reply.brief());
        probe.note(what + " is taken as 0.3 and refused (" + reply.brief() + ")");
    }

    private static void refused(Probe probe, String version) throws WireException, Verdict {
        probe.refused(asked(probe, version), A2aError.VERSION_NOT_SUPPORTED, "A2A-Version " + version);
    }

    private static void unsupported(Probe probe) throws WireException, Verdict {
        refused(probe, "99.0");
    }

    private static void onStream(Probe probe) throws WireException, Verdict {
        try (Feed feed = probe.caller().tuned(request -> request.with(Map.of(Caller.VERSION, "99.0"))).stream(
                Operation.STREAM, probe.sending("tck-stream", "stream"))) {
            Reply refused = probe.present(feed.refused(), "A2A-Version 99.0 was served by a stream");
            boolean gated = !probe.run.card.offers("streaming") && refused.is(A2aError.UNSUPPORTED_OPERATION);
            if (!gated) {
                probe.refused(refused, A2aError.VERSION_NOT_SUPPORTED, "A2A-Version 99.0 on a stream");
            }
        }
    }

    private static void unknownExtension(Probe probe) throws WireException, Verdict {
        String unknown = "https://kit.example.com/extensions/unknown";
        Reply reply = probe.caller()
                .tuned(request -> {
                    String before = request.headers().get(Caller.EXTENSIONS);
                    return request.with(Map.of(Caller.EXTENSIONS, before == null ? unknown : before + ", " + unknown));
                })
                .call(Operation.SEND, probe.sending(Probe.COMPLETE, "an unknown extension"));
        probe.require(reply.result() != null, "an unknown extension: " + reply.brief());
    }

    private static void required(Probe probe) throws WireException, Verdict {
        if (probe.run.card.requiredExtensions().isEmpty()) {
            throw probe.notApplicable("the card requires no extension");
        }
        Reply reply = probe.caller()
                .tuned(request -> request.without(Caller.EXTENSIONS))
                .call(Operation.SEND, probe.sending(Probe.COMPLETE, "no extension"));
        probe.refused(reply, A2aError.EXTENSION_SUPPORT_REQUIRED, "a required extension left out");
    }
}
