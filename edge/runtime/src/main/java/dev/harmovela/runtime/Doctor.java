package dev.harmovela.runtime;

import dev.harmovela.runtime.security.SecurityFile;
import dev.harmovela.runtime.security.SecurityProblem;
import dev.harmovela.runtime.security.SecurityStore;
import dev.harmovela.store.journal.JournalDoctor;
import dev.harmovela.store.search.SqliteTaskArchive;
import dev.harmovela.transport.link.LinkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks at everything a hub needs on this machine. Blocks. */
public final class Doctor {

    private static final int JAVA = 25;
    private static final long MIB = 1 << 20;
    private static final long LITTLE = 1024 * MIB;
    private static final long NEXT_TO_NOTHING = 200 * MIB;
    private static final int SPARE_FILES = 200;
    private static final Pattern OPEN_FILES = Pattern.compile("^Max open files +([0-9]+)");
    private static final Duration SKEW = Duration.ofSeconds(60);
    /** No hub of this version ran before. */
    private static final Instant RELEASED = Instant.parse("2025-01-01T00:00:00Z");

    private final LoadedConfig loaded;
    private final DaemonConfig config;
    private final @Nullable Path data;
    private final @Nullable RunFile running;

    private Doctor(LoadedConfig loaded) {
        this.loaded = loaded;
        this.config = loaded.config();
        this.data = config.data();
        this.running = data == null ? null : RunFile.find(data);
    }

    /** Looks and changes nothing. */
    public static List<Check> examine(LoadedConfig loaded) {
        Doctor doctor = new Doctor(loaded);
        List<Check> checks = new ArrayList<>();
        checks.add(doctor.java());
        checks.add(doctor.configuration());
        checks.add(doctor.port());
        checks.add(doctor.security());
        checks.addAll(doctor.issuers());
        checks.add(doctor.links());
        DaemonConfig.Secure secure = loaded.config().listen().tls();
        if (secure != null) {
            checks.add(TlsCheck.of(secure, Instant.now()));
        }
        checks.add(doctor.files());
        checks.add(doctor.clock());
        if (doctor.data != null) {
            checks.add(disk(doctor.data));
            checks.add(doctor.store(doctor.data));
            checks.add(doctor.search(doctor.data));
        }
        return checks;
    }

    /** Gives up what is damaged in the journal, keeping copies, so that a hub can start again. */
    public static Check repair(Path data) {
        Path journal = data.resolve(Stores.JOURNAL);
        if (!Files.isDirectory(journal)) {
            return Check.ok("repair", "there is no journal in " + data + ", so nothing to mend");
        }
        try {
            JournalDoctor.Repair repair = JournalDoctor.repair(journal);
            return repair.aside().isEmpty()
                    ? Check.ok("repair", "nothing was damaged")
                    : Check.warn(
                            "repair",
                            "the log now ends at position " + repair.lastLsn() + "; what lay behind is lost to it",
                            "The damaged files were kept as " + String.join(", ", repair.aside()) + ".");
        } catch (IOException failed) {
            StartFailed told = Stores.explain(data, failed);
            return Check.bad("repair", told.sentence(), told.hint());
        }
    }

    private Check java() {
        String text = Runtime.version() + ", " + System.getProperty("java.vendor");
        return Runtime.version().feature() >= JAVA
                ? Check.ok("java", text)
                : Check.bad("java", text, "Install Java " + JAVA + " or newer and point JAVA_HOME at it.");
    }

    private Check configuration() {
        if (!loaded.warnings().isEmpty()) {
            return Check.warn("config", String.join(" ", loaded.warnings()), "Correct or remove the variable.");
        }
        return Check.ok(
                "config",
                loaded.file() == null ? "no file, all defaults" : loaded.file().toString());
    }

    private Check port() {
        DaemonConfig.Listen listen = config.listen();
        if (running != null) {
            String grpc = running.grpc() == null ? "" : ", gRPC at " + running.grpc();
            return Check.ok("port", "a hub runs at " + running.url() + grpc + ", process " + running.pid());
        }
        boolean open = listen.access() == DaemonConfig.Access.OPEN || listen.tls() == null;
        if (listen.network() == DaemonConfig.Network.LOOPBACK_ONLY && !config.isLoopback() && open) {
            return Check.bad(
                    "port",
                    listen.host() + " can be reached from elsewhere",
                    "Give a certificate with --tls-cert and --tls-key, without --dev, or accept the risk with "
                            + "--insecure-network.");
        }
        try {
            PortCheck.requireFree(listen);
            return grpcPort(listen);
        } catch (StartFailed taken) {
            return Check.bad("port", taken.sentence(), taken.hint());
        }
    }

    /** The second port, where one is asked for. */
    private Check grpcPort(DaemonConfig.Listen listen) {
        String first = listen.host() + ":" + listen.port() + " is free";
        DaemonConfig.Grpc grpc = config.grpc();
        if (!grpc.isOn()) {
            return Check.ok("port", first + ", gRPC is off");
        }
        DaemonConfig.Listen second =
                new DaemonConfig.Listen(listen.host(), grpc.port(), listen.access(), listen.network(), listen.tls());
        String place = listen.host() + ":" + grpc.port();
        try {
            PortCheck.requireFree(second);
            return Check.ok("port", first + ", " + place + " for gRPC too");
        } catch (StartFailed taken) {
            return grpc.ifTaken() == DaemonConfig.IfTaken.MOVE
                    ? Check.ok("port", first + ", " + place + " is not, so gRPC takes another")
                    : Check.bad("port", place + " for gRPC is taken", "Choose another with --grpc-port.");
        }
    }

    /** Who gets in, and what about that is not safe. */
    private Check security() {
        Path file = config.securityFile();
        if (config.listen().access() == DaemonConfig.Access.OPEN || file == null) {
            return Check.warn(
                    "security",
                    "development mode: everybody who reaches the port is let in under any name",
                    "Leave out dev for anything but development.");
        }
        SecurityStore store = new SecurityStore(file, HubSettings.registry(config));
        try {
            SecurityFile held = store.read();
            if (store.isOpenToOthers()) {
                return Check.warn(
                        "security", file + " can be read by others on this machine", "Run chmod 600 " + file + ".");
            }
            return held.tokens().isEmpty()
                    ? Check.ok("security", "no tokens yet; the next start makes one for this machine")
                    : Check.ok(
                            "security",
                            file + ": " + held.tokens().size() + " tokens, "
                                    + held.tenants().size() + " tenants beside the default one");
        } catch (IOException | SecurityProblem unusable) {
            return Check.bad(
                    "security",
                    file + " cannot be used: " + unusable.getMessage(),
                    "Mend it; a running hub goes by the former one until then.");
        }
    }

    /** Whether the keys of those who sign tokens can be had. What is wrong with the file is told by another check. */
    private List<Check> issuers() {
        Path file = config.securityFile();
        if (config.listen().access() == DaemonConfig.Access.OPEN || file == null) {
            return List.of();
        }
        try {
            SecurityFile held = new SecurityStore(file, HubSettings.registry(config)).read();
            return held.issuers().isEmpty() ? List.of() : List.of(IssuersCheck.of(held, file));
        } catch (IOException | SecurityProblem toldElsewhere) {
            return List.of();
        }
    }

    /** What links trust, which is everybody who may write to their broker (D37). */
    private Check links() {
        Path file = config.linksFile();
        if (file == null) {
            return Check.ok("links", "none");
        }
        try {
            List<LinkSettings> links = new LinkStore(file).read();
            List<String> trusting = links.stream()
                    .filter(link -> !link.speaksFor().isEmpty())
                    .map(LinkSettings::name)
                    .toList();
            return trusting.isEmpty()
                    ? Check.ok("links", links.size() + " links to brokers")
                    : Check.warn(
                            "links",
                            "whoever may write to the broker behind " + String.join(", ", trusting)
                                    + " may be any identity the link speaks for: one trust domain",
                            "Let the broker's own access rules say who may write there.");
        } catch (IOException | ConfigProblem unusable) {
            return Check.bad(
                    "links",
                    file + " cannot be used: " + unusable.getMessage(),
                    "Mend it; a running hub goes by the former one until then.");
        }
    }

    private Check files() {
        long most = openFiles();
        long wanted = config.http().connections().max() + (long) SPARE_FILES;
        if (most < 0) {
            return Check.ok("files", "no limit known on this system");
        }
        if (most < wanted) {
            return Check.warn(
                    "files",
                    "this process may open " + most + " files, fewer than http.max_connections asks for",
                    "Raise the limit (ulimit -n " + wanted + ") or lower http.max_connections.");
        }
        return Check.ok("files", "up to " + most + " open files");
    }

    /** How many files this process may open, as Linux tells it; -1 when unknown or without a limit. */
    private static long openFiles() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                Matcher limit = OPEN_FILES.matcher(line);
                if (limit.find()) {
                    return Long.parseLong(limit.group(1));
                }
            }
        } catch (IOException elsewhere) {
            // another operating system
        }
        return -1;
    }

    private Check clock() {
        Instant now = Instant.now();
        String advice = "Set the clock (timedatectl, ntpd): expiry and time limits follow it.";
        if (now.isBefore(RELEASED)) {
            return Check.bad("clock", "it says " + now + ", which is past", advice);
        }
        try {
            Path probe = Files.createTempFile("harmovela", ".clock");
            Instant written = Files.getLastModifiedTime(probe).toInstant();
            Files.delete(probe);
            Duration apart = Duration.between(Instant.now(), written).abs();
            if (apart.compareTo(SKEW) > 0) {
                return Check.warn("clock", "clock and file system are " + apart.toSeconds() + " s apart", advice);
            }
        } catch (IOException noTemporaryFiles) {
            return Check.warn(
                    "clock",
                    "it says " + now + "; no temporary file could be made to compare",
                    "Free some disk space.");
        }
        return Check.ok("clock", now.toString());
    }

    private static Check disk(Path data) {
        Path at = data.toAbsolutePath();
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        try {
            long free = Files.getFileStore(at).getUsableSpace();
            String text = free / MIB + " MiB free at " + at;
            if (!Files.isWritable(at)) {
                return Check.bad("disk", at + " cannot be written", "Change its permissions or name another --data.");
            }
            if (free < NEXT_TO_NOTHING) {
                return Check.bad("disk", text, "Free some space: without it the hub refuses to store anything.");
            }
            return free < LITTLE ? Check.warn("disk", text, "Plan for more space.") : Check.ok("disk", text);
        } catch (IOException unknown) {
            return Check.warn("disk", "free space of " + at + " is unknown: " + unknown, "Look at it by other means.");
        }
    }

    private Check store(Path folder) {
        Path journal = folder.resolve(Stores.JOURNAL);
        if (!Files.isDirectory(journal)) {
            return Check.ok("store", "no journal in " + folder + " yet");
        }
        if (running != null) {
            return Check.ok("store", journal + " is in use by the running hub");
        }
        try {
            return store(JournalDoctor.inspect(journal));
        } catch (IOException failed) {
            return Check.bad("store", journal + " cannot be read: " + failed.getMessage(), "Check its permissions.");
        }
    }

    private static Check store(List<JournalDoctor.Finding> findings) {
        long frames = 0;
        int segments = 0;
        String torn = "";
        for (JournalDoctor.Finding finding : findings) {
            String file = finding.file() + ": " + finding.text();
            switch (finding.kind()) {
                case DAMAGED -> {
                    return Check.bad(
                            "store",
                            file + " (offset " + finding.offset() + ")",
                            "Restore the directory from a copy, or give up the damage: harmovela doctor --repair.");
                }
                case INCOMPATIBLE -> {
                    return Check.bad("store", file, "Start the version that wrote it, or name another --data.");
                }
                case TORN_TAIL -> {
                    torn = "; the tail that was being written at a crash is cut at the next start";
                    frames += finding.frames();
                    segments++;
                }
                case SEGMENT -> {
                    frames += finding.frames();
                    segments++;
                }
                case SNAPSHOT, UNUSABLE_SNAPSHOT -> {
                    // a snapshot only shortens the next start
                }
            }
        }
        return Check.ok("store", frames + " frames in " + segments + " files, all checksums hold" + torn);
    }

    private Check search(Path folder) {
        Path file = folder.resolve(Stores.SEARCH);
        if (!Files.exists(file)) {
            return Check.ok("search", "not there yet");
        }
        if (running != null) {
            return Check.ok("search", file + " is in use by the running hub");
        }
        try {
            long applied = SqliteTaskArchive.inspect(file);
            return Check.ok("search", file + " follows the journal up to position " + applied);
        } catch (IOException broken) {
            return Check.warn(
                    "search",
                    String.valueOf(broken.getMessage()),
                    "The next start builds it anew, and so does harmovela rebuild.");
        }
    }
}
