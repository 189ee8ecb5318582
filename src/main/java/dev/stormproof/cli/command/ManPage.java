package dev.stormproof.cli.command;

import java.util.ArrayList;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * A manual page describes a command in the language of {@code man(7)}, with the words of its {@code --help}.
 *
 * <pre>
 *   name, description, options ── picocli's model ──► .SH NAME, SYNOPSIS, DESCRIPTION, OPTIONS, COMMANDS
 *   footer ──► EXAMPLES, and the rest of it
 * </pre>
 */
final class ManPage {
    private static final String EXAMPLES = "Examples:";
    private static final String EXIT_CODES = "Exit codes: ";

    private final List<String> lines = new ArrayList<>();

    private ManPage() {}

    /** The name of a command's page, without the section: {@code stormproof-key-create}. */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    /**
     * The lines of a page.
     *
     * @param program name and version
     */
    static List<String> of(CommandLine command, String program) {
        ManPage page = new ManPage();
        CommandSpec spec = command.getCommandSpec();
        UsageMessageSpec usage = spec.usageMessage();
        String name = name(command);
        page.lines.add(
                ".TH \"" + name.toUpperCase(Locale.ROOT) + "\" \"1\" \"\" \"" + escaped(program) + "\" \"Stormproof\"");
        page.section("NAME");
        page.text(name + " - " + summary(usage));
        page.section("SYNOPSIS");
        page.literal(command.getHelp().synopsis(0).strip().lines().toList());
        page.section("DESCRIPTION");
        for (String paragraph : usage.description()) {
            page.paragraph(paragraph);
        }
        page.arguments(spec);
        page.commands(command);
        page.footer(usage.footer());
        return page.lines;
    }

    private static String summary(UsageMessageSpec usage) {
        String first = usage.description().length == 0 ? "" : formatted(usage.description()[0]);
        int end = first.indexOf(". ");
        return end < 0 ? first : first.substring(0, end + 1);
    }

    private void arguments(CommandSpec spec) {
        List<ArgSpec> shown = new ArrayList<>();
        spec.positionalParameters().stream().filter(one -> !one.hidden()).forEach(shown::add);
        spec.options().stream().filter(one -> !one.hidden()).forEach(shown::add);
        if (!shown.isEmpty()) {
            section("OPTIONS");
        }
        for (ArgSpec one : shown) {
            lines.add(".TP");
            lines.add(one instanceof OptionSpec option ? heading(option) : heading((PositionalParamSpec) one));
            text(String.join(" ", one.description()));
        }
    }

    private static String heading(OptionSpec option) {
        String names = String.join("\\fR, \\fB", List.of(option.names())).replace("-", "\\-");
        boolean takesValue = option.arity().max() > 0;
        return "\\fB" + names + "\\fR" + (takesValue ? "=\\fI" + escaped(option.paramLabel()) + "\\fR" : "");
    }

    private static String heading(PositionalParamSpec parameter) {
        return "\\fI" + escaped(parameter.paramLabel()) + "\\fR";
    }

    private void commands(CommandLine command) {
        if (command.getSubcommands().isEmpty()) {
            return;
        }
        section("COMMANDS");
        command.getSubcommands().forEach((name, sub) -> {
            lines.add(".TP");
            lines.add("\\fB" + escaped(name) + "\\fR");
            text(summary(sub.getCommandSpec().usageMessage()));
        });
    }

    private void footer(String[] footer) {
        boolean examples = false;
        List<String> literal = new ArrayList<>();
        for (String line : footer) {
            if (line.equals(EXAMPLES)) {
                literal(literal);
                literal.clear();
                section("EXAMPLES");
                examples = true;
            } else if (line.startsWith(EXIT_CODES)) {
                literal(literal);
                literal.clear();
                section("EXIT STATUS");
                paragraph(line.substring(EXIT_CODES.length()));
            } else if (line.startsWith("  ")) {
                literal.add(formatted(line));
            } else {
                literal(literal);
                literal.clear();
                if (!line.isEmpty() && !examples && lines.stream().noneMatch(".SH NOTES"::equals)) {
                    section("NOTES");
                }
                paragraph(line);
            }
        }
        literal(literal);
    }

    private void section(String heading) {
        lines.add(".SH " + heading);
    }

    private void paragraph(String text) {
        if (!text.isEmpty()) {
            lines.add(".PP");
            text(text);
        }
    }

    private void literal(List<String> verbatim) {
        if (verbatim.isEmpty()) {
            return;
        }
        lines.add(".nf");
        verbatim.forEach(line -> lines.add(escaped(line)));
        lines.add(".fi");
    }

    private void text(String text) {
        lines.add(escaped(formatted(text)));
    }

    /** As {@code --help} shows it: without picocli's marks, and {@code %%} as one. */
    private static String formatted(String text) {
        String plain = Ansi.OFF.string(text);
        try {
            return String.format(Locale.ROOT, plain).replaceAll("\\R", " ");
        } catch (IllegalFormatException e) {
            return plain;
        }
    }

    /** What man(7) takes for text, and not for a request of its own. */
    private static String escaped(String text) {
        StringBuilder ascii = new StringBuilder();
        text.replace("\\", "\\e").replace("-", "\\-").codePoints().forEach(character -> {
            if (character < 0x80) {
                ascii.appendCodePoint(character);
            } else {
                ascii.append(String.format(Locale.ROOT, "\\[u%04X]", character));
            }
        });
        String safe = ascii.toString();
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
