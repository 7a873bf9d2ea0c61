package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Asks a target who it is, in a conversation of its own: the answer to {@code capabilities.requested} may have
 * {@code capabilities.implementation} with {@code name} and {@code version}.
 */
final class Introduction {

    private Introduction() {}

    /** What the target says; {@link Options.Implementation#UNKNOWN} when it says nothing within {@code millis}. */
    static Options.Implementation of(Target target, long millis) {
        try (Exchange exchange = target.open()) {
            exchange.send(Opening.question(exchange.sessionId()));
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            long left = millis;
            while (left > 0) {
                Incoming incoming = exchange.receive(left);
                if (incoming != null
                        && incoming.channel() == Incoming.Channel.EVENTS
                        && Json.parse(incoming.text()) instanceof Json.Obj event) {
                    if (Wire.type(event).equals("capabilities.declared")) {
                        return named(event);
                    }
                    if (Wire.refusal(event)) {
                        return Options.Implementation.UNKNOWN;
                    }
                }
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        } catch (IOException | JsonException | UnreachableException | NotGrantedException _) {
            return Options.Implementation.UNKNOWN;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return Options.Implementation.UNKNOWN;
    }

    private static Options.Implementation named(Json.Obj declared) {
        Json.Obj payload = declared.object("payload");
        for (Json.Obj holder : new Json.Obj[] {declared, payload == null ? Json.Obj.of() : payload}) {
            Json.Obj capabilities = holder.object("capabilities");
            Json.Obj implementation = capabilities == null ? null : capabilities.object("implementation");
            String name = implementation == null ? null : implementation.string("name");
            if (implementation != null && name != null) {
                String version = implementation.string("version");
                return new Options.Implementation(name, version == null ? "unknown" : version);
            }
        }
        return Options.Implementation.UNKNOWN;
    }
}
