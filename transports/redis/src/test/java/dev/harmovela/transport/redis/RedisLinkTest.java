package dev.harmovela.transport.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.testkit.link.BrokerFixture;
import dev.harmovela.testkit.link.Events;
import dev.harmovela.testkit.link.LinkContract;
import dev.harmovela.transport.link.LinkFigures;
import io.lettuce.core.Consumer;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

    /** TRN-10: entries whose bodies were trimmed away while they were in hand are settled once and told as lost. */
    @Test
    void trimmedEntriesAreToldAsLostOnce() throws Exception {
        RedisCommands<String, byte[]> stranger =
                ((RedisFixture) fixture()).stranger().sync();
        String group = "aep-hub-hub1-one";
        stranger.xgroupCreate(
                XReadArgs.StreamOffset.from("aep.events", "0"), group, XGroupCreateArgs.Builder.mkstream(true));
        for (int i = 0; i < 20; i++) {
            byte[] event = Events.of("task.submitted", "agent:x", "{}", "\"task_id\":\"t" + i + "\"")
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
            fixture().put("aep.events", event, Map.of());
        }
        assertThat(stranger.xreadgroup(Consumer.from(group, "hub"), XReadArgs.StreamOffset.lastConsumed("aep.events")))
                .hasSize(20);
        stranger.xtrim("aep.events", false, 10);
        LinkFigures figures = link("");
        until("nothing is pending", () -> stranger.xpending("aep.events", group).getCount() == 0);
        assertThat(figures.lostTotal()).isEqualTo(10);
        for (int i = 0; i < 20; i++) {
            assertThat(live().ask("task", "t" + i).has("state")).as("t" + i).isEqualTo(i >= 10);
        }
        assertThat(live().list("dead_letters")).hasSize(10);
    }

    /** D36: the prefix of another hub that is at work is refused. */
    @Test
    void aForeignClaimIsRespected() {
        ((RedisFixture) fixture())
                .stranger()
                .sync()
                .psetex("aep.claim", 3_000, "hub9 other default".getBytes(StandardCharsets.UTF_8));
        long begun = System.nanoTime();
        link("");
        assertThat(System.nanoTime() - begun).isGreaterThan(2_000_000_000L);
    }
}
