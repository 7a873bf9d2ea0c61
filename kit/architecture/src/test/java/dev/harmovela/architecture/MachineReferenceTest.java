package dev.harmovela.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.harmovela.contract.lifecycle.Lifecycle;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Keeps docs/machines equal to the tables in the code; machines are found, not listed. */
class MachineReferenceTest {

    private static final int AT_LEAST = 2;

    @Test
    void everyMachineHasItsDiagram() throws Exception {
        Map<String, Lifecycle<?, ?>> machines = new TreeMap<>();
        for (JavaClass type : CodeBase.CLASSES) {
            if (type.tryGetField("TABLE").isPresent()
                    && type.getField("TABLE").getRawType().isEquivalentTo(Lifecycle.class)) {
                Field field = type.reflect().getDeclaredField("TABLE");
                field.setAccessible(true);
                Lifecycle<?, ?> machine = (Lifecycle<?, ?>) field.get(null);
                machines.put(machine.name(), machine);
            }
        }
        assertThat(machines).hasSizeGreaterThanOrEqualTo(AT_LEAST);
        for (Lifecycle<?, ?> machine : machines.values()) {
            Checkout.golden("docs/machines/" + machine.name() + ".md", page(machine));
        }
    }

    private static String page(Lifecycle<?, ?> machine) {
        return "# " + machine.name() + "\n\nGenerated from its table by `./dev golden architecture`.\n\n```mermaid\n"
                + machine.mermaid().strip() + "\n```\n";
    }
}
