package dev.harmovela.client;

import java.net.http.HttpClient;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Makes the HTTP client that everything here uses. */
final class Https {

    private Https() {}

    /**
     * A client of its own.
     *
     * @param tls whom to believe and what to show, or null for what the platform believes
     */
    static HttpClient client(@Nullable Duration timeout, @Nullable SSLContext tls) {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (timeout != null) {
            builder.connectTimeout(timeout);
        }
        if (tls != null) {
            builder.sslContext(tls);
        }
        return builder.build();
    }
}
