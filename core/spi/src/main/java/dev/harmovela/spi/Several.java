package dev.harmovela.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several kinds of credential side by side. */
record Several(List<Authenticator> schemes) implements Authenticator {

    Several {
        schemes = List.copyOf(schemes);
    }

    @Override
    public Verdict authenticate(Credentials credentials) {
        for (Authenticator scheme : schemes) {
            Verdict verdict = scheme.authenticate(credentials);
            if (!(verdict instanceof Verdict.NotMine)) {
                return verdict;
            }
        }
        boolean none = credentials.bearerToken() == null
                && credentials.clientCertificates().isEmpty();
        return new Verdict.Refused(none ? "missing_credential" : "unknown_credential");
    }

    /** A caller stands for as long as each scheme says so; those that do not know it return it as it is. */
    @Override
    public @Nullable Caller again(Caller held) {
        Caller now = held;
        for (Authenticator scheme : schemes) {
            now = now == null ? null : scheme.again(now);
        }
        return now;
    }
}
