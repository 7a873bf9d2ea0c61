package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Questions about what the hub knows; every parameter but {@code limit} and {@code cursor} is a filter. */
final class QueriesApi {

    private static final Set<String> PAGING = Set.of("limit", "cursor");
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;

    private final Port port;

    QueriesApi(Port port) {
        this.port = port;
    }

    /** Asks for many things. */
    Handler list(String scope) {
        return exchange -> ask(exchange, scope, null);
    }

    /** Asks for the thing whose id stands in the address. */
    Handler one(String scope) {
        return exchange -> ask(exchange, scope, exchange.argument(0));
    }

    private void ask(Exchange exchange, String scope, @Nullable String id) {
        Integer limit = number(exchange, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        if (limit == null) {
            return;
        }
        Json.Builder filter = Json.Obj.builder();
        for (Map.Entry<String, List<String>> parameter : exchange.query().entrySet()) {
            List<String> values = parameter.getValue();
            if (PAGING.contains(parameter.getKey())) {
                continue;
            }
            if (values.size() == 1) {
                filter.put(parameter.getKey(), values.getFirst());
            } else {
                filter.put(parameter.getKey(), values);
            }
        }
        Ask question = new Ask(scope, id, filter.build(), limit, exchange.query("cursor"));
        port.hub().ask(exchange.caller(), question, answer -> {
            switch (answer) {
                case Answer.Found found -> exchange.json(200, found.body());
                case Answer.Failed failed -> {
                    int status = id == null ? Statuses.ofList(failed.error()) : Statuses.ofThing(failed.error());
                    exchange.fail(status, failed.error());
                }
            }
        });
    }

    /** A numeric parameter, or null after the exchange was answered 400. */
    static @Nullable Integer number(Exchange exchange, String name, int otherwise, int least, int most) {
        String text = exchange.query(name);
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // refused below
        }
        exchange.fail(
                Statuses.BAD_REQUEST,
                ProtocolError.of(ErrorCode.PROTOCOL_ERROR, name + " is a number from " + least + " to " + most));
        return null;
    }
}
