package dev.harmovela.a2a;

import dev.harmovela.spi.Caller;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What comes beside a request of any binding, and goes beside its answer. On the hub's executor only. */
public interface A2aRequest {

    /** The first value of a header or of a metadata entry, or null. */
    @Nullable String header(String name);

    /** Decoded parameters of the query; empty where there is none. */
    Map<String, List<String>> query();

    /** Who asks. */
    Caller caller();

    /** Adds a header to the answer that follows. */
    void with(String name, String value);
}
