package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.security.SecurityFile;
import dev.harmovela.runtime.security.SecurityProblem;
import dev.harmovela.runtime.security.SecurityStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Roles. */
@Command(
        name = "role",
        description = "Set, list and remove roles: bundles of actions and scopes.",
        subcommands = {RoleCommand.Set.class, RoleCommand.Ls.class, RoleCommand.Rm.class})
final class RoleCommand extends Group {

    @Command(
            name = "set",
            description = "Make a role, or give one another meaning; standard roles too.",
            footer = {
                "",
                "Example: harmovela role set reporter write:task send:agent:planner subscribe:task.* read:task"
            })
    static final class Set extends SecurityCommand {

        @Parameters(index = "0", paramLabel = "NAME", description = "its name")
        private String name = "";

        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = "RIGHT",
                description = "actions (task.submit, task.*) and scopes (write:, read:, subscribe:, send:)")
        private List<String> grants = new ArrayList<>();

        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem {
            store.edit(before -> before.withRole(name, grants));
            Json.Obj data =
                    Json.Obj.builder().put("role", name).put("grants", grants).build();
            return changed(data, "Role " + name + " is set.");
        }
    }

    @Command(
            name = "ls",
            aliases = "list",
            description = "List roles and what they grant.",
            footer = {"", "Example: harmovela role ls"})
    static final class Ls extends SecurityCommand {
        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem {
            SecurityFile file = store.read();
            List<Json> rows = new ArrayList<>();
            for (String role : file.roleNames()) {
                rows.add(Json.Obj.builder()
                        .put("role", role)
                        .put("standard", !file.roles().containsKey(role))
                        .put("grants", file.grantsOf(role))
                        .build());
            }
            return list(rows, "ROLE=role", "STANDARD=standard", "GRANTS=grants");
        }
    }

    @Command(
            name = "rm",
            description = "Remove a role that no token holds; a standard one gets its own meaning back.",
            footer = {"", "Example: harmovela role rm reporter"})
    static final class Rm extends SecurityCommand {

        @Parameters(paramLabel = "NAME", description = "its name")
        private String name = "";

        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem, Failure {
            require(store.read(), store.read().roles().containsKey(name), "role", name);
            store.edit(before -> before.withoutRole(name));
            return removed("role", name);
        }
    }
}
