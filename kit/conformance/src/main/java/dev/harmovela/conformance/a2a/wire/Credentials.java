package dev.harmovela.conformance.a2a.wire;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the kit logs in. Later members win over earlier ones where both set a header.
 *
 * @param headers sent with every request
 * @param bearer token for {@code Authorization: Bearer}
 * @param apiKey key and its value
 * @param client for the client credentials flow of OAuth 2
 */
public record Credentials(
        Map<String, String> headers,
        @Nullable String bearer,
        @Nullable Named apiKey,
        @Nullable Named client) {

    /** None at all. */
    public static final Credentials NONE = new Credentials(Map.of(), null, null, null);

    /**
     * A name and its secret.
     *
     * @param name of the key or the client
     * @param value never shown
     */
    public record Named(String name, String value) {

        @Override
        public String toString() {
            return name + ":***";
        }
    }

    public Credentials {
        headers = Map.copyOf(headers);
    }

    /** Whether there is anything to log in with. */
    public boolean any() {
        return !headers.isEmpty() || bearer != null || apiKey != null || client != null;
    }

    /** The secrets in it. */
    public Secrets secrets() {
        Secrets secrets = new Secrets();
        secrets.addAll(headers.values());
        secrets.add(bearer);
        secrets.add(apiKey == null ? null : apiKey.value());
        secrets.add(client == null ? null : client.value());
        return secrets;
    }

    /** The same with another bearer token. */
    public Credentials withBearer(@Nullable String token) {
        return new Credentials(headers, token, apiKey, client);
    }

    /** Headers that carry the credentials, an API key as a header. */
    public Map<String, String> asHeaders() {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        if (apiKey != null) {
            all.put(apiKey.name(), apiKey.value());
        }
        if (bearer != null) {
            all.put("Authorization", "Bearer " + bearer);
        }
        return all;
    }

    @Override
    public String toString() {
        return "Credentials[hidden]";
    }
}
