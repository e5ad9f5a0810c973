package emit

import (
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/internal/base/gosource"
)

// What source calls the packages of the runtime.
const (
	RuntimeName = "prunert"
	ImplName    = "pruneimpl"
	JSONName    = "prunejson"
	CELName     = "prunecel"
)

// imports are the packages that source can refer to, by their names.
var imports = map[string]string{
	"io": gosource.IOPath, RuntimeName: gosource.RuntimePath, ImplName: gosource.ImplPath, JSONName: gosource.JSONPath, CELName: gosource.CELPath,
	"pruneformat": gosource.FormatPath, "prunenet": gosource.NetPath,
}

// write adds Go source, if there is any: format with its arguments, as fmt has it, without lines that an empty argument leaves
// empty. Text from a CRD enters through quote or doc, nowhere else.
func write(g *jen.Group, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		g.Add(source(emptyLines.ReplaceAllString(text, "\n")))
	}
}

// quote returns a literal of text from a CRD: in backquotes if that saves escapes and all of it is printable, and otherwise quoted as Go
// does it, so that nothing ends the literal or its line.
func quote(s string) string {
	hidden := func(r rune) bool { return r == '`' || !strconv.IsPrint(r) }
	if strings.ContainsAny(s, `"\`) && utf8.ValidString(s) && !strings.ContainsFunc(s, hidden) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

var emptyLines = regexp.MustCompile(`\n+`)

// source returns Go source in which the names of imports refer to the packages.
func source(text string) jen.Code {
	code, done := &jen.Statement{}, 0
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return code.Op(text[done:])
		}
		if path := imports[lit]; tok == token.IDENT && path != "" {
			code.Op(text[done:file.Offset(pos)])
			s.Scan() // the period
			pos, _, name := s.Scan()
			code.Qual(path, name)
			done = file.Offset(pos) + len(name)
		}
	}
}

// doc writes a comment. Its text may hold names from a CRD: nothing in it can end the comment or start a directive.
func doc(g *jen.Group, text string) {
	for _, line := range commentLines(text) {
		g.Comment(line)
	}
}

// docOf emits a doc comment that ends with code, which gofmt leaves as it is: in text it would turn two apostrophes into a quotation mark.
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

// sanitize replaces characters that do not belong in a line of a comment: all except ASCII and those of identifiers.
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
