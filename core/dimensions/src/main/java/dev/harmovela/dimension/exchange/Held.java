package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a tenant's requests: those under way, the last that ended, the versions targets have reached and
 * the answers kept. A register has one for what is written and one for what is not (D45).
 */
final class Held {

    /** So many that have ended are remembered. */
    static final int MOST_ENDED = 20_000;

    private static final int MOST_VERSIONS = 50_000;
    private static final long MOST_KEPT_BYTES = 8L << 20;

    private final LinkedHashMap<String, Exchange> open = new LinkedHashMap<>();
    private final LinkedHashMap<String, Exchange> ended = new LinkedHashMap<>();
    private final LinkedHashMap<String, Long> versions = new LinkedHashMap<>();
    private final LinkedHashMap<String, Snapshot> kept = new LinkedHashMap<>();
    private long keptBytes;

    /** What every version begins above that nobody remembers: none falls below one that was forgotten. */
    private long forgotten;

    boolean isEmpty() {
        return open.isEmpty() && ended.isEmpty() && versions.isEmpty() && kept.isEmpty() && forgotten == 0;
    }

    int countOpen() {
        return open.size();
    }

    Iterable<Exchange> open() {
        return open.values();
    }

    Iterable<Exchange> ended() {
        return ended.values();
    }

    @Nullable Exchange find(String key) {
        Exchange one = open.get(key);
        return one == null ? ended.get(key) : one;
    }

    long version(String target, String scope) {
        return versions.getOrDefault(name(target, scope), forgotten);
    }

    @Nullable Snapshot kept(String key) {
        return kept.get(key);
    }

    private static String name(String target, String scope) {
        return target + '\n' + scope;
    }

    // --- folding; each returns what is not held any more

    /** Holds a request as it is now; of those that have ended the oldest leave, by time and by number. */
    List<Exchange> set(Exchange exchange) {
        List<Exchange> gone = new ArrayList<>(unset(exchange.key()));
        if (exchange.open()) {
            open.put(exchange.key(), exchange);
            return gone;
        }
        ended.put(exchange.key(), exchange);
        long now = exchange.until() - Exchange.REMEMBERED_MS;
        while (ended.size() > MOST_ENDED || ended.firstEntry().getValue().until() <= now) {
            gone.add(ended.pollFirstEntry().getValue());
        }
        return gone;
    }

    List<Exchange> unset(String key) {
        Exchange before = open.remove(key);
        Exchange after = before == null ? ended.remove(key) : before;
        return after == null ? List.of() : List.of(after);
    }

    void version(String target, String scope, long number) {
        versions.putLast(name(target, scope), number);
        if (versions.size() > MOST_VERSIONS) {
            forgotten = Math.max(forgotten, versions.pollFirstEntry().getValue());
        }
    }

    void keep(Snapshot snapshot) {
        Snapshot before = kept.remove(snapshot.key());
        keptBytes -= before == null ? 0 : before.size();
        kept.put(snapshot.key(), snapshot);
        keptBytes += snapshot.size();
        while (keptBytes > MOST_KEPT_BYTES) {
            keptBytes -= kept.pollFirstEntry().getValue().size();
        }
    }

    void write(Out out) {
        out.varint(open.size());
        open.values().forEach(one -> one.write(out));
        out.varint(ended.size());
        ended.values().forEach(one -> one.write(out));
        out.varint(versions.size());
        for (Map.Entry<String, Long> one : versions.entrySet()) {
            out.string(one.getKey()).varint(one.getValue());
        }
        out.varint(forgotten);
        out.varint(kept.size());
        kept.values().forEach(one -> one.write(out));
    }

    /** The form in which those under way and those that have ended stood together. */
    static Held readFirstForm(In in) {
        Held held = new Held();
        for (int n = in.count(); n > 0; n--) {
            held.set(Exchange.read(in));
        }
        held.readVersions(in);
        held.readKept(in);
        return held;
    }

    private void readVersions(In in) {
        for (int n = in.count(); n > 0; n--) {
            versions.put(in.string(), in.varint());
        }
    }

    private void readKept(In in) {
        for (int n = in.count(); n > 0; n--) {
            keep(Snapshot.read(in));
        }
    }

    static Held read(In in) {
        Held held = new Held();
        for (int n = in.count(); n > 0; n--) {
            Exchange one = Exchange.read(in);
            held.open.put(one.key(), one);
        }
        for (int n = in.count(); n > 0; n--) {
            Exchange one = Exchange.read(in);
            held.ended.put(one.key(), one);
        }
        held.readVersions(in);
        held.forgotten = in.varint();
        held.readKept(in);
        return held;
    }
}
