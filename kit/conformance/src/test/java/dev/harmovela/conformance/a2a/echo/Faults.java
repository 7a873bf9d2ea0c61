package dev.harmovela.conformance.a2a.echo;

import java.util.Set;

/** Which faults are switched on. */
record Faults(Set<String> on) {

    boolean has(String fault) {
        return on.contains(fault);
    }
}
