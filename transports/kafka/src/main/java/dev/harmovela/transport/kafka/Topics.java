package dev.harmovela.transport.kafka;

import dev.harmovela.transport.link.LinkFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

/** Finds the topics of a link, and makes those it may make. */
final class Topics {

    private static final long PATIENCE_SECONDS = 10;

    private Topics() {}

    static void require(Admin admin, List<String> names, boolean mayCreate) throws LinkFailed, InterruptedException {
        Set<String> there = await(admin.listTopics().names());
        List<NewTopic> missing = new ArrayList<>();
        for (String name : names) {
            if (!there.contains(name)) {
                missing.add(new NewTopic(name, Optional.empty(), Optional.empty()));
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        if (!mayCreate) {
            throw new LinkFailed(
                    "the topic " + missing.getFirst().name() + " does not exist, and the link may not create it", null);
        }
        try {
            await(admin.createTopics(missing).all());
        } catch (LinkFailed failed) {
            if (!(failed.getCause() instanceof ExecutionException cause)
                    || !(cause.getCause() instanceof TopicExistsException)) {
                throw failed;
            }
        }
    }

    static <T> T await(KafkaFuture<T> answer) throws LinkFailed, InterruptedException {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw LinkFailed.because("Kafka", failed);
        }
    }
}
