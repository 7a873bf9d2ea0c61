package dev.harmovela.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder that holds the whole build, and the generated files in it. */
final class Checkout {

    static final Path ROOT = find();

    private Checkout() {}

    /** Compares a generated file with its text, or rewrites it when the run was asked to. */
    static void golden(String file, String text) throws IOException {
        Path path = ROOT.resolve(file);
        if (System.getProperty("harmovela.golden", "compare").equals("write")) {
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
        }
        assertThat(path)
                .as("%s; ./dev golden architecture writes it anew", file)
                .hasContent(text);
    }

    private static Path find() {
        String given = System.getProperty("harmovela.root");
        Path at = given == null ? Path.of("").toAbsolutePath() : Path.of(given);
        while (!Files.exists(at.resolve(".mvn"))) {
            at = at.getParent();
        }
        return at;
    }
}
