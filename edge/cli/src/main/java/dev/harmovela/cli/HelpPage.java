package dev.harmovela.cli;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Keeps help pages short: a command lists its own options and names the ones that all commands share. */
final class HelpPage {

    private HelpPage() {}

    static void shape(CommandLine line) {
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        usage.abbreviateSynopsis(true);
        usage.exitCodeListHeading("%nExit codes:%n");
        usage.exitCodeList(ExitCodes.explained());
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpPage::options);
        line.getSubcommands().values().forEach(HelpPage::shape);
    }

    private static String options(Help help) {
        List<OptionSpec> all = help.commandSpec().options();
        List<OptionSpec> own = all.stream()
                .filter(option -> !option.inherited() && !option.hidden())
                .toList();
        Help.Layout layout = help.createDefaultLayout();
        layout.addOptions(own, help.parameterLabelRenderer());
        String shared = all.stream()
                .filter(OptionSpec::inherited)
                .map(OptionSpec::longestName)
                .collect(Collectors.joining(" "));
        return layout + (shared.isEmpty() ? "" : "      and those of every command: " + shared + "\n");
    }
}
