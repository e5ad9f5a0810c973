package assist

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/explain/schematree"
	"github.com/prune-gen/prune-gen/structural"
)

// How many bytes of descriptions are shown: with a proposal, and alone.
const shortDescription, longDescription = 1 << 10, 8 << 10

// Hover returns what is known about the key or the value at an offset, as Markdown, and the bounds of what it is about.
func Hover(c Catalog, text []byte, offset int) (markdown string, start, end int, ok bool) {
	s, ok := locate(c, text, offset)
	if !ok {
		return "", 0, 0, false
	}
	if len(s.path) == 1 && (s.path[0].Name == "apiVersion" || s.path[0].Name == "kind") {
		return describeKind(s.crd, s.version, s.behavior), s.start, s.end, true
	}
	n := schematree.At(s.behavior, s.path)
	if n == nil {
		return "", 0, 0, false
	}
	return code(s.path.String()) + ": " + code(n.Type) + "\n\n" + describe(n, longDescription), s.start, s.end, true
}

// describeKind describes a kind by its CRD.
func describeKind(c *structural.CRD, v *structural.Version, b structural.Behavior) string {
	var out strings.Builder
	fmt.Fprintf(&out, "**%s** %s\n\n- %s\n", Markdown(c.Names.Kind), code(c.Name), strings.ToLower(c.Scope))
	for _, other := range c.Versions {
		var traits []string
		for _, t := range []struct {
			has  bool
			name string
		}{{other.Served, "served"}, {!other.Served, "not served"}, {other.Storage, "stored"}, {other.Deprecated, "deprecated"}, {other == v, "this one"}} {
			if t.has {
				traits = append(traits, t.name)
			}
		}
		fmt.Fprintf(&out, "- %s: %s\n", code(c.Group+"/"+other.Name), strings.Join(traits, ", "))
	}
	if v.Deprecated {
		fmt.Fprintf(&out, "\n%s\n", Markdown(structural.DeprecationWarning(c, v)))
	}
	if b.Schema != nil && b.Schema.Description != "" {
		out.WriteString("\n" + Markdown(shorten(b.Schema.Description, longDescription)) + "\n")
	}
	return out.String()
}

// maxListed is how many facts and rules are shown.
const maxListed = 50

// describe describes a field as Markdown.
func describe(n *schematree.Node, most int) string {
	var out strings.Builder
	for _, f := range n.Facts[:min(len(n.Facts), maxListed)] {
		out.WriteString("- " + Markdown(shorten(f.Text, most)) + "\n")
	}
	for _, r := range n.Rules[:min(len(n.Rules), maxListed)] {
		out.WriteString("- rule " + code(shorten(r.Rule, most)))
		if r.Message != "" {
			out.WriteString(": " + Markdown(shorten(oneLine(r.Message), most)))
		}
		out.WriteString("\n")
	}
	if n.Description != "" {
		out.WriteString("\n" + Markdown(shorten(n.Description, most)) + "\n")
	}
	return strings.TrimPrefix(out.String(), "\n")
}

// shorten cuts a text after a number of bytes.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// code returns a text as code.
func code(s string) string {
	if s = printable(oneLine(s)); strings.Contains(s, "`") {
		return Markdown(s)
	}
	return "`" + s + "`"
}

var (
	// special matches code between two backticks, and what Markdown reads as something else than text.
	special = regexp.MustCompile("`[^`\n]+`|`+|[\\\\*_\\[\\]<>&#~|!]")
	// indented matches the beginning of a line. Four spaces would make it code.
	indented = regexp.MustCompile(`(?m)^([ \t]{0,3})[ \t]*`)
)

// Markdown returns a text of a CRD as Markdown that looks like it. CRDs are not to be trusted: the result has no HTML, no links and no
// images. Code between two backticks in a line stays code.
func Markdown(text string) string {
	return special.ReplaceAllStringFunc(indented.ReplaceAllString(printable(text), "$1"), func(s string) string {
		if len(s) > 2 && s[0] == '`' && s[1] != '`' {
			return s
		}
		return strings.Repeat(`\`+s[:1], len(s))
	})
}

// printable removes control characters and those that change the direction of a text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, s)
}
