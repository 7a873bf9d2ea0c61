package dev.harmovela.transport.kafka;

import dev.harmovela.transport.link.LinkFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.errors.InterruptException;

/** Where Kafka's clients and ours think differently of interrupts and files. */
final class Interrupts {

    private Interrupts() {}

    /** Theirs leave the thread interrupted, ours do not. */
    static InterruptedException of(InterruptException interrupted) {
        boolean was = Thread.interrupted();
        return new InterruptedException(was ? interrupted.getMessage() : "interrupted");
    }

    static String text(String file) throws LinkFailed {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException unreadable) {
            throw new LinkFailed("the file " + file + " cannot be read", unreadable);
        }
    }
}
