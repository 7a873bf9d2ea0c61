package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows works as pasted; {@code ./dev readme} follows the whole page. */
class ReadmeTest {

    private static final Path ROOT = Path.of(System.getProperty("harmovela.root"));
    private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private static List<String> blocks(String heading) throws Exception {
        String text = Files.readString(ROOT.resolve("README.md"));
        String section = text.substring(text.indexOf("\n## " + heading));
        int next = section.indexOf("\n## ", 1);
        Matcher matcher = BLOCK.matcher(next < 0 ? section : section.substring(0, next));
        List<String> blocks = new ArrayList<>();
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        return blocks;
    }

    @Test
    void curlAloneCanPublishSubscribePollAndStream() throws Exception {
        List<String> blocks = blocks("With curl alone");
        assertThat(blocks).hasSize(1);
        try (Daemon hub = Daemon.start(ConfigLoader.development(0))) {
            String script = blocks.getFirst().replace("127.0.0.1:8787", "127.0.0.1:" + hub.port());
            Path file = Files.writeString(folder.resolve("readme.sh"), "set -eu\n" + script);
            Process bash = new ProcessBuilder("bash", file.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(bash.waitFor()).as(said).isZero();
            assertThat(said)
                    .contains("{\"accepted\":true,\"id\":\"evt_1\"", "\"task_id\":\"t-curl\"")
                    .contains("{\"events\":[{\"delivery\":{", "\"id\":\"evt_1\"")
                    .contains("{\"accepted\":true,\"id\":\"evt_2\"}")
                    .contains("event: task.accepted\ndata: {")
                    .contains("\"state\":\"ACCEPTED\"")
                    .doesNotContain("\"accepted\":false");
        }
    }

    @Test
    void everyLinkLeadsSomewhere() throws Exception {
        Matcher links = Pattern.compile("\\]\\(([^)]+)\\)").matcher(Files.readString(ROOT.resolve("README.md")));
        Stream<String> targets = links.results().map(found -> found.group(1));
        assertThat(targets)
                .isNotEmpty()
                .allSatisfy(target -> assertThat(ROOT.resolve(target)).exists());
    }
}
