package dev.harmovela.cli;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HubRefused;
import dev.harmovela.client.NotReachable;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What every command has. */
abstract class HubCommand implements Callable<Integer> {

    /** Who the command line is, unless it is told otherwise. */
    static final String IDENTITY = "agent:cli";

    @Spec
    private CommandSpec spec;

    /** Does what the command is for; the exit code. */
    abstract int run() throws Exception;

    @Override
    public final Integer call() throws Exception {
        console();
        return run();
    }

    Root root() {
        return (Root) spec.root().userObject();
    }

    Console console() {
        return root().console();
    }

    /** Attaches a session to the hub. */
    HarmovelaClient attach(String identity) throws Failure {
        URI hub = root().hub();
        try {
            return HarmovelaClient.connect(
                    hub, ClientOptions.of(identity).withToken(root().token()).withTls(root().tls()));
        } catch (NotReachable failure) {
            throw Failure.of(failure, hub);
        } catch (HubRefused refused) {
            throw Failure.of(refused, hub);
        }
    }
}
