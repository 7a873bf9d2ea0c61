package dev.harmovela.spi;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says who is behind a request. Called on event loops, also on several at once, so it must neither
 * block nor depend on one thread.
 */
@FunctionalInterface
public interface Authenticator {

    /** Who that is. Has no side effects and throws nothing, whatever it is given. */
    Verdict authenticate(Credentials credentials);

    /**
     * Who the holder of the same credential is by now, after what grants rights has changed.
     *
     * @param held what {@link #authenticate} answered before
     * @return the same or another caller, or null when the credential is none any more
     */
    default @Nullable Caller again(Caller held) {
        return held;
    }

    /**
     * What came with a request.
     *
     * @param bearerToken what the {@code Authorization: Bearer} header carried, or null; never to be logged
     * @param clientCertificates the chain the client proved at the TLS handshake, its own first; empty without one
     */
    record Credentials(@Nullable String bearerToken, List<X509Certificate> clientCertificates) {

        /** A request without any. */
        public static final Credentials NONE = new Credentials(null, List.of());

        private static final String BEARER = "bearer ";

        public Credentials {
            clientCertificates = List.copyOf(clientCertificates);
        }

        /**
         * What an {@code Authorization} header carries beside a chain of certificates; schemes other than bearer count
         * as nothing.
         */
        public static Credentials of(@Nullable String authorization, List<X509Certificate> clientCertificates) {
            String token = null;
            if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
                token = authorization.substring(BEARER.length()).trim();
            }
            return new Credentials(token, clientCertificates);
        }

        /** Says only what there is, so that no secret reaches a log. */
        @Override
        public String toString() {
            return "Credentials[bearerToken=" + (bearerToken == null ? "none" : "given") + ", clientCertificates="
                    + clientCertificates.size() + "]";
        }
    }

    /** What an authenticator says. */
    sealed interface Verdict {

        /** That is who it is. */
        record Known(Caller caller) implements Verdict {}

        /**
         * Nobody: answered 401.
         *
         * @param reason for the audit, never for the client: {@code missing_credential}, {@code unknown_token}, {@code
         *     expired_token} …
         */
        record Refused(String reason) implements Verdict {}

        /** This is no credential of the kind it knows: another authenticator may know it. */
        record NotMine() implements Verdict {}
    }

    /** Lets anybody in who reaches the port: a development hub on loopback. */
    static Authenticator open() {
        return _ -> new Verdict.Known(Caller.open());
    }

    /** Asks several, in their order: the first that knows the kind of credential decides. */
    static Authenticator anyOf(List<Authenticator> schemes) {
        return new Several(schemes);
    }
}
