package dev.harmovela.dimension.task;

import static dev.harmovela.dimension.task.Desk.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Event;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Decision.Store;
import dev.harmovela.dimension.task.TaskPolicy.Orphans;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Trees of tasks coming to their end (§5, D31). */
class CascadeTest {

    private Desk desk = Desk.network();

    @AfterEach
    void stateIsTheFoldOfItsFacts() {
        desk.assertFoldsTheSame();
    }

    /** t1 above t2 above t3, submitted by agent:a; each owned by the agent of its number when {@code owned}. */
    private void chain(boolean owned) {
        desk.submit("agent:a", "t1");
        desk.child("agent:a", "t2", "t1");
        desk.child("agent:a", "t3", "t2");
        if (owned) {
            for (int i = 1; i <= 3; i++) {
                desk.start("agent:" + i, "t" + i);
            }
        }
    }

    private List<String> said(Decision decision) {
        return decision.after().stream()
                .map(event -> event.type().name().substring(5) + " " + event.taskId())
                .toList();
    }

    /** DLG-06: nobody has to be asked: the whole chain ends in one frame, deepest first, the root last. */
    @Test
    void chainWithoutOwnersEndsAtOnce() {
        chain(false);
        Decision decision = accepted(desk.send("cancel.requested", "agent:a", "t1"));
        assertThat(said(decision)).containsExactly("cancelled t3", "cancelled t2", "cancelled t1");
        String cause = desk.last("cancel.requested", "t1").event().id();
        assertThat(decision.after()).extracting(Event::causationId).containsOnly(cause);
        assertThat(decision.after()).extracting(Event::parentTaskId).containsExactly("t2", "t1", null);
        assertThat(desk.tasks.nextDeadline()).isGreaterThan(desk.now + 60_000);
    }

    /** DLG-06: owners are asked, deepest first; each confirms; the root's end comes last. */
    @Test
    void ownersAreAskedAndTheRootEndsLast() {
        chain(true);
        Decision decision = accepted(desk.send("cancel.requested", "agent:a", "t1"));
        assertThat(decision.routeTo()).isEqualTo("agent:1");
        assertThat(said(decision)).containsExactly("cancel.requested t3", "cancel.requested t2");
        assertThat(decision.after()).extracting(Event::target).containsExactly("agent:3", "agent:2");
        String cause = desk.last("cancel.requested", "t1").event().id();
        assertThat(decision.after()).extracting(Event::causationId).containsOnly(cause);

        Decision root = accepted(desk.send("cancelled", "agent:1", "t1"));
        assertThat(root.store()).as("the hub ends the root, last").isEqualTo(Store.DROP);
        assertThat(root.after()).isEmpty();
        Decision leaf = accepted(desk.send("cancelled", "agent:3", "t3"));
        assertThat(leaf.store()).isEqualTo(Store.STORE);
        assertThat(leaf.after()).isEmpty();
        Decision middle = accepted(desk.send("cancelled", "agent:2", "t2"));
        assertThat(said(middle)).containsExactly("cancelled t1");
        assertThat(middle.after().getFirst().causationId()).isEqualTo(cause);
        assertThat(desk.send("cancelled", "agent:1", "t1").duplicate()).isTrue();
        assertThat(desk.fire()).isEmpty();
    }

    /** DLG-06: a child that does not stop is ended after the grace, deepest first. */
    @Test
    void silentOwnersAreForcedDeepestFirst() {
        chain(true);
        accepted(desk.send("cancel.requested", "agent:a", "t1"));
        accepted(desk.send("cancelled", "agent:2", "t2"));
        assertThat(desk.send("cancelled", "agent:2", "t2").duplicate()).isTrue();
        desk.now += 30_000;
        int before = desk.log.size();
        desk.fire();
        assertThat(desk.log.subList(before, desk.log.size()))
                .extracting(Desk.Entry::toString)
                .containsExactly("cancelled t3", "cancelled t2", "cancelled t1");
        assertThat(desk.log.subList(before, desk.log.size()))
                .extracting(entry -> entry.event().payload().string("reason"))
                .containsExactly("forced", "cancelled", "forced");
    }

    /** Nothing new begins in a tree that is ending. */
    @Test
    void sealedTreeTakesNoChildrenAndNoStarts() {
        chain(true);
        desk.child("agent:a", "t4", "t3");
        accepted(desk.send(
                "submitted", "agent:a", "t5", draft -> draft.parentTaskId("t3").target("agent:5")));
        desk.claim("agent:4", "t4");
        accepted(desk.send("cancel.requested", "agent:a", "t1"));

        assertThat(desk.state("t5")).isEqualTo(TaskState.CANCELLED);
        assertThat(Desk.refusal(desk.send("submitted", "agent:a", "t6", draft -> draft.parentTaskId("t3")))
                        .details()
                        .string("reason"))
                .isEqualTo("cancelling");
        assertThat(desk.refused("started", "agent:4", "t4").details().string("reason"))
                .isEqualTo("cancelling");
        accepted(desk.send("progress", "agent:3", "t3"));
        assertThat(desk.refused("completed", "agent:3", "t3").details().strings("children"))
                .containsExactly("t4");
        accepted(desk.send("cancelled", "agent:4", "t4"));
        accepted(desk.send("completed", "agent:3", "t3"));
        assertThat(desk.state("t3"))
                .as("a worker may finish while it is asked to stop")
                .isEqualTo(TaskState.COMPLETED);
    }

    /** The owner of a parent stops by itself: its unowned children end before its word, in the same frame. */
    @Test
    void ownersWordEndsUnownedChildrenFirst() {
        chain(false);
        desk.start("agent:1", "t1");
        Decision decision = accepted(desk.send("cancelled", "agent:1", "t1"));
        assertThat(decision.store()).isEqualTo(Store.STORE);
        assertThat(decision.before()).extracting(Event::taskId).containsExactly("t3", "t2");
        String own = desk.last("cancelled", "t1").event().id();
        assertThat(decision.before()).extracting(Event::causationId).containsOnly(own);
        assertThat(desk.story("t1")).containsExactly("submitted", "accepted", "started", "cancelled");
    }

    /** The owner of a parent with working children stops: they are asked, and the hub ends the parent last. */
    @Test
    void ownersWordWithWorkingChildrenIsSaidByTheHubLater() {
        chain(true);
        Event word = desk.event("cancelled", "agent:1", "t1", draft -> draft);
        Decision decision = accepted(desk.send(word));
        assertThat(decision.store()).isEqualTo(Store.DROP);
        assertThat(said(decision)).containsExactly("cancel.requested t3", "cancel.requested t2");
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
        accepted(desk.send("failed", "agent:3", "t3"));
        accepted(desk.send("cancelled", "agent:2", "t2"));
        assertThat(desk.state("t1")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.last("cancelled", "t1").event().causationId()).isEqualTo(word.id());
        assertThat(desk.last("cancelled", "t1").event().payload().string("reason"))
                .isEqualTo("cancelled");
    }

    @Test
    void failureOfAParentCancelsWhatIsBelow() {
        chain(true);
        accepted(desk.send("failed", "agent:1", "t1"));
        assertThat(desk.state("t1")).isEqualTo(TaskState.FAILED);
        assertThat(desk.tasks.cancelRequested(Desk.TENANT, "t3")).isTrue();
        accepted(desk.send("cancelled", "agent:3", "t3"));
        desk.pass(30_000);
        assertThat(desk.state("t2")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.last("cancelled", "t2").event().causationId())
                .isEqualTo(desk.last("failed", "t1").event().id());
        assertThat(Desk.refusal(desk.send("submitted", "agent:a", "t9", draft -> draft.parentTaskId("t1")))
                        .details()
                        .string("reason"))
                .isEqualTo("parent_ended");
    }

    @Test
    void orphansRunWhereThePolicyLetsThem() {
        desk = Desk.network(TaskPolicy.DEFAULTS.withOrphans(Orphans.RUN));
        chain(true);
        accepted(desk.send("failed", "agent:2", "t2"));
        accepted(desk.send("progress", "agent:3", "t3"));
        accepted(desk.send("cancel.requested", "agent:a", "t1"));
        assertThat(desk.tasks.cancelRequested(Desk.TENANT, "t3"))
                .as("an orphan still belongs to the tree of its grandparent")
                .isTrue();
        accepted(desk.send("cancelled", "agent:1", "t1"));
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
        accepted(desk.send("cancelled", "agent:3", "t3"));
        assertThat(desk.state("t1")).isEqualTo(TaskState.CANCELLED);
    }

    /** A cancellation inside a tree that is cancelled from above later. */
    @Test
    void cancellationsNest() {
        chain(true);
        accepted(desk.send("cancel.requested", "agent:a", "t2"));
        desk.pass(10_000);
        Decision outer = accepted(desk.send("cancel.requested", "agent:a", "t1"));
        assertThat(said(outer)).as("both owners below were asked already").isEmpty();
        desk.pass(20_000);
        assertThat(desk.state("t3")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.state("t2")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
        desk.pass(10_000);
        assertThat(desk.state("t1")).isEqualTo(TaskState.CANCELLED);
    }

    /** A parent without owner ends with its last child, not with its first. */
    @Test
    void unownedParentWaitsForItsLastChild() {
        desk.submit("agent:a", "root");
        desk.child("agent:a", "p", "root");
        desk.child("agent:a", "c1", "p");
        desk.child("agent:a", "c2", "p");
        desk.start("agent:1", "c1");
        desk.start("agent:2", "c2");
        accepted(desk.send("cancel.requested", "agent:a", "root"));
        assertThat(accepted(desk.send("cancelled", "agent:1", "c1")).after()).isEmpty();
        assertThat(said(accepted(desk.send("cancelled", "agent:2", "c2"))))
                .containsExactly("cancelled p", "cancelled root");
    }

    /** Patience with a child that was cancelled first ends first; what only waited for it ends with it. */
    @Test
    void innerForceEndsTheWaitingTreeAround() {
        desk.submit("agent:a", "root");
        desk.child("agent:a", "p", "root");
        desk.child("agent:a", "c", "p");
        desk.start("agent:1", "c");
        desk.child("agent:a", "d", "c");
        desk.start("agent:2", "d");
        accepted(desk.send("cancel.requested", "agent:a", "c"));
        desk.pass(10_000);
        accepted(desk.send("cancel.requested", "agent:a", "root"));
        desk.pass(20_000);
        assertThat(desk.log.subList(desk.log.size() - 4, desk.log.size()))
                .extracting(Desk.Entry::toString)
                .containsExactly("cancelled d", "cancelled c", "cancelled p", "cancelled root");
        assertThat(desk.last("cancelled", "c").event().causationId())
                .isNotEqualTo(desk.last("cancelled", "p").event().causationId());
        assertThat(desk.tasks.nextDeadline()).isGreaterThan(desk.now);
    }

    /** A restart gives owners their full grace again. */
    @Test
    void graceStartsAnewAfterARestart() {
        chain(true);
        accepted(desk.send("cancel.requested", "agent:a", "t1"));
        desk.now += 3_600_000;
        desk.restart(true);
        assertThat(desk.fire()).isEmpty();
        desk.pass(29_999);
        assertThat(desk.tasks.live(Desk.TENANT)).isEqualTo(3);
        desk.pass(1);
        assertThat(desk.tasks.live(Desk.TENANT)).isZero();
    }

    /** More tasks than one frame holds: the rest follows, and a restart in the middle loses nothing. */
    @Test
    void largeTreeEndsOverSeveralFrames() {
        desk.submit("agent:a", "root");
        for (int i = 0; i < 600; i++) {
            desk.child("agent:a", "c" + i, "root");
            if (i % 2 == 0) {
                desk.start("agent:w" + i % 7, "c" + i);
            }
        }
        Decision first = accepted(desk.send("cancel.requested", "agent:a", "root"));
        assertThat(first.more()).isTrue();
        assertThat(first.after().size()).isBetween(100, Decision.MAX_EVENTS);
        desk.assertFoldsTheSame();
        assertThat(desk.tasks.nextDeadline()).isLessThanOrEqualTo(desk.now);
        desk.fire();
        for (int i = 0; i < 600; i++) {
            String last = desk.story("c" + i).getLast();
            assertThat(last).isEqualTo(i % 2 == 0 ? "cancel.requested" : "cancelled");
        }
        desk.pass(30_000);
        assertThat(desk.state("root")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.log.getLast()).hasToString("cancelled root");
        assertThat(desk.tasks.live(Desk.TENANT)).isZero();
        assertThat(desk.log)
                .filteredOn(entry -> entry.type().equals("task.cancelled"))
                .hasSize(601);
    }

    /** An owner that leaves gracefully while it is asked to stop has stopped. */
    @Test
    void leavingConfirms() {
        chain(true);
        accepted(desk.send("cancel.requested", "agent:a", "t1"));
        desk.leave("agent:2");
        assertThat(desk.state("t2")).isEqualTo(TaskState.STARTED);
        desk.leave("agent:3");
        assertThat(desk.state("t3")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.state("t2")).isEqualTo(TaskState.CANCELLED);
        assertThat(desk.state("t1")).isEqualTo(TaskState.STARTED);
    }
}
