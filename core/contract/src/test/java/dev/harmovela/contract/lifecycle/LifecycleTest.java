package dev.harmovela.contract.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.harmovela.contract.lifecycle.Lifecycle.Arc;
import dev.harmovela.contract.lifecycle.Lifecycle.Builder;
import org.junit.jupiter.api.Test;

class LifecycleTest {

    private enum Door {
        OPEN,
        SHUT,
        GONE
    }

    private enum Deed {
        BUILD,
        PULL,
        PUSH,
        BURN
    }

    private static Builder<Door, Deed> door() {
        return Lifecycle.named("door", Door.class, Deed.class)
                .start(Deed.BUILD, Door.SHUT)
                .add(Door.SHUT, Deed.PUSH, Door.OPEN)
                .add(Door.OPEN, Deed.PULL, Door.SHUT)
                .add(Door.OPEN, Deed.BURN, Door.GONE, Door.OPEN)
                .terminal(Door.GONE);
    }

    @Test
    void answersFromTheTable() {
        Lifecycle<Door, Deed> table = door().build();
        assertThat(table.name()).isEqualTo("door");
        assertThat(table.next(null, Deed.BUILD)).isEqualTo(Door.SHUT);
        assertThat(table.next(Door.SHUT, Deed.PUSH)).isEqualTo(Door.OPEN);
        assertThat(table.next(Door.SHUT, Deed.BURN)).isNull();
        assertThat(table.next(Door.GONE, Deed.PULL)).isNull();
        assertThat(table.allowed(Door.OPEN)).containsExactly(Deed.PULL, Deed.BURN);
        assertThat(table.allowed(Door.GONE)).isEmpty();
        assertThat(table.allowed(null)).containsExactly(Deed.BUILD);
        assertThat(table.terminal()).containsExactly(Door.GONE);
        assertThat(table.isTerminal(Door.OPEN)).isFalse();
        assertThat(table.arcs()).hasSize(5).contains(new Arc<>(Door.OPEN, Deed.PULL, Door.SHUT));
        assertThat(table.states()).isEqualTo(Door.class);
        assertThat(table.events()).isEqualTo(Deed.class);
    }

    @Test
    void choiceIsNotMadeByTheTable() {
        Lifecycle<Door, Deed> table = door().build();
        assertThat(table.targets(Door.OPEN, Deed.BURN)).containsExactly(Door.GONE, Door.OPEN);
        assertThatIllegalStateException().isThrownBy(() -> table.next(Door.OPEN, Deed.BURN));
    }

    @Test
    void changingTheBuilderLaterChangesNothing() {
        Builder<Door, Deed> builder = door();
        Lifecycle<Door, Deed> table = builder.build();
        builder.add(Door.SHUT, Deed.BURN, Door.GONE).terminal(Door.OPEN);
        assertThat(table.next(Door.SHUT, Deed.BURN)).isNull();
        assertThat(table.isTerminal(Door.OPEN)).isFalse();
    }

    @Test
    void drawsItself() {
        assertThat(door().build().mermaid()).isEqualTo("""
                        stateDiagram-v2
                            [*] --> SHUT : BUILD
                            SHUT --> OPEN : PUSH
                            OPEN --> SHUT : PULL
                            OPEN --> GONE : BURN
                            OPEN --> OPEN : BURN
                            GONE --> [*]
                        """);
    }

    @Test
    void refusesAnArcGivenTwice() {
        assertThatIllegalStateException().isThrownBy(() -> door().add(Door.SHUT, Deed.PUSH, Door.GONE));
        assertThatIllegalStateException().isThrownBy(() -> door().start(Deed.BUILD, Door.OPEN));
        assertThatIllegalStateException().isThrownBy(() -> door().add(Door.SHUT, Deed.BURN, Door.GONE, Door.GONE));
    }

    @Test
    void refusesTablesThatDoNotHold() {
        assertThatIllegalStateException()
                .as("exit from a terminal state")
                .isThrownBy(() -> door().add(Door.GONE, Deed.BUILD, Door.SHUT).build());
        assertThatIllegalStateException()
                .as("dead end")
                .isThrownBy(() -> Lifecycle.named("d", Door.class, Deed.class)
                        .start(Deed.BUILD, Door.OPEN)
                        .add(Door.OPEN, Deed.PULL, Door.SHUT)
                        .add(Door.OPEN, Deed.BURN, Door.GONE)
                        .terminal(Door.GONE)
                        .build());
        assertThatIllegalStateException()
                .as("state that nothing leads to")
                .isThrownBy(() -> Lifecycle.named("d", Door.class, Deed.class)
                        .start(Deed.BUILD, Door.OPEN)
                        .add(Door.OPEN, Deed.BURN, Door.GONE)
                        .add(Door.SHUT, Deed.PUSH, Door.OPEN)
                        .terminal(Door.GONE)
                        .build());
        assertThatIllegalStateException()
                .as("nothing begins it")
                .isThrownBy(() -> Lifecycle.named("d", Door.class, Deed.class)
                        .add(Door.OPEN, Deed.PULL, Door.SHUT)
                        .add(Door.SHUT, Deed.BURN, Door.GONE)
                        .add(Door.SHUT, Deed.PUSH, Door.OPEN)
                        .terminal(Door.GONE)
                        .build());
    }
}
