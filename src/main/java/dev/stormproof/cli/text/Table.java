package dev.stormproof.cli.text;

import dev.stormproof.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/** A table with each column as wide as what stands there: the first one to the left, the others to the right. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String name, Object... heads) {
        add(name, heads);
    }

    void add(Object name, Object... cells) {
        List<String> row = new ArrayList<>(List.of(name.toString()));
        for (Object cell : cells) {
            row.add(cell instanceof Number ? ReportText.text("%,d", cell) : cell.toString());
        }
        rows.add(row);
    }

    void print(Terminal out) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                int column = i;
                int width = rows.stream()
                        .mapToInt(other -> other.get(column).length())
                        .max()
                        .orElse(0);
                String blanks = " ".repeat(width - row.get(i).length());
                line.append(i == 0 ? row.get(i) + blanks : "  " + blanks + row.get(i));
            }
            out.println(line);
        }
    }
}
