package dev.harmovela.client;

/** Takes deliveries, one at a time and in order, on a thread of the client. */
@FunctionalInterface
public interface DeliveryHandler {

    /**
     * Handles one delivery. It is acknowledged when this returns, unless it was settled or {@linkplain Delivery#defer()
     * deferred} here, and rejected as {@code internal_error}, to be tried again, when this throws.
     */
    void handle(Delivery delivery) throws Exception;
}
