package dev.harmovela.harness;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.Letter;
import dev.harmovela.dimension.recovery.LetterFact;
import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.Frame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores bodies again that are still referred to, so that the log can let go of their old places (core rule:
 * retention): those of dead letters, and the submissions of live tasks. What was stored again goes to nobody, except
 * the submission of a task whose target has not taken it and loses its old copy with the gap that follows.
 */
final class Carrying {

    private static final int AT_ONCE = 200;
    private static final long BYTES_AT_ONCE = 1 << 20;

    private final Shard shard;
    private final LogReader reader;

    Carrying(Shard shard) {
        this.shard = shard;
        this.reader = new LogReader(shard);
    }

    /** A body that somebody needs, and what becomes of it. */
    private interface Needed {

        long lsn();

        void carry(@Nullable Event event, long inboxesLose);
    }

    /** What happens after a few bodies were stored again. */
    interface Done {

        void carried();

        /** The log could not be read: nothing of it may go. */
        void failed(IOException cause);
    }

    /**
     * Stores a few of the bodies before {@code lsn} again.
     *
     * @param inboxesLose position before which every inbox is about to be given up
     * @return whether there are any; then {@code done} is told later, on the owner
     */
    boolean carry(long lsn, long inboxesLose, Done done) {
        List<Needed> needed = neededBefore(lsn);
        if (needed.isEmpty()) {
            return false;
        }
        long[] places = needed.stream().mapToLong(Needed::lsn).toArray();
        shard.hub.reading().execute(() -> {
            try {
                List<@Nullable Event> found = reader.findAll(places, BYTES_AT_ONCE);
                shard.hub.onOwner(shard, () -> {
                    for (int i = 0; i < found.size(); i++) {
                        needed.get(i).carry(found.get(i), inboxesLose);
                    }
                    done.carried();
                });
            } catch (IOException e) {
                shard.hub.onOwner(shard, () -> done.failed(e));
            }
        });
        return true;
    }

    /** First position that a letter or a live task still needs. */
    long floorLsn() {
        long floor = shard.state.tasks.bodyFloor();
        for (Letter letter : shard.state.letters.all()) {
            floor = Math.min(floor, letter.lsn());
        }
        return floor;
    }

    private List<Needed> neededBefore(long lsn) {
        List<Needed> needed = new ArrayList<>();
        for (Letter letter : shard.state.letters.all()) {
            if (needed.size() < AT_ONCE && letter.lsn() < lsn) {
                needed.add(new OfLetter(letter));
            }
        }
        for (Tasks.Body body : shard.state.tasks.bodiesBelow(lsn, AT_ONCE - needed.size())) {
            needed.add(new OfTask(body));
        }
        needed.sort(Comparator.comparingLong(Needed::lsn));
        return needed;
    }

    private void store(String tenant, @Nullable Event event, Fact fact) {
        Frame.Header header = Frame.Header.hub(shard.now(), tenant, Replies.HUB, "carry");
        shard.append(header, event == null ? List.of() : List.of(event), List.of(fact));
    }

    private Event again(Event event, String subscription, long from, int replays) {
        DeliveryAsk.Again again =
                new DeliveryAsk.Again(subscription, shard.replies.cursor(from), replays, new Json.Arr(List.of()));
        return event.under(event.delivery().again(again));
    }

    private final class OfLetter implements Needed {

        private final Letter letter;

        OfLetter(Letter letter) {
            this.letter = letter;
        }

        @Override
        public long lsn() {
            return letter.lsn();
        }

        @Override
        public void carry(@Nullable Event event, long inboxesLose) {
            Letter now = shard.state.letters.find(letter.id());
            if (now == null || now.lsn() != letter.lsn()) {
                return;
            }
            if (event == null) {
                store(letter.tenant(), null, new LetterFact.Removed(letter.id(), "event is gone"));
                return;
            }
            long to = shard.nextLsn();
            store(
                    letter.tenant(),
                    again(event, "", letter.lsn(), letter.replays()),
                    new LetterFact.Carried(letter.id(), to));
        }
    }

    private final class OfTask implements Needed {

        private final Tasks.Body body;

        OfTask(Tasks.Body body) {
            this.body = body;
        }

        @Override
        public long lsn() {
            return body.lsn();
        }

        @Override
        public void carry(@Nullable Event event, long inboxesLose) {
            Tasks.Body now = shard.state.tasks.body(body.tenant(), body.taskId());
            if (now == null || now.lsn() != body.lsn()) {
                return;
            }
            if (event == null) {
                store(body.tenant(), null, shard.state.tasks.carried(now, 0));
                return;
            }
            String receiver = receiver(now, event, inboxesLose);
            long to = shard.nextLsn();
            store(body.tenant(), again(event, receiver, body.lsn(), 0), shard.state.tasks.carried(now, to));
        }

        /** The inbox that loses this assignment before its owner took it, or nobody. */
        private String receiver(Tasks.Body now, Event event, long inboxesLose) {
            DeliveryAsk.Again before = event.delivery().again();
            boolean handled = before != null && before.subscription().isEmpty();
            String target = now.waitsFor();
            if (target == null || handled || now.lsn() >= inboxesLose) {
                return "";
            }
            Feed inbox = shard.feeds.get(Subscription.inboxId(now.tenant(), target));
            if (inbox != null) {
                // what its receiver has acknowledged a moment ago is no longer open
                inbox.settling().flush();
            }
            Position position = inbox == null ? null : inbox.route().position();
            boolean open = position != null && position.floorLsn() < now.lsn() && !position.isSkipped(now.lsn());
            return open && inbox != null ? inbox.id() : "";
        }
    }
}
