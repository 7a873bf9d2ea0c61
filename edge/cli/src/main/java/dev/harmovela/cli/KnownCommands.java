package dev.harmovela.cli;

import picocli.CommandLine.Command;

/** Lists of what the hub knows together with its agents; each is one question to its API. */
final class KnownCommands {

    private KnownCommands() {}

    @Command(
            name = "agents",
            description = "List the agents that the hub knows: who is there, and what waits for them.",
            footer = {"", "Example: harmovela agents"})
    static final class Agents extends ListCommand {
        @Override
        String path() {
            return "agents";
        }

        @Override
        String[] columns() {
            return new String[] {
                "IDENTITY=identity", "ATTACHED=attached", "SESSIONS=sessions", "WAITING=inbox_pending", "TASKS=tasks"
            };
        }

        @Override
        String none() {
            return "No agents.";
        }
    }

    @Command(
            name = "budgets",
            description = {
                "List budgets: what they allow, and what of it is gone.",
                "They are set by adaptation.budget.established, see harmovela pub --help."
            },
            footer = {"", "Example: harmovela budgets --json"})
    static final class Budgets extends ListCommand {
        @Override
        String path() {
            return "budgets";
        }

        @Override
        String[] columns() {
            return new String[] {
                "BUDGET=budget_id",
                "FOR=scope_type",
                "WHICH=scope_id",
                "ISSUER=issuer",
                "COST=cost",
                "ACTIONS=actions",
                "DURATION MS=duration_ms",
                "EXHAUSTED=exhausted"
            };
        }

        @Override
        String none() {
            return "No budgets.";
        }
    }

    @Command(
            name = "goals",
            description = "List goals and how their tasks ended.",
            footer = {"", "Example: harmovela goals"})
    static final class Goals extends ListCommand {
        @Override
        String path() {
            return "goals";
        }

        @Override
        String[] columns() {
            return new String[] {"GOAL=goal_id", "STATE=state", "OWNER=owner", "WHAT=goal_description", "TASKS=tasks"};
        }

        @Override
        String none() {
            return "No goals.";
        }
    }

    @Command(
            name = "delegations",
            description = "List who handed which task over to whom.",
            footer = {"", "Example: harmovela delegations"})
    static final class Delegations extends ListCommand {
        @Override
        String path() {
            return "delegations";
        }

        @Override
        String[] columns() {
            return new String[] {"TASK=task_id", "FROM=delegated_by", "TO=delegated_to", "STATE=state", "CHAIN=chain"};
        }

        @Override
        String none() {
            return "No delegations.";
        }
    }
}
