package findings

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// githubPrinter prints workflow commands, which GitHub Actions shows beside the lines of a pull request:
//
//	::error file=crd.yaml,line=18,col=11,title=crontabs.stable.example.com v1%3A structural/type-required::message%0Ahint: ...
type githubPrinter struct{ base }

func (g *githubPrinter) finding(s Snippet) {
	level := "error"
	switch s.Severity {
	case structural.SeverityWarning:
		level = "warning"
	case structural.SeverityNote:
		level = "notice"
	}
	var props []string
	prop := func(key, value string) {
		if value != "" {
			props = append(props, key+"="+escapeProperty(value))
		}
	}
	if s.File != Stdin {
		prop("file", workspacePath(s.File))
	}
	if s.Line > 0 {
		prop("line", fmt.Sprint(s.Line))
		prop("col", fmt.Sprint(max(1, s.Column)))
	}
	about := cmp.Or(s.Object, strings.Join(nonEmpty(s.CRD, s.Version), " ")) // "" for a finding about a file
	prop("title", strings.Join(nonEmpty(about, string(s.ID)), ": "))
	lines := s.lines()
	for i := range lines {
		lines[i] = escapeData(lines[i])
	}
	if len(props) > 0 {
		level += " " + strings.Join(props, ",")
	}
	g.printf("::%s::%s\n", level, strings.Join(lines, "%0A"))
}

func (g *githubPrinter) finish(n Tally) {
	if n.failure != "" {
		g.printf("::error::%s\n", escapeData(n.failure))
	}
	if g.Quiet || n.failure != "" && n.errors+n.warnings+n.notes == 0 {
		return
	}
	plain := func(s string) string { return s }
	g.printf("%s\n", n.summary(plain, plain, plain))
	if said := n.Compared.String(); said != "" {
		g.printf("%s\n", said)
	}
	for _, line := range n.skips() {
		g.printf("::notice::%s\n", escapeData(line))
	}
}

// workspacePath returns name relative to the root of the checkout, as GitHub wants it.
func workspacePath(name string) string {
	if root := os.Getenv("GITHUB_WORKSPACE"); root != "" {
		if rel, ok := within(root, name); ok {
			return rel
		}
	}
	return filepath.ToSlash(name)
}

// within returns name relative to root, with slashes. It is false if name is not below root.
func within(root, name string) (string, bool) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// escapeData escapes the text after the second pair of colons.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(terminal.Escape(s))
}

// escapeProperty escapes the value of a property.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
