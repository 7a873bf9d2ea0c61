package dev.harmovela.dimension.exchange;

/** What moves a request. */
enum ExchangeEvent {
    REQUESTED("command.requested or query.requested"),
    COMPLETED("command.completed or query.response"),
    FAILED("command.failed, query.error or query.rejected"),
    /** Nobody answered in time. */
    LAPSED("time");

    private final String text;

    ExchangeEvent(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
