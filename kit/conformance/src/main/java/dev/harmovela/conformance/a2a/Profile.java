package dev.harmovela.conformance.a2a;

import java.util.List;

/**
 * One contract that an endpoint may be held to.
 *
 * @param id such as {@code official-a2a-v1.0}
 * @param title for people
 * @param strict whether every required row must be supported
 * @param protocolVersion {@code Major.Minor}
 * @param sourceOfTruth where the rows come from
 * @param rows what is reported, in order
 */
public record Profile(
        String id, String title, boolean strict, String protocolVersion, String sourceOfTruth, List<Row> rows) {

    /**
     * One row.
     *
     * @param id such as {@code binding.http-json-rest}
     * @param area which part of the protocol it belongs to
     * @param name for people
     * @param required whether the profile demands it
     */
    public record Row(String id, String area, String name, boolean required) {}

    public Profile {
        rows = List.copyOf(rows);
    }
}
