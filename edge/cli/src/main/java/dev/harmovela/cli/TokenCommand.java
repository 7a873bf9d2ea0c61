package dev.harmovela.cli;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.security.SecurityProblem;
import dev.harmovela.runtime.security.SecurityStore;
import dev.harmovela.runtime.security.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Bearer tokens. */
@Command(
        name = "token",
        description = "Make, list and revoke the bearer tokens with which agents prove who they are.",
        subcommands = {TokenCommand.Create.class, TokenCommand.Ls.class, TokenCommand.Revoke.class})
final class TokenCommand extends Group {

    private static final Pattern SPAN = Pattern.compile("([0-9]{1,6})([smhd])");

    @Command(
            name = "create",
            description = "Make a token. Its secret is shown once and kept nowhere.",
            footer = {"", "Example: harmovela token create --identity agent:planner --role publisher --expires 30d"})
    static final class Create extends SecurityCommand {

        @Option(names = "--identity", required = true, paramLabel = "ID", description = "who shows it: agent:planner")
        private String identity = "";

        @Option(
                names = "--tenant",
                paramLabel = "NAME",
                defaultValue = "default",
                description = "whose data it reaches (default: ${DEFAULT-VALUE})")
        private String tenant = "";

        @Option(names = "--role", paramLabel = "ROLE", description = "a role it holds; may be repeated")
        private List<String> roles = new ArrayList<>();

        @Option(
                names = "--grant",
                paramLabel = "RIGHT",
                description = "an action or scope it holds besides: write:task, send:agent:*; may be repeated")
        private List<String> grants = new ArrayList<>();

        @Option(
                names = "--speaks-for",
                paramLabel = "GLOB",
                description = "identities whose events it may send too; may be repeated")
        private List<String> speaksFor = new ArrayList<>();

        @Option(names = "--expires", paramLabel = "SPAN", description = "30d, 12h, 90m, 60s, or a time (RFC 3339)")
        private @Nullable String expires;

        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem, Failure {
            if (roles.isEmpty() && grants.isEmpty()) {
                throw Failure.usage("A token without a role may do nothing.", "Say --role publisher, or --grant.");
            }
            long now = System.currentTimeMillis();
            Path data = data();
            if (data != null) {
                store.issueAdmin(data, now);
            }
            SecurityStore.Issued issued = store.issue(
                    new SecurityStore.Order(identity, tenant, roles, grants, speaksFor, until(expires, now)), now);
            Json.Obj told = issued.token().shown().put("token", issued.secret()).build();
            console().result(told, issued.secret());
            console()
                    .note("Token " + issued.token().id() + " of " + identity + " in tenant " + tenant
                            + "; this is the only time that its secret is shown.");
            noteFollowing();
            return ExitCodes.OK;
        }
    }

    static long until(@Nullable String expires, long now) throws Failure {
        if (expires == null) {
            return Long.MAX_VALUE;
        }
        Matcher span = SPAN.matcher(expires);
        long until;
        if (span.matches()) {
            long unit = switch (span.group(2)) {
                case "s" -> 1000L;
                case "m" -> 60_000L;
                case "h" -> 3_600_000L;
                default -> 86_400_000L;
            };
            until = now + Long.parseLong(span.group(1)) * unit;
        } else {
            until = Timestamps.parse(expires);
        }
        if (until <= now) {
            throw Failure.usage(
                    "'" + expires + "' is no time to come.", "Write 30d, 12h, 90m, 60s, or 2030-01-31T00:00:00Z.");
        }
        return until;
    }

    @Command(
            name = "ls",
            aliases = "list",
            description = "List tokens, without their secrets.",
            footer = {"", "Example: harmovela token ls --json"})
    static final class Ls extends SecurityCommand {
        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem {
            List<Json> rows = new ArrayList<>();
            for (Token token : store.read().tokens().values()) {
                rows.add(token.shown().build());
            }
            return list(rows, "TOKEN=id", "IDENTITY=identity", "TENANT=tenant", "ROLES=roles", "EXPIRES=expires_at");
        }
    }

    @Command(
            name = "revoke",
            aliases = "rm",
            description = "Revoke tokens: connections that show them end at once.",
            footer = {"", "Example: harmovela token revoke tk_0123456789abcdef"})
    static final class Revoke extends SecurityCommand {

        @Parameters(paramLabel = "ID", arity = "1..*", description = "tokens, by their ids")
        private List<String> ids = new ArrayList<>();

        @Override
        int run(SecurityStore store) throws IOException, SecurityProblem, Failure {
            for (String id : ids) {
                require(store.read(), store.read().tokens().containsKey(id), "token", id);
            }
            store.edit(before -> {
                var after = before;
                for (String id : ids) {
                    after = after.withoutToken(id);
                }
                return after;
            });
            Json.Obj data = Json.Obj.builder().put("revoked", ids).build();
            return changed(data, "Revoked " + String.join(", ", ids) + ".");
        }
    }
}
