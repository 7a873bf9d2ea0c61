package dev.harmovela.harness;

/** Whether clients may ask for a conformance session (D24). */
public enum Conformance {
    GRANTED,
    REFUSED
}
