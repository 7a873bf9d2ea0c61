package dev.harmovela.conformance;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Where the files of a suite lie; names are relative, with {@code /} between their parts. */
sealed interface SuiteFiles {

    /** Reads a whole file; {@link FileNotFoundException} when there is none. */
    String read(String name) throws IOException;

    /** The suite shipped in this jar. */
    static SuiteFiles shipped() {
        return new Shipped();
    }

    static SuiteFiles in(Path directory) {
        return new Directory(directory);
    }

    /** {@code name} as seen from the file {@code from}: {@code a/b.json} and {@code ../c} give {@code c}. */
    static String resolve(String from, String name) {
        int slash = from.lastIndexOf('/');
        Deque<String> parts = new ArrayDeque<>();
        for (String part : (from.substring(0, slash + 1) + name).split("/", -1)) {
            boolean canGoUp = !parts.isEmpty() && !parts.getLast().equals("..");
            if (part.equals("..") && canGoUp) {
                parts.removeLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        StringBuilder resolved = new StringBuilder();
        for (Iterator<String> it = parts.iterator(); it.hasNext(); ) {
            resolved.append(it.next()).append(it.hasNext() ? "/" : "");
        }
        return resolved.toString();
    }

    /** Files below a directory of the file system. */
    record Directory(Path root) implements SuiteFiles {

        @Override
        public String read(String name) throws IOException {
            try {
                return Files.readString(root.resolve(name));
            } catch (NoSuchFileException _) {
                throw new FileNotFoundException(root.resolve(name) + " does not exist");
            }
        }
    }

    /** Files below {@code conformance/} on the class path. */
    record Shipped() implements SuiteFiles {

        @Override
        public String read(String name) throws IOException {
            try (InputStream in = SuiteFiles.class.getResourceAsStream("/conformance/" + name)) {
                if (in == null) {
                    throw new FileNotFoundException("the suite has no file " + name);
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
