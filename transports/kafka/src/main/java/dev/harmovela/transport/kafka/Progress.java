package dev.harmovela.transport.kafka;

import dev.harmovela.transport.link.Inbound;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Which offsets are in hand. A partition is committed up to the first one that is not settled; one that was taken
 * away in between is
 * forgotten, since whoever has it now reads on from what was committed.
 */
final class Progress implements ConsumerRebalanceListener {

    private static final class Part {
        private final TreeSet<Long> inHand = new TreeSet<>();
        private long next;
    }

    private final Map<TopicPartition, Part> parts = new HashMap<>();

    void read(TopicPartition partition, long offset) {
        Part part = parts.computeIfAbsent(partition, _ -> new Part());
        part.inHand.add(offset);
        part.next = offset + 1;
    }

    /** What may be committed once these are settled. */
    Map<TopicPartition, OffsetAndMetadata> settled(List<Inbound> done) {
        Map<TopicPartition, OffsetAndMetadata> commit = new HashMap<>();
        for (Inbound one : done) {
            TopicPartition partition = new TopicPartition(one.place(), one.partition());
            Part part = parts.get(partition);
            if (part != null && part.inHand.remove(Long.parseLong(one.position()))) {
                commit.put(partition, new OffsetAndMetadata(part.inHand.isEmpty() ? part.next : part.inHand.first()));
            }
        }
        return commit;
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        partitions.forEach(parts::remove);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        partitions.forEach(parts::remove);
    }
}
