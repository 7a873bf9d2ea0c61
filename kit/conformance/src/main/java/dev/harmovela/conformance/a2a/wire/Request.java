package dev.harmovela.conformance.a2a.wire;

import java.net.URI;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request.
 *
 * @param method such as {@code POST}
 * @param uri absolute
 * @param headers names in any case, one value each
 * @param body what is sent in UTF-8; null for none
 */
public record Request(
        String method,
        URI uri,
        Map<String, String> headers,
        @Nullable String body) {

    public Request {
        Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(headers);
        headers = Collections.unmodifiableMap(sorted);
    }

    /** A request without a body. */
    public static Request of(String method, URI uri, Map<String, String> headers) {
        return new Request(method, uri, headers, null);
    }

    /** The same request with these headers on top. */
    public Request with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        all.putAll(more);
        return new Request(method, uri, all, body);
    }

    /** The same request without that header. */
    public Request without(String name) {
        Map<String, String> rest = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        rest.putAll(headers);
        rest.remove(name);
        return new Request(method, uri, rest, body);
    }

    /** The same request with another body. */
    public Request saying(String other) {
        return new Request(method, uri, headers, other);
    }

    /** The same request with that parameter added to its query. */
    public Request asking(String parameter) {
        String text = uri.toString();
        return to(URI.create(text + (text.contains("?") ? "&" : "?") + parameter));
    }

    /** The same request to another address. */
    public Request to(URI other) {
        return new Request(method, other, headers, body);
    }
}
