package dev.harmovela.bench;

/**
 * One figure of the hub alone.
 *
 * @param what it says
 * @param goal what it has to reach, NaN without one
 * @param met whether it does
 * @param bound how the goal is written, empty without one
 */
record Figure(String what, double value, String unit, double goal, boolean met, String bound) {

    static Figure plain(String what, double value, String unit) {
        return new Figure(what, value, unit, Double.NaN, true, "");
    }

    static Figure atMost(String what, double value, String unit, double goal) {
        return new Figure(what, value, unit, goal, value <= goal, "≤");
    }

    static Figure atLeast(String what, double value, String unit, double goal) {
        return new Figure(what, value, unit, goal, value >= goal, "≥");
    }
}
