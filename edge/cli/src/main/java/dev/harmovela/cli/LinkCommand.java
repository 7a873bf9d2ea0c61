package dev.harmovela.cli;

import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigProblem;
import dev.harmovela.runtime.LinkStore;
import dev.harmovela.runtime.LoadedConfig;
import dev.harmovela.runtime.RunFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Links to brokers. */
@Command(
        name = "link",
        description = "Link the hub to NATS, Kafka or Redis: agents on a broker, events out, events in.",
        subcommands = {LinkCommand.Add.class, LinkCommand.Ls.class, LinkCommand.Show.class, LinkCommand.Rm.class})
final class LinkCommand extends Group {

    /** What the commands have in common: the links file of a data directory, and the hub that may run on it. */
    abstract static class OnFile extends HubCommand {

        private @Nullable Path data;

        abstract int run(LinkStore store) throws IOException, ConfigProblem, Failure;

        @Override
        final int run() throws Failure {
            LoadedConfig loaded = root().load(Map.of());
            data = loaded.config().data();
            Path file = loaded.config().linksFile();
            if (file == null) {
                throw Failure.usage(
                        "A hub that keeps everything in memory has no place for its links.",
                        "Name its data directory with --data, or links_file in the configuration.");
            }
            try {
                return run(new LinkStore(file));
            } catch (ConfigProblem problem) {
                throw Failure.failed("link_invalid", problem.sentence(), problem.hint());
            } catch (IOException failed) {
                throw Failure.failed("io_error", "The links file " + file + " cannot be used: " + failed + ".", null);
            }
        }

        boolean isRunning() {
            return data != null && RunFile.find(data) != null;
        }

        void noteFollowing() {
            console().note(isRunning() ? "The running hub follows at once." : "It holds when the hub starts.");
        }

        /** What the running hub says of its links, by name; empty when none runs or it does not tell. */
        Map<String, Json.Obj> running() {
            Map<String, Json.Obj> all = new LinkedHashMap<>();
            if (isRunning()) {
                try (Api api = root().api()) {
                    HttpApi.Reply reply = api.raw("links");
                    for (Json one : reply.ok() ? Api.items(reply.object()) : List.<Json>of()) {
                        Json.Obj link = (Json.Obj) one;
                        all.put(String.valueOf(link.string("name")), link);
                    }
                } catch (Failure unreachable) {
                    console().note("The hub does not answer: " + unreachable.getMessage());
                }
            }
            return all;
        }
    }

    @Command(
            name = "add",
            aliases = "set",
            description = "Add a link, or change it. A running hub follows at once.",
            footer = {
                "",
                "Secrets are named, never given: --credential password=env:REDIS_PASSWORD",
                "or password=file:/run/secrets/redis.",
                "Example: harmovela link add redis redis://127.0.0.1:6379 --speaks-for 'agent:*' --create"
            })
    static final class Add extends OnFile {

        @Parameters(index = "0", paramLabel = "NAME", description = "its name")
        private String name = "";

        @Parameters(
                index = "1",
                paramLabel = "URL",
                description = "nats://, tls://, kafka://, kafkas://, redis:// or rediss://, several with commas")
        private String url = "";

        @Option(
                names = "--mode",
                paramLabel = "MODE",
                description = "transport (agents, both ways), export (events out) or import (events in)")
        private @Nullable String mode;

        @Option(names = "--prefix", paramLabel = "PREFIX", description = "what names on the broker begin with (aep)")
        private @Nullable String prefix;

        @Option(names = "--tenant", paramLabel = "TENANT", description = "whose events pass through it")
        private @Nullable String linkTenant;

        @Option(names = "--routing", paramLabel = "HOW", description = "single or mapped")
        private @Nullable String routing;

        @Option(names = "--stream", paramLabel = "STREAM", description = "JetStream stream; without one: core NATS")
        private @Nullable String stream;

        @Option(names = "--speaks-for", paramLabel = "GLOB", description = "identities that may be behind it")
        private @Nullable List<String> speaksFor;

        @Option(names = "--role", paramLabel = "ROLE", description = "what those may do")
        private @Nullable List<String> roles;

        @Option(names = "--type", paramLabel = "PATTERN", description = "event types that are exported")
        private @Nullable List<String> types;

        @Option(names = "--hub-id", paramLabel = "ID", description = "hubs whose exports are imported")
        private @Nullable List<String> hubs;

        @Option(names = "--create", description = "make streams and topics that are missing")
        private boolean create;

        @Option(names = "--max-payload", paramLabel = "BYTES", description = "largest event that is taken")
        private @Nullable Long maxPayload;

        @Option(
                names = "--credential",
                paramLabel = "NAME=WHERE",
                description = "user, password, token, nkey, creds, sasl_mechanism, tls_ca, tls_cert, tls_key")
        private @Nullable Map<String, String> credentials;

        @Override
        int run(LinkStore store) throws IOException, ConfigProblem {
            Json.Builder given = Json.Obj.builder();
            if (credentials != null) {
                credentials.forEach(given::put);
            }
            Json.Obj link = store.put(Json.Obj.builder()
                    .put("name", name)
                    .put("url", url)
                    .put("mode", mode)
                    .put("prefix", prefix)
                    .put("tenant", linkTenant)
                    .put("routing", routing)
                    .put("stream", stream)
                    .put("speaks_for", speaksFor)
                    .put("roles", roles)
                    .put("types", types)
                    .put("hubs", hubs)
                    .put("create", create)
                    .put("max_payload_size", maxPayload)
                    .put("credentials", given.build())
                    .build());
            console()
                    .result(
                            link,
                            "Link " + name + " is there: " + Table.text(link, "kind") + ", " + Table.text(link, "mode")
                                    + ", prefix " + Table.text(link, "prefix") + ".");
            boolean speaks = speaksFor != null && !speaksFor.isEmpty();
            if (!speaks && !"export".equals(mode)) {
                console().note("It speaks for nobody yet, except in development: name identities with --speaks-for.");
            }
            noteFollowing();
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "ls",
            aliases = "list",
            description = "List links: what they are for and how they are.",
            footer = {"", "Example: harmovela link ls"})
    static final class Ls extends OnFile {
        @Override
        int run(LinkStore store) throws IOException, ConfigProblem {
            Map<String, Json.Obj> running = running();
            List<Json> rows = new ArrayList<>();
            for (Json.Obj link : store.list()) {
                rows.add(running.getOrDefault(String.valueOf(link.string("name")), link));
            }
            Json.Obj answer =
                    Json.Obj.builder().put("items", new Json.Arr(rows)).build();
            console()
                    .result(
                            answer,
                            Table.of(
                                    rows,
                                    "LINK=name",
                                    "KIND=kind",
                                    "MODE=mode",
                                    "URL=url",
                                    "PREFIX=prefix",
                                    "STATE=state",
                                    "LAG=lag",
                                    "IN/S=read_per_second",
                                    "OUT/S=written_per_second",
                                    "LAST ERROR=last_error"));
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "show",
            description = "Show a link with everything that is known of it.",
            footer = {"", "Example: harmovela link show redis"})
    static final class Show extends OnFile {

        @Parameters(paramLabel = "NAME", description = "its name")
        private String name = "";

        @Override
        int run(LinkStore store) throws IOException, ConfigProblem, Failure {
            for (Json.Obj link : store.list()) {
                if (name.equals(link.string("name"))) {
                    Json.Obj shown = running().getOrDefault(name, link);
                    StringBuilder text = new StringBuilder();
                    shown.forEach((member, value) -> text.append(text.isEmpty() ? "" : "\n")
                            .append(member)
                            .append("  ")
                            .append(value));
                    console().result(shown, text.toString());
                    return ExitCodes.OK;
                }
            }
            throw SecurityCommand.unknown("link", name);
        }
    }

    @Command(
            name = "rm",
            description = "Remove a link. What is on the broker stays there.",
            footer = {"", "Example: harmovela link rm redis"})
    static final class Rm extends OnFile {

        @Parameters(paramLabel = "NAME", description = "its name")
        private String name = "";

        @Override
        int run(LinkStore store) throws IOException, ConfigProblem, Failure {
            if (!store.remove(name)) {
                throw SecurityCommand.unknown("link", name);
            }
            console().result(Json.Obj.builder().put("removed", name).build(), "Removed link " + name + ".");
            noteFollowing();
            return ExitCodes.OK;
        }
    }
}
