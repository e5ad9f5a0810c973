package emit

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// The packages that generated code imports: the runtime that its users call, and those that only it calls.
const (
	RuntimePath = "github.com/prune-gen/prune-gen/runtime"
	RuntimeName = "prunert"
	ImplPath    = RuntimePath + "/pruneimpl"
	ImplName    = "pruneimpl"
	JSONPath    = RuntimePath + "/prunejson"
	JSONName    = "prunejson"
	CELPath     = RuntimePath + "/prunecel"
	CELName     = "prunecel"
	// What some of it imports: regular expressions, and what needs Go's network.
	FormatPath = ImplPath + "/pruneformat"
	NetPath    = FormatPath + "/prunenet"
)

// IOPath is the package of the standard library that generated code imports.
const IOPath = "io"

// rt refers to something that the runtime exports to its users.
func rt(name string) *jen.Statement {
	return jen.Qual(RuntimePath, name)
}

// impl refers to something that the runtime exports to generated code.
func impl(name string) *jen.Statement {
	return jen.Qual(ImplPath, name)
}

// json refers to something that the runtime exports to generated code that works on JSON.
func json(name string) *jen.Statement {
	return jen.Qual(JSONPath, name)
}

// object is the type of an object.
func object() *jen.Statement {
	return jen.Map(jen.String()).Any()
}

// recorder is the parameter of every function that walks.
func recorder() *jen.Statement {
	return jen.Id("rec").Op("*").Add(impl("Recorder"))
}

// doc writes a comment. Its text may hold names from a CRD: nothing in it can end the comment or start a directive.
func doc(g *jen.Group, text string) {
	for _, line := range commentLines(text) {
		g.Comment(line)
	}
}

// docOf emits a doc comment that ends with code, which gofmt leaves as it is: in text it would make one quotation mark of two apostrophes.
func docOf(g *jen.Group, text, code string) {
	doc(g, text)
	g.Comment("//")
	for _, line := range wrap(code, 108) {
		g.Comment("//\t" + sanitize(line))
	}
}

// commentLines returns text as the lines of a comment.
func commentLines(text string) []string {
	lines := wrap(text, 116)
	for i, line := range lines {
		lines[i] = "// " + sanitize(line)
	}
	return lines
}

// word writes a name from a CRD as one word of a comment, which cannot be taken for anything but a name.
func word(s string) string {
	for _, r := range s {
		if !(r == '.' || r == '/' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return strings.ReplaceAll(strconv.QuoteToASCII(s), " ", "?")
		}
	}
	return s
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
	line := make([]byte, 0, width)
	for word := range strings.FieldsSeq(text) {
		if len(line) > 0 && len(line)+1+len(word) > width {
			lines = append(lines, string(line))
			line = line[:0]
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, word...)
	}
	return append(lines, string(line))
}
