package dev.harmovela.transport.grpc;

import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/** Names of metadata and trailers (§13). */
final class Keys {

    static final Metadata.Key<String> AUTHORIZATION = ascii("authorization");
    static final Metadata.Key<String> SESSION = ascii("harmovela-session-id");
    static final Metadata.Key<String> VERSION = ascii("harmovela-version");
    static final Metadata.Key<String> AGENT = ascii("harmovela-agent-id");
    static final Metadata.Key<String> CURSOR = ascii("x-harmovela-cursor");
    static final Metadata.Key<String> ERROR = ascii("x-harmovela-error");
    static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private Keys() {}

    static Metadata.Key<String> ascii(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** The last value, or null when there is none or an empty one. */
    static @Nullable String value(Metadata headers, Metadata.Key<String> key) {
        String value = headers.get(key);
        return value == null || value.isEmpty() ? null : value;
    }

    /** Sets a value, unless it has characters that metadata cannot carry. */
    static void put(Metadata target, Metadata.Key<String> key, @Nullable String value) {
        if (value != null && value.chars().allMatch(c -> c >= 0x20 && c < 0x7F)) {
            target.put(key, value);
        }
    }

    /** JSON in the characters that metadata can carry: the others are escaped. */
    static String printable(String json) {
        StringBuilder out = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c >= 0x20 && c < 0x7F) {
                out.append(c);
            } else {
                out.append(String.format("\\u%04x", (int) c));
            }
        }
        return out.toString();
    }
}
