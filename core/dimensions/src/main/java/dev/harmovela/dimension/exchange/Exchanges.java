package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.DimensionState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands and queries of a shard: checked before they are passed on, answered once, by nobody but their target, to
 * nobody but their requester (§10). For one thread.
 */
public final class Exchanges implements DimensionState {

    private static final int KINDS_FROM = 700;
    private static final int KINDS_TO = 709;

    private final Register register = new Register();
    private final Requests requests;
    private final Answers answers;

    public Exchanges(EventRegistry types) {
        requests = new Requests(register, types);
        answers = new Answers(register, types);
    }

    @Override
    public String name() {
        return "exchanges";
    }

    @Override
    public boolean decides(EventType type) {
        return Kind.of(type.family()) != null && !type.hubOnly();
    }

    @Override
    public Decision decide(Event event, Context at) {
        Kind kind = Kind.of(event.type().family());
        if (kind == null) {
            throw new IllegalStateException(event.type() + " is neither a command nor a query");
        }
        return event.type().action().equals("requested")
                ? requests.decide(kind, event, at)
                : answers.decide(kind, event, at);
    }

    @Override
    public Decision fire(Context at) {
        return answers.fire(at);
    }

    @Override
    public long nextDeadline() {
        Register.Due due = register.first();
        return due == null ? Long.MAX_VALUE : due.exchange().until();
    }

    // --- folding

    @Override
    public boolean holds(int kind) {
        return kind >= KINDS_FROM && kind <= KINDS_TO;
    }

    /** Reads a fact back; null for a kind that is none of its own. */
    public static @Nullable Fact read(int kind, int version, In in) {
        return version == 1 ? ExchangeFact.read(kind, in) : null;
    }

    @Override
    public void apply(Fact fact) {
        if (!(fact instanceof ExchangeFact own)) {
            throw new IllegalStateException("not a fact about commands or queries: kind " + fact.kind());
        }
        register.apply(own);
    }

    @Override
    public void snapshot(Out out) {
        register.snapshot(out);
    }

    @Override
    public void restore(In in) {
        register.restore(in);
    }

    // --- asking

    /** The commands and queries of a tenant that are under way or were answered a short while ago. */
    public List<Json.Obj> list(String tenant, long now) {
        return register.all(tenant).stream()
                .filter(one -> one.open() || one.until() > now)
                .map(Exchange::toJson)
                .toList();
    }
}
