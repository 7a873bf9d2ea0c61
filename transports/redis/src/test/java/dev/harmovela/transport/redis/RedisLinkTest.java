package dev.harmovela.transport.redis;

import dev.harmovela.testkit.link.BrokerFixture;
import dev.harmovela.testkit.link.LinkContract;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Links to Redis Streams, against redis-server. */
@Tag("proc")
class RedisLinkTest extends LinkContract {

    @Override
    protected BrokerFixture broker(Path home) {
        return new RedisFixture(home);
    }

    @Override
    protected @Nullable String missing() {
        return RedisFixture.PROGRAM == null ? "there is no redis-server on this machine" : null;
    }
}
