package dev.harmovela.cli;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * All commands. Only the one that is asked for is built, since building them all takes longer than most of them
 * run.
 */
final class Commands {

    private record Entry(String name, List<String> aliases, Supplier<Object> command) {}

    private static final List<Entry> ALL = List.of(
            entry("serve", ServeCommand::new, "start"),
            entry("stdio", StdioCommand::new),
            entry("demo", DemoCommand::new),
            entry("emit", EmitCommand::new, "pub"),
            entry("subscribe", SubscribeCommand::new, "sub"),
            entry("task", TaskCommand::new, "tasks"),
            entry("delegate", DelegateCommand::new),
            entry("delegations", KnownCommands.Delegations::new),
            entry("command", CommandCommand::new),
            entry("query", QueryCommand::new),
            entry("agents", KnownCommands.Agents::new),
            entry("budgets", KnownCommands.Budgets::new),
            entry("goals", KnownCommands.Goals::new),
            entry("sessions", SessionsCommand::new),
            entry("subscriptions", SubscriptionsCommand::new),
            entry("deliveries", DeliveriesCommand::new),
            entry("dlq", DlqCommand::new),
            entry("audit", AuditCommand::new),
            entry("stats", StatsCommand::new),
            entry("status", StatusCommand::new),
            entry("token", TokenCommand::new, "tokens"),
            entry("tenant", TenantCommand::new, "tenants"),
            entry("role", RoleCommand::new, "roles"),
            entry("link", LinkCommand::new, "links"),
            entry("doctor", DoctorCommand::new),
            entry("rebuild", RebuildCommand::new),
            entry("init", InitCommand::new),
            entry("config", ConfigCommand::new),
            entry("conformance", ConformanceCommand::new),
            entry("bench", BenchCommand::new),
            entry("a2a", A2aCommand::new),
            entry("completion", CompletionCommand::new));

    private Commands() {}

    private static Entry entry(String name, Supplier<Object> command, String... aliases) {
        return new Entry(name, List.of(aliases), command);
    }

    /** Adds the command of that name or alias; all of them when there is none. */
    static void add(CommandLine to, @Nullable String word) {
        for (Entry entry : ALL) {
            if (entry.name().equals(word) || (word != null && entry.aliases().contains(word))) {
                add(to, entry);
                return;
            }
        }
        ALL.forEach(entry -> add(to, entry));
    }

    private static void add(CommandLine to, Entry entry) {
        to.addSubcommand(entry.name(), entry.command().get(), entry.aliases().toArray(String[]::new));
    }
}
