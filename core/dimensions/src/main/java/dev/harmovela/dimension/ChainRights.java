package dev.harmovela.dimension;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rights along a chain of those in whose name somebody acts (SEC-08): nobody passes on what he does not hold, and what
 * one of them loses the others below lose with it, because each is asked for what it holds at this moment.
 */
public final class ChainRights {

    private static final String SCOPE = "authorization_scope";

    private ChainRights() {}

    /** What a request says that it takes: one right, or a list of them. */
    public static List<String> needed(Json.Obj payload) {
        String one = payload.string(SCOPE);
        return one == null ? payload.strings(SCOPE) : List.of(one);
    }

    /** The refusal that names the first right which the actor, or one of the chain, does not hold; null when all do. */
    public static @Nullable ProtocolError lacking(List<String> needed, List<String> chain, Context at) {
        for (String right : needed) {
            if (!at.holds(right)) {
                return missing(right, at.actor(), "missing_right");
            }
            for (String one : chain) {
                if (!one.equals(at.actor()) && !at.around().holds(at.tenant(), one, right)) {
                    return missing(right, one, "chain_lacks_right");
                }
            }
        }
        return null;
    }

    private static ProtocolError missing(String right, String who, String reason) {
        return ProtocolError.because(ErrorCode.UNAUTHORIZED, reason, "this needs " + right)
                .with("required", right)
                .with("lacking", who)
                .with("path", "payload." + SCOPE);
    }
}
