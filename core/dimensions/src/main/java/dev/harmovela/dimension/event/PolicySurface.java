package dev.harmovela.dimension.event;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bounds an agent declares for itself at session opening (§11, L1) joined with the hub's: field by field the
 * stricter one counts. Pure.
 */
final class PolicySurface {

    private static final List<String> SECTIONS = List.of("budget", "timeouts", "allowed_actions", "termination");
    private static final Set<String> ALLOWLISTS = Set.of("event_families", "tool_domains", "target_identities");
    private static final Set<String> BLOCKLISTS = Set.of("blocklisted_families", "blocklisted_tools");
    private static final Map<String, List<String>> STRICTEST_FIRST = Map.of(
            "on_budget_exhausted", List.of("fail", "cancel", "escalate"),
            "scope", List.of("per_session", "per_task"));

    private PolicySurface() {}

    record Result(Json.Obj policy, @Nullable ProtocolError error) {}

    static Result stricter(Json.Obj asked, Json.Obj hub) {
        Json.Builder out = Json.Obj.builder();
        for (String section : SECTIONS) {
            Json given = asked.get(section);
            if (given != null && !(given instanceof Json.Obj)) {
                return refused("capabilities." + section, "object", given.toString());
            }
            Json.Obj mine = hub.object(section);
            if (given == null && mine == null) {
                continue;
            }
            Json.Obj theirs = given == null ? Json.Obj.of() : (Json.Obj) given;
            ProtocolError error = check(section, theirs);
            if (error != null) {
                return new Result(Json.Obj.of(), error);
            }
            out.put(section, join(theirs, mine == null ? Json.Obj.of() : mine));
        }
        return new Result(out.build(), null);
    }

    private static @Nullable ProtocolError check(String section, Json.Obj given) {
        for (String name : given.names()) {
            Json value = given.get(name);
            List<String> words = STRICTEST_FIRST.get(name);
            boolean known =
                    words == null || value == null || (value instanceof Json.Str text && words.contains(text.value()));
            if (!known) {
                String expected = String.join("|", words == null ? List.of() : words);
                return refused("capabilities." + section + "." + name, expected, String.valueOf(value))
                        .error();
            }
            if (value instanceof Json.Num number && number.doubleValue() < 0) {
                return refused("capabilities." + section + "." + name, "a number from 0", number.text())
                        .error();
            }
        }
        return null;
    }

    private static Json.Obj join(Json.Obj theirs, Json.Obj mine) {
        Json.Builder out = Json.Obj.builder();
        Set<String> names = new LinkedHashSet<>(theirs.names());
        names.addAll(mine.names());
        for (String name : names) {
            out.put(name, joinOne(name, theirs.get(name), mine.get(name)));
        }
        return out.build();
    }

    private static @Nullable Json joinOne(String name, @Nullable Json theirs, @Nullable Json mine) {
        if (theirs == null || mine == null) {
            return theirs == null ? mine : theirs;
        }
        if (theirs instanceof Json.Num a && mine instanceof Json.Num b) {
            return a.doubleValue() <= b.doubleValue() ? a : b;
        }
        List<String> words = STRICTEST_FIRST.get(name);
        if (words != null && theirs instanceof Json.Str a && mine instanceof Json.Str b) {
            return words.indexOf(a.value()) <= words.indexOf(b.value()) ? a : b;
        }
        if (theirs instanceof Json.Arr a && mine instanceof Json.Arr b) {
            Set<Json> items = new LinkedHashSet<>(a.items());
            if (BLOCKLISTS.contains(name)) {
                items.addAll(b.items());
            } else if (ALLOWLISTS.contains(name)) {
                items.retainAll(b.items());
            }
            return new Json.Arr(List.copyOf(items));
        }
        return mine;
    }

    private static Result refused(String path, String expected, String got) {
        ProtocolError error = ProtocolError.of(ErrorCode.INVALID_CAPABILITY, path + " must be " + expected)
                .with("path", new Json.Str(path))
                .with("expected", new Json.Str(expected))
                .with("got", new Json.Str(got));
        return new Result(Json.Obj.of(), error);
    }
}
