package dev.harmovela.conformance.a2a.echo;

import org.jspecify.annotations.Nullable;

/** What comes beside a request of any binding. */
interface Asked {

    @Nullable String header(String name);

    @Nullable String query(String name);

    String path();

    void set(String name, String value);

    /** The version that the request is in: of the header, of the query, or 0.3. */
    default String version(Faults faults) {
        String header = header("A2A-Version");
        String version = header == null && !faults.has("headers.query-ignored") ? query("A2A-Version") : header;
        return version == null || version.isEmpty() ? "0.3" : version;
    }
}
