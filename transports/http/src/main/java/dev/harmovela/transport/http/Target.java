package dev.harmovela.transport.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request addresses.
 *
 * @param path decoded path
 * @param segments decoded pieces between the slashes; a slash that was escaped stays inside its piece
 * @param query decoded parameters
 */
record Target(String path, List<String> segments, Map<String, List<String>> query) {

    private static final int MAX_PARAMETERS = 64;

    /** Null when the address is not one. */
    static @Nullable Target parse(String uri) {
        try {
            QueryStringDecoder decoder = new QueryStringDecoder(uri, StandardCharsets.UTF_8, true, MAX_PARAMETERS);
            String raw = decoder.rawPath();
            if (!raw.startsWith("/")) {
                return null;
            }
            List<String> segments = new ArrayList<>();
            for (String piece : raw.substring(1).split("/", -1)) {
                segments.add(new QueryStringDecoder(piece, StandardCharsets.UTF_8, true).path());
            }
            return new Target(decoder.path(), List.copyOf(segments), decoder.parameters());
        } catch (IllegalArgumentException notAnAddress) {
            return null;
        }
    }
}
