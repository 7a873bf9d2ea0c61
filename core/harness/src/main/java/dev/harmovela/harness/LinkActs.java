package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.HubOffer;
import dev.harmovela.dimension.recovery.Letter;
import dev.harmovela.dimension.recovery.LetterFact;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Caller;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What links to brokers ask of the hub beside events (D36, D38). Only they do: no surface passes these actions on.
 */
final class LinkActs {

    /** Keeps a message as a dead letter, as it came. */
    static final String RAW = "dlq.raw";

    /** Says which transports are on beside those of the configuration. */
    static final String TRANSPORTS = "link.transports";

    /** Event type of a letter whose bytes are no event. */
    static final String UNREADABLE = "unreadable";

    private final Shard shard;
    private Set<String> on = Set.of();

    LinkActs(Shard shard) {
        this.shard = shard;
    }

    static boolean knows(String action) {
        return action.equals(RAW) || action.equals(TRANSPORTS);
    }

    void act(Caller caller, String action, Json.Obj args, Consumer<Answer> done) {
        if (action.equals(TRANSPORTS)) {
            on = new LinkedHashSet<>(args.strings("transports"));
        } else if (shard.journal.acceptsPublishes()) {
            keep(caller, args);
        } else {
            shard.later(() -> done.accept(new Answer.Failed(ProtocolError.internal())));
            return;
        }
        shard.later(() -> done.accept(new Answer.Found(Json.Obj.of())));
    }

    /** The offer with the transports that links bring. */
    HubOffer offer(HubOffer configured) {
        if (on.isEmpty()) {
            return configured;
        }
        Set<String> profiles = new LinkedHashSet<>(configured.profiles());
        Set<String> transports = new LinkedHashSet<>(configured.transports());
        for (String transport : on) {
            profiles.add("harmovela.transport." + transport + ".v1");
            transports.add(transport);
        }
        return configured.over(profiles, List.copyOf(transports));
    }

    private void keep(Caller caller, Json.Obj args) {
        String link = String.valueOf(args.string("link"));
        Json.Obj error = args.object("error");
        ProtocolError why = error == null ? ProtocolError.internal() : ProtocolError.parse(error);
        Json.Builder raw = Json.Obj.builder();
        args.without("error").forEach(raw::put);
        Event told = shard.replies
                .draft("event.dead_lettered")
                .payload(Json.Obj.builder()
                        .put("attempts", 1)
                        .put("last_error", why.toJson())
                        .put("raw", raw.build())
                        .build())
                .build();
        long now = shard.now();
        Letter letter = new Letter(
                told.id(),
                caller.tenant(),
                "link:" + link,
                "link:" + link,
                told.id(),
                UNREADABLE,
                null,
                null,
                shard.nextLsn(),
                1,
                now,
                now,
                why,
                Json.of(List.of()),
                0);
        List<LetterFact> facts = new ArrayList<>(List.of(new LetterFact.Added(letter)));
        if (shard.state.letters.count() >= LetterDesk.MOST) {
            Letter oldest = shard.state.letters.all().iterator().next();
            facts.add(new LetterFact.Removed(oldest.id(), "too many"));
        }
        Frame.Header header = new Frame.Header(
                now,
                caller.tenant(),
                Replies.HUB,
                "link",
                "dlq",
                RAW,
                caller.credential().name());
        shard.append(header, List.of(told), facts);
    }
}
