package dev.harmovela.harness.frame;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.dimension.adaptation.Adaptation;
import dev.harmovela.dimension.compensation.Compensations;
import dev.harmovela.dimension.delegation.Delegations;
import dev.harmovela.dimension.event.SessionFact;
import dev.harmovela.dimension.event.SubscriptionFact;
import dev.harmovela.dimension.exchange.Exchanges;
import dev.harmovela.dimension.governance.GovernanceFact;
import dev.harmovela.dimension.interruption.Interruptions;
import dev.harmovela.dimension.knowledge.Knowledge;
import dev.harmovela.dimension.recovery.LetterFact;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.spi.FrameKeys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to bytes and back.
 *
 * <p>Layout: format, header, number of events with their records, number of facts with kind, version and body. An
 * unknown format or fact kind is refused by {@link UnknownFormat}: a newer hub wrote it, and guessing would corrupt
 * state. Reading is thread-safe, writing is for one thread.
 */
public final class FrameCodec implements FrameKeys {

    private static final int FORMAT = 2;
    private static final int WITHOUT_CREDENTIAL = 1;
    private static final int HEADER_TEXTS = 5;

    private final EventRegistry registry;
    private final Out body = new Out(4096);
    private final Out part = new Out(1024);
    private int[] recordEnds = new int[8];
    private int[] recordLengths = new int[8];

    public FrameCodec(EventRegistry registry) {
        this.registry = registry;
    }

    /** The log holds something this version does not know. */
    public static final class UnknownFormat extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownFormat(String what) {
            super(what + "; it was written by a newer version");
        }
    }

    /** Bytes of the frame, valid until the next call. */
    public Out write(Frame.Header header, List<Event> events, List<? extends Fact> facts) {
        body.clear();
        body.varint(FORMAT);
        body.varint(header.now());
        body.string(header.tenant()).string(header.principal()).string(header.transport());
        body.string(header.authority()).string(header.cause()).string(header.credential());
        body.varint(events.size());
        for (int i = 0; i < events.size(); i++) {
            part.clear();
            events.get(i).writeRecord(part);
            body.bytes(part.array(), 0, part.size());
            noteRecord(i, part.size());
        }
        body.varint(facts.size());
        for (int i = 0; i < facts.size(); i++) {
            Fact fact = facts.get(i);
            part.clear();
            fact.write(part);
            body.varint(fact.kind()).varint(fact.version()).bytes(part.array(), 0, part.size());
        }
        return body;
    }

    private void noteRecord(int i, int length) {
        if (i == recordLengths.length) {
            recordEnds = Arrays.copyOf(recordEnds, 2 * i);
            recordLengths = Arrays.copyOf(recordLengths, 2 * i);
        }
        recordEnds[i] = body.size();
        recordLengths[i] = length;
    }

    /** Where the record of the event at {@code i} begins in the frame written last. */
    public int recordOffset(int i) {
        return recordEnds[i] - recordLengths[i];
    }

    /** Bytes of the record of the event at {@code i} in the frame written last. */
    public int recordLength(int i) {
        return recordLengths[i];
    }

    /** Reads what {@link #write} wrote. */
    public Frame read(long firstLsn, ByteBuffer bytes) {
        In in = in(bytes);
        Frame.Header header = header(in);
        List<Event> events = new ArrayList<>();
        for (long n = in.varint(); n > 0; n--) {
            events.add(Event.readRecord(in.part(), registry));
        }
        return new Frame(firstLsn, header, events, facts(in));
    }

    private static List<Fact> facts(In in) {
        List<Fact> facts = new ArrayList<>();
        for (long n = in.varint(); n > 0; n--) {
            facts.add(fact(in));
        }
        return facts;
    }

    /** Reads the facts only; events are passed over. */
    public List<Fact> readFacts(ByteBuffer bytes) {
        In in = in(bytes);
        skipHeader(in);
        for (long n = in.varint(); n > 0; n--) {
            in.skip();
        }
        return facts(in);
    }

    /** Reads the events only; facts are passed over. */
    public List<Event> readEvents(ByteBuffer bytes) {
        In in = in(bytes);
        skipHeader(in);
        return readEvents(in);
    }

    /** Reads the header only. */
    public Frame.Header readHeader(ByteBuffer bytes) {
        return header(in(bytes));
    }

    private List<Event> readEvents(In in) {
        long count = in.varint();
        List<Event> events = new ArrayList<>((int) count);
        for (long n = count; n > 0; n--) {
            events.add(Event.readRecord(in.part(), registry));
        }
        return events;
    }

    /** Keys under which the log can be searched: event id, task and correlation of each event and each refusal. */
    @Override
    public void keys(ByteBuffer bytes, LongConsumer sink) {
        In in = in(bytes);
        skipHeader(in);
        for (Event event : readEvents(in)) {
            sink.accept(key("id", event.id()));
            accept(sink, "task", event.taskId());
            accept(sink, "correlation", event.correlationId());
        }
        for (long n = in.varint(); n > 0; n--) {
            int kind = (int) in.varint();
            int version = (int) in.varint();
            In part = in.part();
            if (kind == GovernanceFact.Denied.KIND
                    && GovernanceFact.read(kind, version, part) instanceof GovernanceFact.Denied denied) {
                acceptKnown(sink, "id", denied.what().eventId());
                acceptKnown(sink, "task", denied.what().taskId());
                acceptKnown(sink, "correlation", denied.what().correlationId());
            }
        }
    }

    @Override
    public byte[] withoutBodies(ByteBuffer bytes) {
        Frame frame = read(1, bytes);
        List<Event> events = frame.events().stream().map(Event::withoutPayload).toList();
        return new FrameCodec(registry)
                .write(frame.header(), events, frame.facts())
                .toByteArray();
    }

    private static void acceptKnown(LongConsumer sink, String what, String value) {
        accept(sink, what, value.isEmpty() ? null : value);
    }

    private static void accept(LongConsumer sink, String what, @Nullable String value) {
        if (value != null) {
            sink.accept(key(what, value));
        }
    }

    /** The search key of a value of one kind ({@code id}, {@code task}, {@code correlation}). */
    public static long key(String what, String value) {
        long hash = 0xcbf29ce484222325L;
        hash = mix(hash, what);
        return mix(hash ^ '\n', value);
    }

    private static long mix(long start, String text) {
        long hash = start;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash ^ hash >>> 29;
    }

    private static In in(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            return new In(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return new In(copy);
    }

    private static Frame.Header header(In in) {
        long format = requireFormat(in);
        return new Frame.Header(
                in.varint(),
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                format == WITHOUT_CREDENTIAL ? "" : in.string());
    }

    private static void skipHeader(In in) {
        long format = requireFormat(in);
        in.varint();
        for (int i = 0; i < (format == WITHOUT_CREDENTIAL ? HEADER_TEXTS : HEADER_TEXTS + 1); i++) {
            in.skip();
        }
    }

    private static long requireFormat(In in) {
        long format = in.varint();
        if (format != FORMAT && format != WITHOUT_CREDENTIAL) {
            throw new UnknownFormat("frame format " + format);
        }
        return format;
    }

    private static Fact fact(In in) {
        int kind = (int) in.varint();
        int version = (int) in.varint();
        In body = in.part();
        Fact fact = version > newest(kind) ? null : byKind(kind, version, body);
        if (fact == null) {
            throw new UnknownFormat("fact kind " + kind + " version " + version);
        }
        return fact;
    }

    private static int newest(int kind) {
        return switch (kind) {
            case RecoveryFact.Settled.KIND -> RecoveryFact.Settled.VERSION;
            case RecoveryFact.Failed.KIND -> RecoveryFact.Failed.VERSION;
            case RecoveryFact.Gap.KIND -> RecoveryFact.Gap.VERSION;
            default -> 1;
        };
    }

    private static @Nullable Fact byKind(int kind, int version, In in) {
        return switch (kind / 100) {
            case 0 -> ofTheHub(kind, in);
            case 1 -> kind < 120 ? SessionFact.read(kind, version, in) : SubscriptionFact.read(kind, version, in);
            case 2 -> kind < 240 ? RecoveryFact.read(kind, version, in) : LetterFact.read(kind, version, in);
            case 3 -> Tasks.read(kind, version, in);
            case 5 -> GovernanceFact.read(kind, version, in);
            case 6 -> Delegations.read(kind, version, in);
            case 7 -> Exchanges.read(kind, version, in);
            case 8 -> semantic(kind, version, in);
            case 9 -> Adaptation.read(kind, version, in);
            default -> null;
        };
    }

    private static @Nullable Fact ofTheHub(int kind, In in) {
        return switch (kind) {
            case Trimmed.KIND -> new Trimmed(in.varint());
            case AsSent.KIND -> new AsSent(in.varint(), in.i64());
            default -> HubStarted.read(kind, in);
        };
    }

    private static @Nullable Fact semantic(int kind, int version, In in) {
        return switch (kind / 10) {
            case 80, 81, 82 -> Knowledge.read(kind, version, in);
            case 83 -> Interruptions.read(kind, version, in);
            case 84 -> Compensations.read(kind, version, in);
            default -> null;
        };
    }
}
