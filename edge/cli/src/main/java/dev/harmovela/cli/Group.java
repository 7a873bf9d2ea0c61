package dev.harmovela.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only holds others. */
abstract class Group implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        String commands = String.join(", ", spec.subcommands().keySet());
        throw new ParameterException(
                spec.commandLine(), "Say what to do: " + spec.qualifiedName() + " " + commands + ".");
    }
}
