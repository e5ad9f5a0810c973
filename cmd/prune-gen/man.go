package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// manCommand returns the command that packagers call.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "write a man page for each command to a directory",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			escapeMarkdown(cmd.Root())
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Title: "PRUNE-GEN", Section: "1", Source: "prune-gen"}, args[0])
		},
	}
}

// escapeMarkdown marks what cobra would take for Markdown in the texts of a command and of those below it. A table, which is
// indented, is code for Markdown, and stays as it is.
func escapeMarkdown(cmd *cobra.Command) {
	escape := strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`)
	var long strings.Builder
	for line := range strings.Lines(cmd.Long) {
		if !strings.HasPrefix(line, "    ") {
			line = escape.Replace(line)
		}
		long.WriteString(line)
	}
	cmd.Long = long.String()
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = escape.Replace(f.Usage) })
	for _, c := range cmd.Commands() {
		escapeMarkdown(c)
	}
}
