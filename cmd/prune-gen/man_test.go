package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// A release has the pages. What writes them is not part of the program, because nobody else needs it.
var manDir = flag.String("man", "", "write the man pages to a `directory`")

// There is a page for each command, with its texts as they are, the values of its flags, and a name that indexes of pages can read.
func TestManPages(t *testing.T) {
	dir := *manDir
	if dir == "" {
		dir = t.TempDir()
	}
	root := newRoot(cli.NewEnvironment(strings.NewReader(""), os.Stdout, os.Stderr))
	pages := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			pages = append(pages, c)
		}
	}
	for _, c := range pages {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		text := manPage(c)
		file := filepath.Join(dir, name+".1")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		plain := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fI`, "", `\fR`, "", `\&`, "").Replace(text)
		wants := []string{
			".TH " + strings.ToUpper(name) + " 1 ",
			"\n.SH NAME\n" + name + " - " + c.Short + "\n.SH SYNOPSIS\n",
			"\n.B " + c.CommandPath(),
		}
		if c.Short == "" || c == root && !strings.Contains(plain, "prune-gen <command> [flags]") {
			t.Errorf("%s: %s", name, text)
		}
		line, _, _ := strings.Cut(c.Long, "\n")
		wants = append(wants, line)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			value, _ := pflag.UnquoteUsage(f)
			wants = append(wants, strings.TrimSuffix("--"+f.Name+"="+value, "=")+"\n")
		})
		for _, want := range wants {
			if !strings.Contains(plain, want) {
				t.Errorf("%s: not on the page: %q", name, want)
			}
		}
		// Unescaped, these begin requests or are lost.
		if wrong := regexp.MustCompile(`(?m)^'|^\.[^A-Zb]|\\[^&efI-]|[^\\]-|[^\x00-\x7e]`).FindString(strings.NewReplacer(`\fB`, "", `\fR`, "").Replace(text)); wrong != "" {
			t.Errorf("%s: %q in\n%s", name, wrong, text)
		}
		t.Run(name, func(t *testing.T) { testManPage(t, file, name) })
	}
}

// testManPage asks the programs that show and index pages, where there are any. The tests of a release do the same.
func testManPage(t *testing.T, file, name string) {
	testsize.NotShort(t)
	if _, err := exec.LookPath("lexgrog"); err != nil {
		return
	}
	if out, err := exec.Command("lexgrog", file).CombinedOutput(); err != nil || !strings.Contains(string(out), `"`+name+" - ") {
		t.Errorf("lexgrog: %v: %s", err, out)
	}
	if out, err := exec.Command("sh", "-c", `man --warnings -l "$0" 2>&1 >/dev/null`, file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("man: %v: %s", err, out)
	}
}

// manPage returns the page of a command.
func manPage(c *cobra.Command) string {
	var b strings.Builder
	section := func(name string) { fmt.Fprintf(&b, ".SH %s\n", name) }
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" prune\\-gen \"User Commands\"\n", roff(strings.ToUpper(name)))
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(name), roff(c.Short))
	section("SYNOPSIS")
	for i, way := range strings.Split(c.UseLine(), " | ") {
		if i > 0 {
			way = c.CommandPath() + " " + way
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, ".B %s\n", roff(way))
	}
	section("DESCRIPTION")
	b.WriteString(roffText(c.Long))
	if c.HasAvailableSubCommands() {
		section("COMMANDS")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	section("OPTIONS")
	flags := func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(&b, "\\fB\\-%s\\fR, ", f.Shorthand)
		}
		fmt.Fprintf(&b, "\\fB\\-\\-%s\\fR", roff(f.Name))
		if value != "" {
			fmt.Fprintf(&b, "=\\fI%s\\fR", roff(value))
		}
		if !slices.Contains([]string{"", "false", "[]", "0"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(&b, "\n%s\n", roff(usage))
	}
	c.NonInheritedFlags().VisitAll(flags)
	if c.HasParent() {
		c.InheritedFlags().VisitAll(flags)
	}
	if c.Example != "" {
		section("EXAMPLES")
		fmt.Fprintf(&b, ".EX\n%s\n.EE\n", roff(c.Example))
	}
	section("SEE ALSO")
	if c.HasParent() {
		fmt.Fprintf(&b, "%s(1)\n", roff(c.Parent().Name()))
	} else {
		var names []string
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, roff(name+"-"+sub.Name())+"(1)")
			}
		}
		b.WriteString(strings.Join(names, ",\n") + "\n")
	}
	return b.String()
}

// roffText returns paragraphs. Lines that are indented are a table, and stay as they are.
func roffText(text string) string {
	var b strings.Builder
	isTable := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if indented := strings.HasPrefix(line, "  "); indented != isTable {
			if isTable = indented; indented {
				b.WriteString(".EX\n")
			} else {
				b.WriteString(".EE\n")
			}
		}
		if line == "" {
			b.WriteString(".PP\n")
			continue
		}
		b.WriteString(roff(line) + "\n")
	}
	if isTable {
		b.WriteString(".EE\n")
	}
	return b.String()
}

// roff escapes a text.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
