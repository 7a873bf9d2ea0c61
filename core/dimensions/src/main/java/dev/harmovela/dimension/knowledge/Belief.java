package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.ArrayList;
import java.util.List;

/**
 * What one source holds to be true about one thing.
 *
 * @param id the thing: {@code fact_id}, {@code belief_id} or {@code subject} of the payload
 * @param source who believes it
 * @param status {@code asserted}, {@code revised}, {@code contradicted} or {@code unknown}
 * @param scope {@code fact}, {@code inference} …, empty when not said
 * @param confidence 0 to 1, or -1 when not said
 * @param content tells contents apart
 * @param events the events that said it, newest last; older ones than {@link #EVENTS} are forgotten
 * @param evidence the events that it was derived from
 * @param doubted whether some of that does not hold any more
 */
record Belief(
        String id,
        String source,
        String status,
        String scope,
        double confidence,
        long content,
        List<String> events,
        List<String> evidence,
        boolean doubted) {

    static final int EVENTS = 8;
    static final int EVIDENCE = 32;

    Belief {
        events = List.copyOf(events);
        evidence = List.copyOf(evidence);
    }

    /** Whether its source stands by it. */
    boolean stands() {
        return status.equals("asserted") || status.equals("revised");
    }

    String lastEvent() {
        return events.getLast();
    }

    Belief inDoubt() {
        return new Belief(id, source, status, scope, confidence, content, events, evidence, true);
    }

    /** The events of the belief before this one and this one. */
    static List<String> following(List<String> before, String eventId) {
        List<String> events = new ArrayList<>(before);
        events.add(eventId);
        return events.size() > EVENTS ? events.subList(events.size() - EVENTS, events.size()) : events;
    }

    void write(Out out) {
        out.string(id)
                .string(source)
                .string(status)
                .string(scope)
                .f64(confidence)
                .i64(content);
        KnowledgeFact.writeTexts(out, events);
        KnowledgeFact.writeTexts(out, evidence);
        out.bool(doubted);
    }

    static Belief read(In in) {
        return new Belief(
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.f64(),
                in.i64(),
                KnowledgeFact.readTexts(in),
                KnowledgeFact.readTexts(in),
                in.bool());
    }
}
