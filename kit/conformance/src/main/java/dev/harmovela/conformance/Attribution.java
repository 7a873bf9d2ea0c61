package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which line of a fixture caused what the target sent.
 *
 * <p>{@code causation_id} tells; answers to lines that share an id follow the order of those lines. Answers that name
 * nothing belong to lines without a usable id, in order: what came beside the events first to lines that are not JSON
 * (D26).
 */
final class Attribution {

    /**
     * What one line led to.
     *
     * @param direct direct answers, one unless something is wrong
     * @param emitted what the target said of its own because of the line, each event once
     * @param copies copies of the line itself, as subscriptions brought them
     */
    record Effects(List<Json.Obj> direct, List<Json.Obj> emitted, List<Json.Obj> copies) {

        Effects() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }

        /** Copies that a subscription of the fixture asked for, not those of an inbox (D23). */
        long subscribedCopies() {
            return copies.stream()
                    .map(Wire::subscription)
                    .filter(id -> id != null && !id.startsWith("inbox:"))
                    .count();
        }
    }

    private final List<SentLine> lines;
    private final List<Effects> effects = new ArrayList<>();
    private final List<Json.Obj> strays = new ArrayList<>();
    private final Map<String, List<Integer>> byId = new HashMap<>();
    private final Map<String, Integer> answersPerId = new HashMap<>();
    private final Set<String> emittedIds = new HashSet<>();

    private Attribution(List<SentLine> lines) {
        this.lines = lines;
        for (int i = 0; i < lines.size(); i++) {
            effects.add(new Effects());
            String id = lines.get(i).id();
            if (id != null) {
                byId.computeIfAbsent(id, _ -> new ArrayList<>()).add(i);
            }
        }
    }

    /** Sorts everything received so far. */
    static Attribution of(List<SentLine> lines, List<Received> received) {
        Attribution sorted = new Attribution(lines);
        List<Received> nameless = new ArrayList<>();
        for (Received one : received) {
            if (!sorted.placed(one.event())) {
                nameless.add(one);
            }
        }
        for (Incoming.Channel channel : List.of(Incoming.Channel.DIAGNOSTICS, Incoming.Channel.EVENTS)) {
            nameless.stream().filter(one -> one.channel() == channel).forEach(sorted::placeNameless);
        }
        return sorted;
    }

    /** What line number {@code index} (from 0) led to. */
    Effects effects(int index) {
        return effects.get(index);
    }

    /** Direct answers that belong to no line. */
    List<Json.Obj> strays() {
        return strays;
    }

    private boolean placed(Json.Obj event) {
        List<Integer> copied = byId.get(text(event, "id"));
        if (copied != null) {
            effects.get(copied.getFirst()).copies().add(event);
            return true;
        }
        String cause = text(event, "causation_id");
        List<Integer> caused = byId.get(cause);
        if (Wire.directAnswer(event)) {
            if (caused == null) {
                return false;
            }
            int nth = answersPerId.merge(cause, 1, Integer::sum) - 1;
            List<Integer> answered = caused.stream()
                    .filter(i -> caused.size() == 1 || lines.get(i).answered())
                    .toList();
            List<Integer> places = answered.isEmpty() ? caused : answered;
            effects.get(places.get(Math.min(nth, places.size() - 1))).direct().add(event);
        } else if (caused != null && emittedIds.add(text(event, "id"))) {
            effects.get(caused.getLast()).emitted().add(event);
        }
        return true;
    }

    private void placeNameless(Received one) {
        if (!text(one.event(), "causation_id").isEmpty()) {
            strays.add(one.event());
            return;
        }
        boolean beside = one.channel() == Incoming.Channel.DIAGNOSTICS;
        Integer place = unanswered(beside ? SentLine.Form.NO_JSON : null);
        if (place == null) {
            place = unanswered(null);
        }
        if (place == null) {
            strays.add(one.event());
        } else {
            effects.get(place).direct().add(one.event());
        }
    }

    private @Nullable Integer unanswered(SentLine.@Nullable Form form) {
        for (int i = 0; i < lines.size(); i++) {
            SentLine line = lines.get(i);
            if (line.mayBeNameless() && effects.get(i).direct().isEmpty() && (form == null || form == line.form())) {
                return i;
            }
        }
        return null;
    }

    private static String text(Json.Obj event, String member) {
        String value = event.string(member);
        return value == null ? "" : value;
    }
}
