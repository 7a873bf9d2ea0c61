package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.spi.Answer;
import org.jspecify.annotations.Nullable;

/** Putting dead letters back and throwing them away (§6, D34). */
final class LettersApi {

    private final Port port;

    LettersApi(Port port) {
        this.port = port;
    }

    /** {@code POST dlq/replay}: 202 and the counts, 200 when it was a dry run. */
    void replay(Exchange exchange) {
        Json.Obj asked = body(exchange);
        if (asked == null) {
            return;
        }
        int success = Boolean.TRUE.equals(asked.bool("dry_run")) ? 200 : 202;
        port.hub().act(exchange.caller(), "dlq.replay", asked, answer -> {
            switch (answer) {
                case Answer.Found found -> exchange.json(success, found.body());
                case Answer.Failed failed -> exchange.fail(Statuses.ofList(failed.error()), failed.error());
            }
        });
    }

    /** {@code DELETE dlq/{id}}: 200 and how many letters the id named. */
    void discard(Exchange exchange) {
        Json.Obj asked = Json.Obj.builder().put("id", exchange.argument(0)).build();
        port.hub().act(exchange.caller(), "dlq.discard", asked, answer -> {
            switch (answer) {
                case Answer.Found found -> exchange.json(200, found.body());
                case Answer.Failed failed -> exchange.fail(Statuses.ofThing(failed.error()), failed.error());
            }
        });
    }

    private static Json.@Nullable Obj body(Exchange exchange) {
        try {
            if (Json.parse(exchange.body(), 0, exchange.body().length) instanceof Json.Obj body) {
                return body;
            }
            exchange.fail(
                    Statuses.BAD_REQUEST,
                    ProtocolError.of(ErrorCode.INVALID_PAYLOAD, "a replay is asked for by a JSON object"));
        } catch (JsonException notJson) {
            exchange.fail(
                    Statuses.BAD_REQUEST,
                    ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "the body is not JSON: " + notJson.reason()));
        }
        return null;
    }
}
