package dev.harmovela.dimension.recovery;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The dead letters, oldest first. One owner, not thread-safe. */
public final class Letters {

    private final LinkedHashMap<String, Letter> byId = new LinkedHashMap<>();

    public @Nullable Letter find(String letterId) {
        return byId.get(letterId);
    }

    /** Letters of one event, found by the id of the event, of its task or of the letter itself. */
    public List<Letter> about(String tenant, String id) {
        return byId.values().stream()
                .filter(letter -> letter.tenant().equals(tenant))
                .filter(letter -> id.equals(letter.id()) || id.equals(letter.eventId()) || id.equals(letter.taskId()))
                .toList();
    }

    /** Oldest first; a read-only view. */
    public Collection<Letter> all() {
        return Collections.unmodifiableCollection(byId.values());
    }

    public int count() {
        return byId.size();
    }

    /** The only place where letters move. */
    public void apply(LetterFact fact) {
        switch (fact) {
            case LetterFact.Added added -> byId.put(added.letter().id(), added.letter());
            case LetterFact.Removed removed -> byId.remove(removed.letterId());
            case LetterFact.Carried carried ->
                byId.computeIfPresent(carried.letterId(), (_, letter) -> letter.at(carried.lsn()));
        }
    }

    /** Writes the section of a snapshot; equal states write equal bytes. */
    public void snapshot(Out out) {
        out.varint(byId.size());
        byId.values().forEach(letter -> letter.write(out));
    }

    public void restore(In in) {
        byId.clear();
        for (long n = in.varint(); n > 0; n--) {
            apply(new LetterFact.Added(Letter.read(in)));
        }
    }
}
