package dev.harmovela.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimDiskTest {

    private static void write(DiskFile file, int blocks, int value) throws IOException {
        byte[] bytes = new byte[blocks * SimDisk.BLOCK];
        Arrays.fill(bytes, (byte) value);
        file.write(0, ByteBuffer.wrap(bytes));
    }

    private static byte[] read(Disk disk, String name) throws IOException {
        try (DiskFile file = disk.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(0, bytes);
            return bytes.array();
        }
    }

    private static SimDisk withForcedFile(long seed) throws IOException {
        SimDisk disk = new SimDisk(seed);
        try (DiskFile file = disk.create("a")) {
            write(file, 4, 1);
            file.force();
        }
        disk.forceDirectory();
        return disk;
    }

    @Test
    void whatWasForcedSurvivesEveryCrash() throws IOException {
        for (long seed = 0; seed < 50; seed++) {
            SimDisk after = withForcedFile(seed).crash();
            assertThat(after.list()).containsExactly("a");
            assertThat(read(after, "a")).hasSize(4 * SimDisk.BLOCK).containsOnly(1);
        }
    }

    @Test
    void unforcedBlocksComeBackOldNewOrTorn() throws IOException {
        Set<String> outcomes = new HashSet<>();
        boolean torn = false;
        for (long seed = 0; seed < 200; seed++) {
            SimDisk disk = withForcedFile(seed);
            try (DiskFile file = disk.open("a")) {
                write(file, 3, 2);
            }
            assertThat(read(disk, "a")[0]).isEqualTo((byte) 2);
            byte[] after = read(disk.crash(), "a");
            StringBuilder outcome = new StringBuilder();
            for (int block = 0; block < 4; block++) {
                byte[] bytes = Arrays.copyOfRange(after, block * SimDisk.BLOCK, (block + 1) * SimDisk.BLOCK);
                torn |= bytes[0] != bytes[SimDisk.BLOCK - 1];
                outcome.append(bytes[0]);
            }
            outcomes.add(outcome.toString());
        }
        assertThat(outcomes).contains("1111", "2221", "1121", "2111", "1211").allMatch(o -> o.endsWith("1"));
        assertThat(torn).isTrue();
    }

    @Test
    void unforcedNamesComeBackOrNot() throws IOException {
        Set<List<String>> outcomes = new HashSet<>();
        for (long seed = 0; seed < 200; seed++) {
            SimDisk disk = withForcedFile(seed);
            disk.create("b").close();
            disk.rename("a", "c");
            outcomes.add(disk.crash().list());
        }
        assertThat(outcomes)
                .containsExactlyInAnyOrder(List.of("a"), List.of("a", "b"), List.of("c"), List.of("b", "c"));
    }

    @Test
    void anUnforcedDeleteMayComeBack() throws IOException {
        Set<List<String>> outcomes = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            SimDisk disk = withForcedFile(seed);
            disk.delete("a");
            assertThat(disk.list()).isEmpty();
            outcomes.add(disk.crash().list());
        }
        assertThat(outcomes).containsExactlyInAnyOrder(List.of(), List.of("a"));
    }

    @Test
    void theDeathOfTheProcessKeepsWhatIsInTheCacheButForcesNothing() throws IOException {
        Set<Byte> outcomes = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            SimDisk disk = withForcedFile(seed);
            write(disk.open("a"), 1, 2);
            SimDisk next = disk.kill();
            assertThat(disk.isDown()).isTrue();
            assertThat(read(next, "a")[0]).isEqualTo((byte) 2);
            outcomes.add(read(next.crash(), "a")[0]);
        }
        assertThat(outcomes).containsExactlyInAnyOrder((byte) 1, (byte) 2);
    }

    @Test
    void afterAFailedForceALaterOneDoesNotHelp() throws IOException {
        for (long seed = 0; seed < 50; seed++) {
            SimDisk disk = withForcedFile(seed).failForce(1);
            DiskFile file = disk.open("a");
            write(file, 1, 2);
            assertThatThrownBy(file::force).isInstanceOf(IOException.class).hasMessageContaining("force failed");
            file.force();
            assertThat(read(disk, "a")[0]).isEqualTo((byte) 2);
            assertThat(read(disk.kill().crash(), "a")[0]).isEqualTo((byte) 1);
        }
    }

    @Test
    void aFailedWriteLeavesAPart() throws IOException {
        SimDisk disk = withForcedFile(1).failWrite(2);
        DiskFile file = disk.open("a");
        write(file, 1, 2);
        assertThatThrownBy(() -> write(file, 2, 3)).isInstanceOf(IOException.class);
        assertThat(read(disk, "a")[0]).isEqualTo((byte) 3);
        assertThat(read(disk, "a")[SimDisk.BLOCK]).isEqualTo((byte) 1);
        write(file, 2, 4);
    }

    @Test
    void filesCannotGrowBeyondTheCapacity() throws IOException {
        SimDisk disk = withForcedFile(1).capacity(5 * SimDisk.BLOCK);
        DiskFile file = disk.create("b");
        write(file, 1, 2);
        assertThatThrownBy(() -> write(file, 2, 2)).hasMessageContaining("No space left");
        assertThatThrownBy(() -> file.truncate(3 * SimDisk.BLOCK)).hasMessageContaining("No space left");
        write(disk.open("a"), 4, 3);
        disk.delete("a");
        write(file, 5, 2);
        assertThat(disk.used()).isEqualTo(5L * SimDisk.BLOCK);
    }

    @Test
    void aCrashStopsTheDiskAtItsStepWithOrWithoutEffect() throws IOException {
        Set<List<String>> outcomes = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            SimDisk disk = new SimDisk(seed).crashAtStep(2);
            disk.create("a").close();
            assertThat(disk.list()).hasSize(1);
            assertThatThrownBy(() -> disk.create("b")).isInstanceOf(SimCrash.class);
            assertThat(disk.isDown()).isTrue();
            assertThatThrownBy(disk::list).isInstanceOf(SimCrash.class);
            assertThatThrownBy(disk::forceDirectory).isInstanceOf(SimCrash.class);
            outcomes.add(disk.kill().list());
        }
        assertThat(outcomes).containsExactlyInAnyOrder(List.of("a"), List.of("a", "b"));
    }

    @Test
    void stepsAreChangesAndCallsAreEverything() throws IOException {
        SimDisk disk = withForcedFile(1);
        assertThat(disk.steps()).isEqualTo(4);
        assertThat(disk.calls()).isEqualTo(4);
        disk.list();
        read(disk, "a");
        assertThat(disk.steps()).isEqualTo(4);
        assertThat(disk.calls()).isEqualTo(8);
        assertThat(disk.trace()).containsExactly("create a", "write a 0+16384", "force a", "force directory");
    }

    @Test
    void sabotageForgetsToForce() throws IOException {
        boolean contentLost = false;
        boolean nameLost = false;
        for (long seed = 0; seed < 50; seed++) {
            SimDisk unforced = new SimDisk(seed).ignoreForce();
            write(unforced.create("a"), 1, 1);
            unforced.open("a").force();
            unforced.forceDirectory();
            contentLost |= read(unforced.crash(), "a").length == 0;
            SimDisk nameless = new SimDisk(seed).ignoreForceDirectory();
            nameless.create("a").force();
            nameless.forceDirectory();
            nameLost |= nameless.crash().list().isEmpty();
        }
        assertThat(contentLost).isTrue();
        assertThat(nameLost).isTrue();
    }

    @Test
    void theSeedDecidesEverything() throws IOException {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(crashed(seed)).isEqualTo(crashed(seed));
        }
        assertThat(crashed(3)).isNotEqualTo(crashed(4));
    }

    private static byte[] crashed(long seed) throws IOException {
        SimDisk disk = withForcedFile(seed);
        write(disk.open("a"), 3, 2);
        disk.create("b").close();
        SimDisk after = disk.crash();
        return (after.list() + Arrays.toString(read(after, "a"))).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aFlippedBitIsThereForGood() throws IOException {
        SimDisk disk = withForcedFile(1);
        disk.flip("a", 5, 1);
        assertThat(read(disk, "a")[5]).isEqualTo((byte) 3);
        assertThat(read(disk.crash(), "a")[5]).isEqualTo((byte) 3);
    }

    @Test
    void aDeletedFileStaysReadableWhereItIsOpen() throws IOException {
        SimDisk disk = withForcedFile(1);
        try (DiskFile file = disk.open("a")) {
            disk.delete("a");
            assertThat(file.read(0, ByteBuffer.allocate(10))).isEqualTo(10);
            assertThat(file.read(file.size(), ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThatThrownBy(() -> disk.open("a")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> disk.delete("a")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void namesAreUnique() throws IOException {
        SimDisk disk = withForcedFile(1);
        assertThatThrownBy(() -> disk.create("a")).isInstanceOf(FileAlreadyExistsException.class);
        disk.create("b").close();
        disk.rename("b", "a");
        assertThat(disk.list()).containsExactly("a");
        assertThat(read(disk, "a")).isEmpty();
    }

    @Test
    void truncatedBytesComeBackAsZeros() throws IOException {
        SimDisk disk = withForcedFile(1);
        try (DiskFile file = disk.open("a")) {
            file.truncate(10);
            file.truncate(SimDisk.BLOCK);
            file.force();
        }
        byte[] after = read(disk.crash(), "a");
        assertThat(after).hasSize(SimDisk.BLOCK);
        assertThat(Arrays.copyOf(after, 10)).containsOnly(1);
        assertThat(Arrays.copyOfRange(after, 10, SimDisk.BLOCK)).containsOnly(0);
    }

    @Test
    void aCopyGoesItsOwnWay() throws IOException {
        SimDisk disk = withForcedFile(1);
        SimDisk copy = disk.copy();
        write(copy.open("a"), 1, 7);
        copy.create("b").close();
        assertThat(disk.list()).containsExactly("a");
        assertThat(read(disk, "a")).containsOnly(1);
    }
}
