package dev.harmovela.transport.redis;

import dev.harmovela.transport.link.BrokerSession;
import dev.harmovela.transport.link.Headers;
import dev.harmovela.transport.link.HubIdentity;
import dev.harmovela.transport.link.Inbound;
import dev.harmovela.transport.link.LinkFailed;
import dev.harmovela.transport.link.LinkMode;
import dev.harmovela.transport.link.LinkSettings;
import dev.harmovela.transport.link.Outbound;
import dev.harmovela.transport.link.Routing;
import dev.harmovela.transport.link.WriteRefused;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.SetArgs;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Two connections to Redis: one reads and settles, one writes. */
final class RedisSession implements BrokerSession {

    private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
    private static final long BEST_EFFORT_KEPT = 10_000;
    private static final long CLAIM_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long DISCOVER_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LEASE_MILLIS = 30_000;

    private final RedisClient client;
    private final LinkSettings settings;
    private final String group;
    private final String claim;
    private final boolean create;
    private final StatefulRedisConnection<String, byte[]> reading;
    private final StatefulRedisConnection<String, byte[]> writing;
    private final Replies replies;
    private final Map<String, KeyReader> keys = new LinkedHashMap<>();
    private long discoveredAt;

    private RedisSession(RedisClient client, LinkSettings settings, HubIdentity hub) {
        this.client = client;
        this.settings = settings;
        this.group = hub.group(settings);
        this.claim = hub.id() + " " + settings.name() + " " + settings.tenant();
        this.create = settings.create() || hub.mayCreate();
        this.reading = client.connect(CODEC);
        this.writing = client.connect(CODEC);
        this.writing.setAutoFlushCommands(false);
        this.replies = new Replies(reading);
    }

    static RedisSession open(RedisClient client, LinkSettings settings, HubIdentity hub)
            throws LinkFailed, InterruptedException {
        RedisSession session = new RedisSession(client, settings, hub);
        session.claim();
        session.discover();
        return session;
    }

    // --- whose the prefix is

    private String claimKey() {
        return settings.prefix() + ".claim";
    }

    /**
     * One prefix belongs to one hub and one link (D36); the claim is a lease, so that a hub that is gone for good
     * frees it.
     */
    private void claim() throws LinkFailed, InterruptedException {
        if (settings.mode() == LinkMode.IMPORT) {
            return;
        }
        byte[] mine = claim.getBytes(StandardCharsets.UTF_8);
        String set = replies.await(
                reading.async().set(claimKey(), mine, SetArgs.Builder.nx().px(LEASE_MILLIS)));
        if (set != null) {
            return;
        }
        byte[] holder = replies.await(reading.async().get(claimKey()));
        if (holder != null && !claim.equals(new String(holder, StandardCharsets.UTF_8))) {
            String[] who = new String(holder, StandardCharsets.UTF_8).split(" ", -1);
            throw new LinkFailed(
                    "the prefix " + settings.prefix() + " belongs to the link " + (who.length > 1 ? who[1] : "?")
                            + " of the hub " + who[0],
                    null);
        }
        replies.await(reading.async().set(claimKey(), mine, SetArgs.Builder.px(LEASE_MILLIS)));
    }

    // --- reading

    /** Finds the keys that peers write to. */
    private void discover() throws LinkFailed, InterruptedException {
        discoveredAt = System.nanoTime();
        if (!settings.mode().reads()) {
            return;
        }
        if (settings.routing() == Routing.SINGLE) {
            follow(settings.names().events(), create);
            return;
        }
        ScanCursor cursor = ScanCursor.INITIAL;
        KeyScanArgs wanted =
                KeyScanArgs.Builder.matches(glob(settings.prefix()) + ".*").type("stream");
        do {
            KeyScanCursor<String> page = replies.await(reading.async().scan(cursor, wanted.limit(1000)));
            for (String key : page.getKeys()) {
                if (!settings.names().isOutbound(key)) {
                    follow(key, false);
                }
            }
            cursor = page;
        } while (!cursor.isFinished());
    }

    private static String glob(String prefix) {
        return prefix.replaceAll("([*?\\[\\]\\\\])", "\\\\$1");
    }

    private void follow(String key, boolean make) throws LinkFailed, InterruptedException {
        if (keys.containsKey(key)) {
            return;
        }
        try {
            replies.await(reading.async()
                    .xgroupCreate(
                            XReadArgs.StreamOffset.from(key, "0"), group, XGroupCreateArgs.Builder.mkstream(make)));
        } catch (LinkFailed failed) {
            String why = String.valueOf(failed.getMessage());
            if (why.contains("requires the key to exist")) {
                throw new LinkFailed("the key " + key + " does not exist, and the link may not create it", failed);
            }
            if (!why.contains("BUSYGROUP")) {
                throw failed;
            }
        }
        keys.put(key, new KeyReader(replies, key, group));
    }

    @Override
    public List<Inbound> read(int most, long waitMillis) throws LinkFailed, InterruptedException {
        if (settings.routing() == Routing.MAPPED && System.nanoTime() - discoveredAt > DISCOVER_NANOS) {
            discover();
        }
        for (KeyReader key : keys.values()) {
            List<Inbound> kept = key.unfinished(most);
            if (kept.isEmpty()) {
                kept = key.abandoned(most, CLAIM_NANOS);
            }
            if (!kept.isEmpty()) {
                return kept;
            }
        }
        if (keys.isEmpty()) {
            Thread.sleep(waitMillis);
            return List.of();
        }
        return replies.fresh(List.copyOf(keys.keySet()), group, most, waitMillis);
    }

    @Override
    public void settle(List<Inbound> done) throws LinkFailed, InterruptedException {
        Map<String, List<String>> byKey = new LinkedHashMap<>();
        done.forEach(one ->
                byKey.computeIfAbsent(one.place(), _ -> new ArrayList<>()).add(one.position()));
        for (Map.Entry<String, List<String>> entry : byKey.entrySet()) {
            replies.await(
                    reading.async().xack(entry.getKey(), group, entry.getValue().toArray(String[]::new)));
        }
    }

    @Override
    public void idle(long waitMillis) throws LinkFailed, InterruptedException {
        if (waitMillis > 0) {
            Thread.sleep(waitMillis);
        }
        replies.await(reading.async().ping());
    }

    @Override
    public long lag() throws LinkFailed, InterruptedException {
        claim();
        long lag = 0;
        for (String key : keys.keySet()) {
            lag += replies.lag(key, group);
        }
        return lag;
    }

    // --- writing

    @Override
    public List<CompletableFuture<Void>> write(List<Outbound> messages) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Outbound message : messages) {
            Map<String, byte[]> fields = new LinkedHashMap<>();
            fields.put(Headers.BODY, message.body());
            message.headers().forEach((name, value) -> fields.put(name, value.getBytes(StandardCharsets.UTF_8)));
            XAddArgs args = new XAddArgs();
            String key = message.place();
            if (message.bestEffort()) {
                key = key + ".best_effort";
                args.maxlen(BEST_EFFORT_KEPT).approximateTrimming();
            }
            CompletableFuture<Void> written = writing.async()
                    .xadd(key, args, fields)
                    .toCompletableFuture()
                    .<Void>thenApply(_ -> null)
                    .exceptionally(RedisSession::refusal);
            all.add(written);
        }
        writing.flushCommands();
        return all;
    }

    /** What will never be taken is told from what may be taken later. */
    private static Void refusal(Throwable failed) {
        Throwable cause = failed instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failed;
        String why = String.valueOf(cause.getMessage());
        boolean forbidden = why.startsWith("NOPERM") || why.startsWith("WRONGTYPE");
        boolean tooLarge = why.contains("exceeds maximum") || why.contains("too big");
        if (cause instanceof RedisCommandExecutionException && (forbidden || tooLarge)) {
            throw new CompletionException(new WriteRefused(why, tooLarge));
        }
        throw new CompletionException(cause);
    }

    @Override
    public void close() {
        var _ = client.shutdownAsync(0, 1, TimeUnit.SECONDS);
    }
}
