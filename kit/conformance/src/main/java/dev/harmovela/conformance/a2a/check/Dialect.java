package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Which dialects an endpoint answers in. */
public enum Dialect {
    /** A2A 1.0. */
    OFFICIAL,
    /** The experimental version beside it. */
    EXPERIMENTAL,
    /** Slash methods. */
    MESH;

    /** Whether the endpoint answers in this dialect; asks no more than is needed to know. */
    public boolean answers(Run run) {
        return switch (this) {
            case OFFICIAL -> answers(run, "1.0");
            case EXPERIMENTAL -> answers(run, "1.2");
            case MESH -> mesh(run);
        };
    }

    private static boolean answers(Run run, String version) {
        for (AgentInterface each : run.interfaces(version)) {
            try {
                Caller at = run.caller(each);
                Reply reply = at.call(Operation.GET, Probe.id(run.fresh("no-such-task")));
                Problem problem = reply.problem();
                if (problem == null || problem.isAboutCredentials() || !foreign(problem, at)) {
                    return true;
                }
            } catch (WireException silent) {
                // another interface may answer
            }
        }
        return false;
    }

    /** Whether the refusal is that of a peer who does not know the version, its names or its routes. */
    private static boolean foreign(Problem problem, Caller at) {
        Long code = problem.code();
        if (code != null) {
            return code == A2aError.METHOD_NOT_FOUND.code || code == A2aError.VERSION_NOT_SUPPORTED.code;
        }
        return at.isJsonRpc() || A2aError.VERSION_NOT_SUPPORTED.name().equals(problem.reason());
    }

    private static boolean mesh(Run run) {
        List<URI> places = new ArrayList<>();
        String url = run.card.card().string("url");
        if (url != null) {
            places.add(run.endpoint.resolve(url));
        }
        places.add(run.endpoint);
        MeshCaller.PATHS.forEach(path -> places.add(run.endpoint.resolve(path)));
        return places.stream().distinct().anyMatch(place -> MeshCaller.answers(run, place));
    }
}
