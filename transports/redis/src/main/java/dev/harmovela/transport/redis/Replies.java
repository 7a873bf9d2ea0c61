package dev.harmovela.transport.redis;

import dev.harmovela.transport.link.Headers;
import dev.harmovela.transport.link.Inbound;
import dev.harmovela.transport.link.LinkFailed;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks Redis and waits for what it says. One thread. */
final class Replies {

    /** Name of the hub's reader in its group; there is one. */
    static final String READER = "hub";

    private static final long PATIENCE_SECONDS = 12;

    private final StatefulRedisConnection<String, byte[]> connection;

    Replies(StatefulRedisConnection<String, byte[]> connection) {
        this.connection = connection;
    }

    <T extends @Nullable Object> T await(RedisFuture<T> reply) throws LinkFailed, InterruptedException {
        try {
            return reply.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw LinkFailed.because("Redis", failed);
        } catch (TimeoutException | RedisException failed) {
            throw LinkFailed.because("Redis does not answer", failed);
        }
    }

    /** Entries that no reader of the group has seen. */
    List<Inbound> fresh(List<String> keys, String group, int most, long waitMillis)
            throws LinkFailed, InterruptedException {
        return read(keys, ">", group, XReadArgs.Builder.count(most).block(Math.max(1, waitMillis)));
    }

    /** Entries behind {@code after} that this reader has seen and not settled. */
    List<Inbound> seen(String key, String after, String group, int most) throws LinkFailed, InterruptedException {
        return read(List.of(key), after, group, XReadArgs.Builder.count(most));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private List<Inbound> read(List<String> keys, String from, String group, XReadArgs args)
            throws LinkFailed, InterruptedException {
        XReadArgs.StreamOffset<String>[] offsets = new XReadArgs.StreamOffset[keys.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = XReadArgs.StreamOffset.from(keys.get(i), from);
        }
        List<StreamMessage<String, byte[]>> entries =
                await(connection.async().xreadgroup(Consumer.from(group, READER), args, offsets));
        List<Inbound> some = new ArrayList<>();
        for (StreamMessage<String, byte[]> entry : entries) {
            some.add(entry(entry.getStream(), entry.getId(), entry.getBody()));
        }
        return some;
    }

    /** One page of a scan for entries that somebody has let lie: where the next page begins, and what was found. */
    record Page(String next, List<Inbound> found) {}

    Page claim(String key, String group, String from, long idleMillis, int most)
            throws LinkFailed, InterruptedException {
        RedisCodec<String, byte[]> codec = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
        CommandArgs<String, byte[]> args = new CommandArgs<>(codec)
                .addKey(key)
                .add(group)
                .add(READER)
                .add(idleMillis)
                .add(from)
                .add("COUNT")
                .add(most);
        List<Object> answer =
                await(connection.async().dispatch(CommandType.XAUTOCLAIM, new NestedMultiOutput<>(codec), args));
        List<Inbound> found = new ArrayList<>();
        for (Object entry : list(answer.get(1))) {
            List<?> parts = list(entry);
            if (parts.size() == 2) {
                found.add(entry(key, text(parts.get(0)), fields(list(parts.get(1)))));
            }
        }
        for (Object deleted : answer.size() > 2 ? list(answer.get(2)) : List.of()) {
            found.add(entry(key, text(deleted), null));
        }
        return new Page(text(answer.getFirst()), found);
    }

    /** Entries that the group has not read or not settled. */
    long lag(String key, String group) throws LinkFailed, InterruptedException {
        for (Object row : await(connection.async().xinfoGroups(key))) {
            Map<String, Object> named = new LinkedHashMap<>();
            List<?> parts = list(row);
            for (int i = 0; i + 1 < parts.size(); i += 2) {
                named.put(text(parts.get(i)), parts.get(i + 1));
            }
            if (group.equals(text(named.get("name")))) {
                return number(named.get("lag")) + number(named.get("pending"));
            }
        }
        throw new LinkFailed("the group " + group + " of " + key + " is gone", null);
    }

    private static Inbound entry(String key, String id, @Nullable Map<String, byte[]> fields) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (fields == null || fields.isEmpty()) {
            return Inbound.lost(key, 0, id, headers);
        }
        byte[] body = new byte[0];
        for (Map.Entry<String, byte[]> field : fields.entrySet()) {
            if (field.getKey().equals(Headers.BODY)) {
                body = field.getValue();
            } else if (field.getKey().startsWith("aep-")) {
                headers.put(field.getKey(), new String(field.getValue(), StandardCharsets.UTF_8));
            }
        }
        return new Inbound(key, 0, id, body, headers, null, null);
    }

    private static Map<String, byte[]> fields(List<?> parts) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            fields.put(text(parts.get(i)), (byte[]) parts.get(i + 1));
        }
        return fields;
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> some ? some : List.of();
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(value);
    }

    private static long number(@Nullable Object value) {
        return value instanceof Long number ? number : 0;
    }
}
