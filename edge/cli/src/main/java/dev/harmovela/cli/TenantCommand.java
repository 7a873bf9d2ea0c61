package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.security.SecurityFile;
import dev.harmovela.runtime.security.SecurityProblem;
import dev.harmovela.runtime.security.SecurityStore;
import dev.harmovela.runtime.security.Tenant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tenants. */
@Command(
        name = "tenant",
        description = "Make, list and remove tenants: worlds that see nothing of each other.",
        subcommands = {TenantCommand.Create.class, TenantCommand.Ls.class, TenantCommand.Rm.class})
final class TenantCommand extends Group {

    @Command(
            name = "create",
            aliases = "set",
            description = "Make a tenant, or set its limits.",
            footer = {"", "Example: harmovela tenant create acme --sessions 100 --publish-per-second 500"})
    static final class Create extends SecurityCommand {

        @Parameters(paramLabel = "NAME", description = "its name")
        private String name = "";

        @Option(names = "--sessions", paramLabel = "N", description = "live sessions at the most")
        private @Nullable Long sessions;

        @Option(
                names = "--subscriptions",
                paramLabel = "N",
                description = "subscriptions at the most, inboxes included")
        private @Nullable Long subscriptions;

        @Option(names = "--in-flight", paramLabel = "N", description = "unsettled deliveries at the most")
        private @Nullable Long inFlight;

        @Option(names = "--in-flight-bytes", paramLabel = "BYTES", description = "the same in bytes")
        private @Nullable Long inFlightBytes;

        @Option(names = "--publish-per-second", paramLabel = "N", description = "events taken per second")
        private @Nullable Long rate;

        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem {
            Json.Obj limits = Json.Obj.builder()
                    .put("sessions", sessions)
                    .put("subscriptions", subscriptions)
                    .put("in_flight", inFlight)
                    .put("in_flight_bytes", inFlightBytes)
                    .put("publish_per_second", rate)
                    .build();
            SecurityFile file = store.edit(before -> {
                Tenant known = before.tenants().get(name);
                Json.Obj told = known == null ? Json.Obj.of() : known.toJson();
                Json.Obj set = told.object("limits") == null ? Json.Obj.of() : told.object("limits");
                for (String limit : limits.names()) {
                    set = set.with(limit, java.util.Objects.requireNonNull(limits.get(limit)));
                }
                return before.with(Tenant.parse(name, set.isEmpty() ? told : told.with("limits", set)));
            });
            Tenant made = java.util.Objects.requireNonNull(file.tenants().get(name));
            return changed(row(made), "Tenant " + name + " is there.");
        }
    }

    private static Json.Obj row(Tenant tenant) {
        Json.Builder row = Json.Obj.builder().put("tenant", tenant.name());
        tenant.toJson().forEach(row::put);
        return row.build();
    }

    @Command(
            name = "ls",
            aliases = "list",
            description = "List tenants and their limits.",
            footer = {"", "Example: harmovela tenant ls"})
    static final class Ls extends SecurityCommand {
        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem {
            List<Json> rows = new ArrayList<>();
            SecurityFile file = store.read();
            if (!file.tenants().containsKey("default")) {
                rows.add(Json.Obj.builder().put("tenant", "default").build());
            }
            file.tenants().values().stream()
                    .sorted(java.util.Comparator.comparing(Tenant::name))
                    .forEach(tenant -> rows.add(row(tenant)));
            return list(rows, "TENANT=tenant", "LIMITS=limits", "REDACTS=redact");
        }
    }

    @Command(
            name = "rm",
            description = "Remove a tenant that no token belongs to. What it stored stays until retention takes it.",
            footer = {"", "Example: harmovela tenant rm acme"})
    static final class Rm extends SecurityCommand {

        @Parameters(paramLabel = "NAME", description = "its name")
        private String name = "";

        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem, Failure {
            require(store.read(), store.read().tenants().containsKey(name), "tenant", name);
            store.edit(before -> before.withoutTenant(name));
            return removed("tenant", name);
        }
    }
}
