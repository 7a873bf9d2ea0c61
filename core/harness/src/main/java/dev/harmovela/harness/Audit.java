package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Hub.Attachment;
import dev.harmovela.spi.Hub.Pulled;
import dev.harmovela.spi.WireInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The audit as others see it: pages read from the log, and {@code audit.recorded} for those who ask for it (§7).
 *
 * <p>Both show the records of the asker's own tenant only. The events are best effort, are neither stored nor
 * numbered, and nothing is made while nobody asks. One owner, not thread-safe.
 */
final class Audit {

    private static final String RECORDED = "audit.recorded";
    private static final String FAMILY = "audit";

    private final Shard shard;
    private final Map<String, List<Feed>> asking = new HashMap<>();

    Audit(Shard shard) {
        this.shard = shard;
    }

    // --- pages

    /** A page of the audit; reads the log off the owner. */
    void ask(Caller caller, Ask ask, Consumer<Answer> done) {
        Rights rights = Rights.of(caller.grants(), shard.config.registry());
        if (!rights.holds(Actions.AUDIT_READ)) {
            done.accept(
                    new Answer.Failed(ProtocolError.unauthorized("missing_right", "this needs " + Actions.AUDIT_READ)
                            .with("missing", Actions.AUDIT_READ)));
            return;
        }
        try {
            AuditFilter filter = AuditFilter.of(ask.filter());
            AuditPage page = new AuditPage(
                    shard, caller.tenant(), rights.holds(Actions.HUB_READ), filter, ask.limit(), ask.cursor());
            page.read(done);
        } catch (AuditFilter.NotOne wrong) {
            done.accept(new Answer.Failed(wrong.error()));
        }
    }

    /** The answer to a question, a refusal of which is audited too. */
    Consumer<Answer> watching(Caller caller, String action, @Nullable String resource, Consumer<Answer> done) {
        return answer -> {
            if (answer instanceof Answer.Failed failed && failed.error().code() != ErrorCode.INTERNAL_ERROR) {
                shard.denials.request(caller, "http", action, resource, failed.error());
            }
            done.accept(answer);
        };
    }

    /** The outcome of attaching a wire, a refusal of which is audited too. */
    Attachment watching(WireInfo info, String id, Attachment outcome) {
        if (outcome instanceof Attachment.Refused refused) {
            shard.denials.request(info.caller(), info.transport(), "attach", id, refused.error());
        }
        return outcome;
    }

    /** The outcome of a pull, a refusal of which is audited too. */
    Consumer<Pulled> pulling(Caller caller, String subscriptionId, Consumer<Pulled> done) {
        return pulled -> {
            if (pulled instanceof Pulled.Refused refused) {
                shard.denials.request(caller, "http", "pull", subscriptionId, refused.error());
            }
            done.accept(pulled);
        };
    }

    // --- as it happens

    void added(Feed feed) {
        if (names(feed)) {
            asking.computeIfAbsent(feed.route().subscription().tenant(), _ -> new ArrayList<>())
                    .add(feed);
        }
    }

    void dropped(Feed feed) {
        asking.computeIfPresent(feed.route().subscription().tenant(), (_, feeds) -> {
            feeds.remove(feed);
            return feeds.isEmpty() ? null : feeds;
        });
    }

    private static boolean names(Feed feed) {
        for (TypePattern pattern : feed.route().filter().types()) {
            if (pattern.names(FAMILY) && pattern.matches(RECORDED)) {
                return true;
            }
        }
        return false;
    }

    /** A frame was written: tells its records to those who asked. */
    void written(long firstLsn, Frame.Header header, List<Event> events, List<? extends Fact> facts) {
        List<Feed> feeds = asking.isEmpty() ? null : asking.get(header.tenant());
        if (feeds == null) {
            return;
        }
        Frame frame = new Frame(firstLsn, header, events, List.copyOf(facts));
        List<AuditRecords.Row> rows = AuditRecords.of(frame, lsn -> shard.ring.holds(lsn) ? shard.ring.at(lsn) : null);
        for (int i = 0; i < rows.size(); i++) {
            Event told = told(AuditPage.row(rows.get(i), firstLsn, i));
            for (Feed feed : List.copyOf(feeds)) {
                if (feed.route().filter().matches(told)) {
                    feed.passing(told);
                }
            }
        }
    }

    private Event told(Json.Obj row) {
        return shard.replies
                .draft(RECORDED)
                .taskId(row.string("task_id"))
                .correlationId(row.string("correlation_id"))
                .payload(row)
                .build();
    }
}
