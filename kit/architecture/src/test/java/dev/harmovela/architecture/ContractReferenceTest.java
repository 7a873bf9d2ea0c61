package dev.harmovela.architecture;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import org.junit.jupiter.api.Test;

/** Keeps the pages about event types and error codes equal to the contract. */
class ContractReferenceTest {

    @Test
    void everyEventTypeIsOnItsPage() throws Exception {
        EventRegistry registry = EventRegistry.standard();
        StringBuilder page = new StringBuilder("""
                # Event types

                Generated from the registry by `./dev golden architecture`. A type marked *hub* is only ever
                originated by the hub; a network client that sends one is refused.

                | type | dimension | from |
                |---|---|---|
                """);
        for (EventType type : registry.types()) {
            page.append("| `%s` | %s | %s |\n"
                    .formatted(
                            type.name(),
                            registry.owner(type).name().toLowerCase(java.util.Locale.ROOT),
                            type.hubOnly() ? "hub" : "anybody"));
        }
        Checkout.golden("docs/reference/event-types.md", page.toString());
    }

    @Test
    void everyErrorCodeIsOnItsPage() throws Exception {
        StringBuilder page = new StringBuilder("""
                # Error codes

                Generated from the catalogue by `./dev golden architecture`. *Retryable* is the default; an error
                may say otherwise.

                | code | category | retryable | text |
                |---|---|---|---|
                """);
        for (ErrorCode code : ErrorCode.values()) {
            page.append("| `%s` | %s | %s | %s |\n"
                    .formatted(
                            code.wire(),
                            code.category().toString().toLowerCase(java.util.Locale.ROOT),
                            code.retryable() ? "yes" : "no",
                            code.defaultText()));
        }
        Checkout.golden("docs/reference/error-codes.md", page.toString());
    }
}
