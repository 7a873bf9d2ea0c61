package dev.harmovela.cli;

import picocli.CommandLine.Command;

/** The A2A side; {@code a2amesh X} is {@code harmovela a2a X}. */
@Command(
        name = "a2a",
        description = "Agents that speak A2A. a2amesh COMMAND is the same as harmovela a2a COMMAND.",
        subcommands = {A2aConformance.class, A2aBadge.class})
final class A2aCommand extends Group {}
