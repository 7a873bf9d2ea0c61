package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CLI-01: a hub that is not there is told by the exit code and by one sentence or one object. */
class UnreachableTest {

    private static final String COMMANDS = """
            status
            stats
            task ls
            task show t1
            task submit work
            task watch t1
            task cancel t1
            sessions ls
            subscriptions ls
            subscriptions rm s1
            deliveries ls
            dlq ls
            dlq replay --all
            emit context.updated
            emit -
            subscribe *
            """;

    private static String[] words(String command, String... more) {
        return Stream.concat(Stream.of(command.split(" ")), Stream.of(more)).toArray(String[]::new);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = COMMANDS)
    void cli01EachCommandSaysItInOneObject(String commands) throws IOException {
        String url = "http://127.0.0.1:" + freePort();
        for (String command : commands.lines().toList()) {
            Cli.Ran ran = Cli.run(words(command, "--json", "--url", url));
            assertThat(ran.code()).as(command).isEqualTo(ExitCodes.NOT_REACHABLE);
            assertThat(ran.json().bool("ok")).isFalse();
            assertThat(ran.error().string("code")).isEqualTo("not_reachable");
            assertThat(ran.error().string("message")).contains(url);
            assertThat(ran.error().string("hint")).contains("harmovela serve");
            assertThat(ran.error().string("url")).isEqualTo(url);
            assertThat(ran.err()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = COMMANDS)
    void cli01EachCommandSaysItToPeopleInOneSentenceAndAHint(String commands) throws IOException {
        int port = freePort();
        for (String command : commands.lines().toList()) {
            Cli.Ran ran = Cli.run(Map.of("HARMOVELA_PORT", Integer.toString(port)), words(command));
            assertThat(ran.code()).as(command).isEqualTo(ExitCodes.NOT_REACHABLE);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err().lines()).hasSize(2);
            assertThat(ran.err()).startsWith("No hub answers at http://127.0.0.1:" + port + ".");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--port", "--host"})
    void optionsWinOverTheVariable(String option) throws IOException {
        int port = freePort();
        Map<String, String> environment = Map.of("HARMOVELA_URL", "http://127.0.0.1:1");
        List<String> more = option.equals("--port") ? List.of("--port", "" + port) : List.of("--host", "localhost");
        Cli.Ran ran = Cli.run(environment, words("stats", more.toArray(String[]::new)));
        assertThat(ran.err()).contains(option.equals("--port") ? "127.0.0.1:" + port : "localhost:8787");
    }
}
