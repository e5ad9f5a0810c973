package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
)

// A release has the pages. What writes them is not part of the program, because nobody else needs it.
var manDir = flag.String("man", "", "write the man pages to a `directory`")

// There is a page for each command, with its texts as they are.
func TestManPages(t *testing.T) {
	dir := *manDir
	if dir == "" {
		dir = t.TempDir()
	}
	root := newRoot(cli.NewEnvironment(strings.NewReader(""), os.Stdout, os.Stderr))
	escapeMarkdown(root)
	if err := doc.GenManTree(root, &doc.GenManHeader{Title: "PRUNE-GEN", Section: "1", Source: "prune-gen"}, dir); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands() {
		if c.Name() == "help" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "prune-gen-"+c.Name()+".1"))
		if err != nil {
			t.Error(err)
		}
		line, _, _ := strings.Cut(c.Long, "\n")
		if !strings.Contains(string(text), line) {
			t.Errorf("not on the page of %s: %s\n%s", c.Name(), line, text)
		}
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
