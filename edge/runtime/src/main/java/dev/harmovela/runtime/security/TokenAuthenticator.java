package dev.harmovela.runtime.security;

import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Knows the bearer tokens of a security file. What holds may be exchanged at any time, by any thread. */
public final class TokenAuthenticator implements Authenticator {

    private static final String NAME = "token:";
    private static final int LONGEST = 256;

    private final LongSupplier clock;
    private volatile Tokens known = new Tokens(Map.of(), Map.of());

    private record Tokens(Map<String, Caller> byHash, Map<String, Caller> byName) {}

    /** @param clock epoch milliseconds */
    public TokenAuthenticator(LongSupplier clock) {
        this.clock = clock;
    }

    /** From now on the tokens of this file hold, and no others. */
    public void use(SecurityFile file) {
        Map<String, Caller> byHash = new HashMap<>();
        Map<String, Caller> byName = new HashMap<>();
        for (Token token : file.tokens().values()) {
            Caller caller = file.callerOf(token);
            byHash.put(token.sha256(), caller);
            byName.put(caller.credential().name(), caller);
        }
        known = new Tokens(byHash, byName);
    }

    @Override
    public Verdict authenticate(Credentials credentials) {
        String token = credentials.bearerToken();
        if (token == null || !token.startsWith(Secrets.PREFIX)) {
            return new Verdict.NotMine();
        }
        // a hash is looked up, so that the time it takes tells nothing about secrets that would be right
        Caller caller = token.length() > LONGEST ? null : known.byHash().get(Secrets.hash(token));
        if (caller == null) {
            return new Verdict.Refused("unknown_token");
        }
        return isOver(caller) ? new Verdict.Refused("expired_token") : new Verdict.Known(caller);
    }

    @Override
    public @Nullable Caller again(Caller held) {
        if (!held.credential().name().startsWith(NAME)) {
            return held;
        }
        Caller now = known.byName().get(held.credential().name());
        return now == null || isOver(now) ? null : now;
    }

    private boolean isOver(Caller caller) {
        return caller.credential().expiresAt() <= clock.getAsLong();
    }
}
