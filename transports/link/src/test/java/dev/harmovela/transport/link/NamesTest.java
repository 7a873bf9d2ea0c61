package dev.harmovela.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** D19: what comes from an event cannot reach out of its part of a name. */
class NamesTest {

    private final Names names = new Names("aep", Names.EQUALS);
    private final Names topics = new Names("aep", Names.DOTS);

    @Test
    void partsAreEscaped() {
        assertThat(names.to("sess-1")).isEqualTo("aep.to.sess-1");
        assertThat(names.to("a.b")).isEqualTo("aep.to.a=2Eb");
        assertThat(names.to(">")).isEqualTo("aep.to.=3E");
        assertThat(names.mapped("source", "agent:*")).isEqualTo("aep.source.agent=3A=2A");
        assertThat(names.mapped("topic", "{x} y")).isEqualTo("aep.topic.=7Bx=7D=20y");
        assertThat(names.mapped("topic", "é")).isEqualTo("aep.topic.=C3=A9");
    }

    @Test
    void typesKeepTheirDotsAndNothingElse() {
        assertThat(names.mapped("type", "task.completed")).isEqualTo("aep.type.task.completed");
        assertThat(names.mapped("type", "task..x")).doesNotContain("..");
        assertThat(names.mapped("type", ".x")).isEqualTo("aep.type.=2Ex");
        assertThat(names.mapped("type", "x.>")).isEqualTo("aep.type.x.=3E");
    }

    @Test
    void topicsHoldOnlyWhatKafkaTakes() {
        assertThat(topics.mapped("source", "agent:x=y"))
                .isEqualTo("aep.source.agent..3Ax..3Dy")
                .matches("[A-Za-z0-9._-]+");
        assertThat(topics.to("a.b")).isNotEqualTo(topics.to("a..2Eb"));
    }

    @Test
    void whatTheHubWritesIsKnown() {
        assertThat(names.isOutbound("aep.out")).isTrue();
        assertThat(names.isOutbound("aep.to.x")).isTrue();
        assertThat(names.isOutbound("aep.out.best_effort")).isTrue();
        assertThat(names.isOutbound("aep.events")).isFalse();
        assertThat(names.isOutbound("aep.type.task.completed")).isFalse();
    }
}
