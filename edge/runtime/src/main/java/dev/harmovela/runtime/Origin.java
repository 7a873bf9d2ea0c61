package dev.harmovela.runtime;

import java.nio.file.Path;

/** Where the value of a setting came from; the later ones win. */
public sealed interface Origin {

    /** For people: {@code default}, {@code file PATH}, {@code environment NAME}, {@code option --NAME}. */
    String text();

    /** Nobody said anything. */
    record Standard() implements Origin {
        @Override
        public String text() {
            return "default";
        }
    }

    /** A configuration file. */
    record InFile(Path file) implements Origin {
        @Override
        public String text() {
            return "file " + file;
        }
    }

    /** An environment variable. */
    record Variable(String name) implements Origin {
        @Override
        public String text() {
            return "environment " + name;
        }
    }

    /** An option of the command line. */
    record Option(String name) implements Origin {
        @Override
        public String text() {
            return "option " + name;
        }
    }
}
