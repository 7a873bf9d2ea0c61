package dev.harmovela.dimension.adaptation;

/** What a budget can limit. The order is part of the stored form. */
enum Measure {
    COST("cost"),
    ACTIONS("actions"),
    DURATION("duration");

    private final String wire;

    Measure(String wire) {
        this.wire = wire;
    }

    /** As events say it. */
    String wire() {
        return wire;
    }
}
