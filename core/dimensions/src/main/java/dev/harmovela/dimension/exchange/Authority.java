package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.ChainRights;
import dev.harmovela.dimension.Context;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether somebody may have something carried out (governance of seed 003, SEC-08): what it takes, the requester must
 * hold and everybody in whose name it acts, each by what its credential grants at this moment. Changes nothing.
 */
final class Authority {

    private static final int MOST_HOPS = 8;
    private static final String CHAIN = "delegation_chain";

    /** Why it may not, null when it may. */
    @Nullable ProtocolError problem(Kind kind, Json.Obj payload, String target, Context at) {
        List<String> chain = new ArrayList<>();
        ProtocolError problem = read(kind, payload.array(CHAIN), chain);
        String wrong = problem == null ? shape(chain, target, at) : null;
        if (wrong != null) {
            problem = invalid(wrong, "the delegation chain is not valid");
        }
        return problem == null ? ChainRights.lacking(ChainRights.needed(payload), chain, at) : problem;
    }

    private static @Nullable ProtocolError read(Kind kind, Json.@Nullable Arr links, List<String> names) {
        for (Json link : links == null ? List.<Json>of() : links.items()) {
            String name = link instanceof Json.Str text
                    ? text.value()
                    : link instanceof Json.Obj one ? one.string("agent_id") : null;
            if (name == null || name.isEmpty()) {
                return ProtocolError.mismatch(kind.invalid(), "payload." + CHAIN, "identities", String.valueOf(link));
            }
            names.add(name);
        }
        return null;
    }

    /** A chain names each agent once, has the requester last or not at all, is not endless and knows whom it names. */
    private static @Nullable String shape(List<String> chain, String target, Context at) {
        if (chain.size() > MOST_HOPS) {
            return "chain_too_long";
        }
        if (new HashSet<>(chain).size() < chain.size() || chain.contains(target)) {
            return "chain_loop";
        }
        if (chain.contains(at.actor()) && !chain.getLast().equals(at.actor())) {
            return "chain_not_last";
        }
        boolean strangers = chain.stream()
                .anyMatch(one -> !one.equals(at.actor()) && !at.around().knows(at.tenant(), one));
        return strangers ? "chain_unknown" : null;
    }

    private static ProtocolError invalid(String reason, String message) {
        return ProtocolError.because(ErrorCode.UNAUTHORIZED, reason, message).with("path", "payload." + CHAIN);
    }
}
