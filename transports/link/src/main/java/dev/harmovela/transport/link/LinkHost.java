package dev.harmovela.transport.link;

import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.Hub;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where links live.
 *
 * @param hub the hub
 * @param identity what brokers are told of it
 * @param grants what a link may do: the actions and scopes of its roles
 */
public record LinkHost(Hub hub, HubIdentity identity, Function<LinkSettings, List<String>> grants) {

    /** Who the audit names behind a link. */
    static final String CREDENTIAL = "link:";

    /**
     * Somebody behind a link.
     *
     * @param identity who it is, null for whoever a link speaks for
     */
    Caller caller(LinkSettings link, @Nullable String identity) {
        Credential credential = new Credential(
                CREDENTIAL + link.name(),
                link.roles(),
                grants.apply(link),
                identity == null ? link.speaksFor() : List.of(),
                Long.MAX_VALUE);
        return new Caller(identity, link.tenant(), Caller.Trust.VERIFIED, credential);
    }
}
