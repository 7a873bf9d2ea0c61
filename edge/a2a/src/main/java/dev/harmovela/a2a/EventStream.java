package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A stream of responses as server-sent events. */
final class EventStream implements Call.Stream {

    private final A2aExchange exchange;
    private final Function<Json.Obj, String> line;
    private final Consumer<Refusal> refused;
    private A2aExchange.@Nullable Events events;
    private @Nullable Runnable onClosed;

    EventStream(A2aExchange exchange, Function<Json.Obj, String> line, Consumer<Refusal> refused) {
        this.exchange = exchange;
        this.line = line;
        this.refused = refused;
    }

    @Override
    public void begin(Runnable closed) {
        onClosed = closed;
    }

    private A2aExchange.Events open() {
        if (events == null) {
            events = exchange.events(Objects.requireNonNull(onClosed));
        }
        return events;
    }

    @Override
    public void event(long number, Json.Obj response) {
        open().event(number, line.apply(response));
    }

    @Override
    public void gap() {
        open().comment("gap");
    }

    @Override
    public void end() {
        open().end();
    }

    @Override
    public void refused(Refusal refusal) {
        refused.accept(refusal);
    }
}
