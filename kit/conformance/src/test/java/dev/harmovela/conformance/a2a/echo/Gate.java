package dev.harmovela.conformance.a2a.echo;

/** What every request has to get past: credentials, version, extensions. */
final class Gate {

    static final String TOKEN = "good-token-of-the-kit";

    void login(Asked http, Faults faults) throws Refusal {
        if (!faults.has("login")) {
            return;
        }
        String given = http.header("Authorization");
        boolean right = ("Bearer " + TOKEN).equals(given)
                || (faults.has("key-in-query") && TOKEN.equals(http.query("key")))
                || (given == null && faults.has("security.anonymous"))
                || (given != null && faults.has("security.any-token"))
                || faults.has("security.extended-open") && http.path().contains("extendedAgentCard");
        if (!right) {
            throw Refusal.of("UNAUTHENTICATED");
        }
    }

    void challenge(Asked http, Refusal refusal, Faults faults) {
        if (refusal.http == 401 && !faults.has("security.no-challenge")) {
            http.set("WWW-Authenticate", "Bearer");
        }
        if (faults.has("security.echo") && http.header("Authorization") != null) {
            http.set("X-Seen", String.valueOf(http.header("Authorization")));
        }
    }

    void version(Asked http, String served, Faults faults) throws Refusal {
        String version = http.version(faults);
        boolean given = http.header("A2A-Version") != null || http.query("A2A-Version") != null;
        boolean right = version.equals(served)
                || (version.startsWith(served + ".") && !faults.has("headers.patch-refused"))
                || (version.equals("99.0") && faults.has("headers.any-version"))
                || (version.contains(",") && faults.has("headers.list"))
                || (!given && faults.has("headers.missing-served"));
        if (!right) {
            throw Refusal.of("VERSION_NOT_SUPPORTED");
        }
    }

    void extensions(Asked http, Faults faults) throws Refusal {
        String named = http.header("A2A-Extensions");
        boolean lacks = named == null || !named.contains("urn:echo:must");
        if (faults.has("required-extension") && lacks && !faults.has("headers.required-ignored")) {
            throw Refusal.of("EXTENSION_SUPPORT_REQUIRED");
        }
        if (named != null && named.contains("unknown") && faults.has("headers.unknown-refused")) {
            throw Refusal.of("INVALID_PARAMS");
        }
    }
}
