package dev.harmovela.testkit.link;

import dev.harmovela.contract.json.Json;

/** One question and its answer between two agents. */
enum Conversation {
    COMMAND("command.requested", "command.completed"),
    QUERY("query.requested", "query.response"),
    DELEGATION("delegation.requested", "delegation.accepted");

    final String asks;
    final String answers;

    Conversation(String asks, String answers) {
        this.asks = asks;
        this.answers = answers;
    }

    /** A name of its own for what is asked in a direction. */
    String task(String direction) {
        return name().toLowerCase(java.util.Locale.ROOT) + "-" + direction;
    }

    String payload(String task) {
        return switch (this) {
            case COMMAND -> "{\"command\":\"resize\",\"args\":{}}";
            case QUERY -> "{\"query_scope\":\"facts\"}";
            case DELEGATION -> "{\"task_id\":\"" + task + "\",\"work_description\":\"draft\"}";
        };
    }

    String reply(String task) {
        return switch (this) {
            case COMMAND -> "{\"result\":{\"n\":1}}";
            case QUERY -> "{\"snapshot_version\":1,\"query_scope\":\"facts\",\"items\":[]}";
            case DELEGATION -> "{\"task_id\":\"" + task + "\"}";
        };
    }

    String members(String task, String asker, String asked) {
        String common = "\"correlation_id\":\"" + task + "\",\"target\":\"";
        return this == DELEGATION ? common + asked + "\"," + roles(task, asker, asked) : common + asked + "\"";
    }

    String answering(Json.Obj question, String task, String asker, String asked) {
        String common = "\"causation_id\":\"" + question.string("id") + "\",\"correlation_id\":\"" + task
                + "\",\"target\":\"" + asker + "\"";
        return this == DELEGATION ? common + "," + roles(task, asker, asked) : common;
    }

    private static String roles(String task, String asker, String asked) {
        return "\"task_id\":\"%s\",\"delegated_by\":\"%s\",\"delegated_to\":\"%s\"".formatted(task, asker, asked);
    }

    boolean isAnswerTo(Json.Obj question, Json.Obj heard) {
        return answers.equals(heard.string("type"))
                && String.valueOf(question.string("id")).equals(heard.string("causation_id"));
    }
}
