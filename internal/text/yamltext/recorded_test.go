package yamltext

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/recorded"
)

var update = flag.Bool("update", false, "write the recorded files")

// moreTexts are texts of several documents, in JSON, with duplicate keys, and with hints.
var moreTexts = []string{
	`{"a": 1, "a": 2, "b": {"c": [], "c": {}}}`, "{\"a\": 1}{\"b\": 2}\n{\"c\": 3}", "{\"a\": 1} x", "{\"a\": 1}\n---\n{\"b\": }", `{"a": [1, 2.0, 1e3, -0, "é", null, true]}`,
	"{\"a\": 1,}", "{\"a\": 1 # c\n}", "{a: 1}\n---\n{\"b\": [1, 2", "{\"a\": 9223372036854775808, \"b\": -9223372036854775809}", "{\"é\": \"ü\", \"b\": 1}", "[1, 2]\n---\n\"a\"",
	"{\"a\": {{ .b }} }", "{{ .a }}", "a: {{ .b }}\n---\nc: [", "a: 1\n---\nb: [\n---\nc: 3", "a: 1\n...\nb: 2", "a: 1\n...\n---\nb: 2\n---\n\n---\n# c\n---\nd: 4", "---\n---\n---\na: 1",
	"a: 1\na: 2\nb: {c: 1, c: 2, c: 3}", "a: &x {b: 1, b: 2}\nc: *x", "a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n  b: 3", "a: {<<: {b: 1, b: 2}}", "a:\n  <<: [{b: 1}, {b: 2, c: 3}]\n  c: 4\n  <<: {c: 5, d: 6}",
	"a: 1\n\"a\": 2\n1: b\n\"1\": c", "a0: 0\na1: 1\na2: 2\na3: 3\na4: 4\na5: 5\na6: 6\na7: 7\na8: 8\na7: 9\na8: 9\na9: 9\na0: 9",
	"a: &long " + strings.Repeat("x", 70) + "\nb: *long", "a: *" + strings.Repeat("x", 70), "? " + strings.Repeat("[", 3) + strings.Repeat("]", 3) + "\n: 1", "{1" + strings.Repeat("0", 70) + "e999: 1}",
	"{\"a\": 1" + strings.Repeat("0", 70) + "e999}", "a: !!int " + strings.Repeat("x", 70), "%YAML 1.1\n# c\n---\na: 1\n---\n%b", "# c\r---\ra: 1\r---\rb: 2\r", "a: 1\u2028---\u2028b: 2", "\t", " \n", "--- \n", "---\ta", "---a: 1",
	"a: |\n  ---\n b: 1", "a: \"\n--- b\"", "a: b\n--- |\n c\n--- >\n d", "!!binary x: 1", "!!int x: 1", "~: 1", "{? }", "a: 1\n b: 2\n", "é: [\n  é, é: 1\n]\nb: c: d",
	"#\u0085a: 1", "# a\u2028b: [", "a: *b # *c\nd: *c", "a: [*b,*c]", "[&a ! 1.0, {*a : 1}, {&b 1.0: ! 2.0}, {*b : *b}]", "<<: {a: .inf}", "a: {<<: [{b: 1}, {c: !!int x}]}", "a: &a ! 5\nb: [*a, *a]\nc: {*a : 5, d: ! 6}", "a: ! 1\r\nb: !\r\n  2\r\nc: \"!\"\r\nd: !x 3", "é: ! 1\n\"é\": ! {a: ! 2, b: [! 3, 4]}", "-*b: *b", "a:*b\nc: *b",
}

// indentedTexts has each kind of line, indented in each way, below lines of each depth.
func indentedTexts() (all []string) {
	for _, above := range []string{"a: x\n", "a:\n  b: x\n", "a:\n  b:\n", "a:\n- b: x\n", "a:\n  b:\n    c: [x]\n"} {
		for indent := range 6 {
			for _, line := range []string{"- y", "d: y", "y"} {
				all = append(all, above+strings.Repeat(" ", indent)+line+"\n")
			}
		}
	}
	return all
}

// A text has documents, in them values with their places, and problems with theirs.
func TestTextsAreRecorded(t *testing.T) {
	var have strings.Builder
	for _, text := range slices.Concat(awkwardYAML, moreTexts, indentedTexts()) {
		fmt.Fprintf(&have, "%q\n", text)
		Parse(Decode([]byte(text)), func(d *Document) {
			var b strings.Builder
			writeNode(&b, d, d.Root)
			fmt.Fprintf(&have, "  %s\n    nodes %d, bytes %d, height %d\n", b.String(), d.Root.size, d.Root.bytes, d.Root.height)
		}, func(p *Problem) {
			fmt.Fprintf(&have, "  %d:%d %s: %s\n", p.Pos.Line, p.Pos.Column, p.ID, p.Message)
			if p.Hint != "" {
				fmt.Fprintf(&have, "    hint: %s\n", p.Hint)
			}
		})
	}
	recorded.Compare(t, *update, "testdata/texts.txt", have.String())
}

// writeNode writes a value with its places, followed by what is wrong with a map.
func writeNode(b *strings.Builder, d *Document, n *Node) {
	fmt.Fprintf(b, "%d:%d ", n.Pos.Line, n.Pos.Column)
	switch n.Kind {
	case Map:
		b.WriteString("{")
		for i, e := range n.Entries {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%d:%d %q ", e.Pos.Line, e.Pos.Column, e.Key)
			writeNode(b, d, e.Value)
		}
		b.WriteString("}")
	case List:
		b.WriteString("[")
		for i, e := range n.List {
			if i > 0 {
				b.WriteString(", ")
			}
			writeNode(b, d, e)
		}
		b.WriteString("]")
	default:
		b.WriteString(n.Describe())
	}
	for _, f := range d.Flaws[n] {
		fmt.Fprintf(b, " %s %q %d:%d after %d:%d", f.ID, f.Key, f.Pos.Line, f.Pos.Column, f.First.Line, f.First.Column)
		if f.Value != nil {
			b.WriteString(" is ")
			writeNode(b, d, f.Value)
		}
	}
}
