package generator

import (
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// runtimePath is the import path of the runtime, runtimeName what generated code calls it.
const (
	runtimePath = "github.com/prune-gen/prune-gen/runtime"
	runtimeName = "prunert"
)

// rt refers to something the runtime exports.
func rt(name string) *jen.Statement {
	return jen.Qual(runtimePath, name)
}

// object is the type of an object.
func object() *jen.Statement {
	return jen.Map(jen.String()).Any()
}

// recorder is the parameter of every function that walks.
func recorder() *jen.Statement {
	return jen.Id("rec").Op("*").Add(rt("Recorder"))
}

// doc writes a comment. Its text may hold names from a CRD: nothing in it can end the comment or start a directive.
func doc(g *jen.Group, text string) {
	for _, line := range wrap(text, 116) {
		g.Comment("// " + sanitize(line))
	}
}

// sanitize replaces what does not belong in a line of a comment: everything but ASCII and what identifiers consist of.
func sanitize(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= ' ' && r <= '~' || r > unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '?'
	}, s)
}

// wrap breaks text into lines of at most width bytes, at spaces.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
