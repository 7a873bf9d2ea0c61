package dev.harmovela.cli.proof;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The command line of the class path of the tests, started many times: with an archive of its classes a start costs
 * about two thirds.
 */
final class QuickStart {

    private static final long PATIENCE_SECONDS = 120;

    private QuickStart() {}

    /** Makes the archive in a folder and returns the command that uses it, without the verb. */
    static List<String> command(Path folder) throws IOException, InterruptedException {
        String classPath = packed(folder, System.getProperty("java.class.path"));
        Path archive = folder.resolve("classes.jsa");
        List<String> first = command("-XX:ArchiveClassesAtExit=" + archive, classPath);
        first.addAll(List.of("serve", "--dev", "--port", "0"));
        Path said = folder.resolve("first.log");
        Process process = new ProcessBuilder(first)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(said.toFile()))
                .start();
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (process.isAlive() && !Files.readString(said).contains("ready in") && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            process.destroy();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || !Files.exists(archive)) {
                throw new IOException("no archive: " + Files.readString(said));
            }
        } finally {
            process.destroyForcibly();
        }
        return command("-XX:SharedArchiveFile=" + archive, classPath);
    }

    private static List<String> command(String option, String classPath) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:disable",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                option,
                "-cp",
                classPath,
                "dev.harmovela.cli.Main"));
    }

    /** An archive takes classes from files only. */
    private static String packed(Path folder, String classPath) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            Path path = Path.of(entry);
            Path jar = folder.resolve("classes-" + entries.size() + ".jar");
            if (Files.isDirectory(path)) {
                pack(path, jar);
            }
            entries.add(Files.isDirectory(path) ? jar.toString() : entry);
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, out);
            }
        }
    }
}
