package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes a script for the shell. */
@Command(
        name = "completion",
        description = "Print a script that completes commands and options.",
        footer = {
            "",
            "Examples: source <(harmovela completion bash)",
            "          harmovela completion zsh > ~/.harmovela.zsh   and source it in ~/.zshrc"
        })
final class CompletionCommand extends HubCommand {

    /** Shells there is a script for. */
    enum Shell {
        BASH,
        ZSH
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private Shell shell;

    @Override
    int run() {
        String script = AutoComplete.bash("harmovela", Main.commandLine(console(), Map.of(), null));
        String whole = shell == Shell.ZSH ? "autoload -U +X bashcompinit && bashcompinit\n" + script : script;
        console().result(Json.Obj.builder().put("script", whole).build(), whole);
        return ExitCodes.OK;
    }
}
