package dev.harmovela.dimension.task;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are meant. Every given member must hold; one with several values holds for any of them. What is not
 * known is refused and not passed over: a misspelt member would select everything.
 *
 * @param states states that are meant, never empty
 * @param equal values by the name of a member of a task's description
 * @param submitted when it was submitted
 * @param ended when it ended; {@link Span#ALWAYS} also holds for a task that lives
 */
public record TaskFilter(Set<TaskState> states, Map<String, List<String>> equal, Span submitted, Span ended) {

    /** Times, both ends included, epoch milliseconds. */
    public record Span(long from, long to) {

        public static final Span ALWAYS = new Span(Long.MIN_VALUE, Long.MAX_VALUE);

        boolean holds(long at) {
            return at >= from && at <= to;
        }
    }

    /** Somebody who has a part in the task: its owner, submitter or target. */
    public static final String PARTY = "party";

    private static final String STATE = "state";
    private static final List<String> PARTS = List.of("owner", "submitter", "target");
    private static final List<String> TIMES = List.of("submitted_from", "submitted_to", "ended_from", "ended_to");
    private static final Map<String, Function<Task, @Nullable String>> FIELDS = fields();

    /** Members that are compared with values. */
    private static final List<String> NAMES = names(FIELDS);

    private static List<String> names(Map<String, ?> fields) {
        List<String> names = new ArrayList<>(fields.keySet());
        names.add(PARTY);
        return List.copyOf(names);
    }

    private static Map<String, Function<Task, @Nullable String>> fields() {
        Map<String, Function<Task, @Nullable String>> fields = new LinkedHashMap<>();
        fields.put("task_id", Task::id);
        fields.put("owner", Task::owner);
        fields.put("submitter", task -> task.born().submitter());
        fields.put("target", task -> task.born().target());
        fields.put("parent_task_id", task -> task.born().parentId());
        fields.put("correlation_id", task -> task.born().correlationId());
        fields.put("ended_by", task -> task.end == null ? null : TaskView.by(task.end));
        fields.put("reason", task -> task.end == null ? null : task.end.reason());
        return fields;
    }

    /** What is wrong with a filter, or null; {@code at} is the path of its members, empty or ending in a dot. */
    public static @Nullable ProtocolError problem(String at, Json.Obj filter) {
        for (String name : filter.names()) {
            if (!name.equals(STATE) && !TIMES.contains(name) && !NAMES.contains(name)) {
                return ProtocolError.mismatch(
                        ErrorCode.INVALID_PAYLOAD, at + name, "one of " + names(), "an unknown member");
            }
            List<String> values = filter.strings(name);
            if (filter.has(name) && (values.isEmpty() || values.stream().anyMatch(String::isEmpty))) {
                return ProtocolError.invalidPayload(at + name, "a string or several", "something else");
            }
            ProtocolError wrong = name.equals(STATE)
                    ? states(at + name, values)
                    : TIMES.contains(name) ? instant(at + name, values) : null;
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private static String names() {
        return Stream.of(Stream.of(STATE), NAMES.stream(), TIMES.stream())
                .flatMap(some -> some)
                .collect(Collectors.joining(", "));
    }

    private static @Nullable ProtocolError states(String path, List<String> values) {
        for (String value : values) {
            if (named(value).isEmpty()) {
                String all = Arrays.stream(TaskState.values())
                        .map(one -> one.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", "));
                return ProtocolError.invalidPayload(path, "live, ended or a state: " + all, value);
            }
        }
        return null;
    }

    private static @Nullable ProtocolError instant(String path, List<String> values) {
        return values.size() == 1 && Timestamps.parse(values.getFirst()) != Timestamps.INVALID
                ? null
                : ProtocolError.invalidPayload(path, "a time such as 2026-07-10T10:00:00Z", String.join(", ", values));
    }

    /** Reads a filter without a {@link #problem}. */
    public static TaskFilter of(Json.Obj filter) {
        Set<TaskState> states = EnumSet.noneOf(TaskState.class);
        filter.strings(STATE).forEach(name -> states.addAll(named(name)));
        if (states.isEmpty()) {
            states.addAll(EnumSet.allOf(TaskState.class));
        }
        Map<String, List<String>> equal = new LinkedHashMap<>();
        for (String name : NAMES) {
            List<String> values = filter.strings(name);
            if (!values.isEmpty()) {
                equal.put(name, values);
            }
        }
        return new TaskFilter(states, equal, span(filter, "submitted"), span(filter, "ended"));
    }

    private static Span span(Json.Obj filter, String what) {
        String from = filter.string(what + "_from");
        String to = filter.string(what + "_to");
        return from == null && to == null
                ? Span.ALWAYS
                : new Span(
                        from == null ? Long.MIN_VALUE : Timestamps.parse(from),
                        to == null ? Long.MAX_VALUE : Timestamps.parse(to));
    }

    /** Names of states in any case; {@code live} and {@code ended} stand for several. */
    private static Set<TaskState> named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        Set<TaskState> states = EnumSet.noneOf(TaskState.class);
        for (TaskState state : TaskState.values()) {
            boolean meant = switch (wanted) {
                case "live" -> !state.ended();
                case "ended" -> state.ended();
                default -> state.name().equalsIgnoreCase(wanted);
            };
            if (meant) {
                states.add(state);
            }
        }
        return states;
    }

    /** Those of the states in which a task stays. */
    public Set<TaskState> ends() {
        return states.stream()
                .filter(TaskState::ended)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(TaskState.class)));
    }

    boolean matches(Task task) {
        if (!states.contains(task.state) || !submitted.holds(task.born().at())) {
            return false;
        }
        if (!ended.equals(Span.ALWAYS) && (task.end == null || !ended.holds(task.end.at()))) {
            return false;
        }
        for (Map.Entry<String, List<String>> one : equal.entrySet()) {
            List<String> fields = fieldsOf(one.getKey());
            if (fields.stream().noneMatch(field -> holds(field, one.getValue(), task))) {
                return false;
            }
        }
        return true;
    }

    /** Members of a task's description that a member of the filter is compared with. */
    private static List<String> fieldsOf(String name) {
        return name.equals(PARTY) ? PARTS : List.of(name);
    }

    private static boolean holds(String field, List<String> values, Task task) {
        Function<Task, @Nullable String> read = FIELDS.get(field);
        String value = read == null ? null : read.apply(task);
        return value != null && values.contains(value);
    }
}
