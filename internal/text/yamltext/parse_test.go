package yamltext

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

func TestSyntaxErrorsHaveTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"# c\na:\n  b: 1\n\tc: 2\n":      "4:1 a tab indents this line (indent with spaces)",
		"# c\na:\n  b: 1\n  c 2\nd: 3":   "4:3 could not find expected ':' (a key needs a colon after it)",
		"# c\na:\n  b: 1\n   c: 2\n":     "4:4 this line is indented by 3, and the line above it by 2 (indent both alike: this line may be indented too much, or the one above it too little)",
		"# c\na:\n  b: 1\n c: 2\nd: 3":   "4:2 this line is indented by 1, and the lines above it by 2 or 0 (indent it like the line above that it belongs with)",
		"# c\na:\n  - b\n  c: d\n":       "4:3 did not find expected '-' indicator (check the indentation of this line)",
		"# c\na:\n  b: \"1\n  c: 2\n":    "3:6 the quotes that open here are not closed",
		"a: [1, 2\nb: 2\nc: 3\n":         "2:1 did not find expected ',' or ']' (a list that opens above is not closed)",
		"a: {x: 1\nb: 2\nc: 3\n":         "2:1 did not find expected ',' or '}' (a map that opens above is not closed)",
		"a: b: c":                        "1:4 the value has a colon in it (put the value in quotes: \"b: c\")",
		"a:\n  b: @x\n":                  "2:3 found character that cannot start any token (put the value in quotes; tabs cannot indent)",
		"a:\n  b: - 1\n":                 "2:3 block sequence entries are not allowed in this context (start the list on a line of its own)",
		"a: 'x*y'\nb:\n  - *y\n":         "3:5 unknown anchor 'y' referenced (if it is not an alias, put the value in quotes)",
		"a: 1\n---\nb: 2\nc: *x":         "4:4 unknown anchor 'x' referenced (if it is not an alias, put the value in quotes)",
		"a: \x7f":                        "1:4 control characters are not allowed",
		"a: é\u0080b":                    "1:5 control characters are not allowed",
		"a: \u009f":                      "1:4 control characters are not allowed",
		"a: \ufffe":                      "1:4 control characters are not allowed",
		"a: \uffff":                      "1:4 control characters are not allowed",
		"a: \t\u0085\ufeff\x00":          "2:1 control characters are not allowed",
		"a: 1\nb: \u00a0\x1f":            "2:5 control characters are not allowed",
		"a: \ufffd\xc3":                  "1:5 incomplete UTF-8 octet sequence",
		"*x":                             "1:1 unknown anchor 'x' referenced (if it is not an alias, put the value in quotes)",
		"a: &xy 1\nb: [*xy, *x]":         "2:10 unknown anchor 'x' referenced (if it is not an alias, put the value in quotes)",
		"a: b*x\nc: {d: *x}":             "2:8 unknown anchor 'x' referenced (if it is not an alias, put the value in quotes)",
		"a: '*x'\nb: \"*xy\"\nc: *x # d": "3:4 unknown anchor 'x' referenced (if it is not an alias, put the value in quotes)",
		"a: &x 1\n---\nb: *x":            "3:4 unknown anchor 'x' referenced (if it is not an alias, put the value in quotes)",
		"a: &x 1\n...\n---\nb: *x":       "4:4 unknown anchor 'x' referenced (if it is not an alias, put the value in quotes)",
		"# é\na: é\x01\n":                "2:5 control characters are not allowed",
		"a: 1\nb: \xff\n":                "2:4 invalid leading UTF-8 octet",
		"a: 1\n---\nb:\n  c: [\n\n":      "4:3 did not find expected node content",
		"a: 1\r---\rb: c: d":             "3:4 the value has a colon in it (put the value in quotes: \"c: d\")",
		"a: {{ .x }}\n":                  "1:4 a template action (this looks like a template: render it first, for example with helm template)",
		"{{ if }}\na: 1\n{{ end }}":      "1:1 a template action (this looks like a template: render it first, for example with helm template)",
		"a: 1\n{{ if }}\nb: 2\n":         "2:1 a template action (this looks like a template: render it first, for example with helm template)",
		"[a, b]: c":                      "1:1 a key must be a string, not a list or a map",
		"a: 1\n? {b: c}\n: d":            "2:3 a key must be a string, not a list or a map",
		"a: 1\n~: 2":                     "2:1 a key must be a string, not ~",
		"a: 1\n?\n: 2":                   "2:2 a key must be a string, not null",
		"a:\n- .inf":                     "2:3 .inf is not a value in JSON",
		"a:\n- !!int x":                  "2:3 cannot read \"x\" as a !!int",
		"a: &x\n  b: *x":                 "2:6 anchor \"x\" contains an alias to itself",
		"a: &x 1\nb:\n  <<: *x":          "3:7 a merge key (<<) needs a map or a list of maps",
		"{\"a\": 1,\n \"b\" 2}":          "2:6 invalid JSON: invalid character '2' after object key",
		"{\"a\": [1,\n\t2,\n\t3}\n":      "3:3 invalid JSON: invalid character '}' after array element",
		"{\n\t\"a\": \"\\q\"}":           "2:7 invalid JSON: invalid character 'q' in string escape code",
		"{\"a\":\n1":                     "2:2 invalid JSON: unexpected end of JSON input",
		"{\"a\": 1e999}":                 "1:7 the number 1e999 is too large",
		"---\n{\"a\": 1,\n\t\"b\" 2}":    "3:6 invalid JSON: invalid character '2' after object key",
	} {
		var got []string
		Parse([]byte(text), func(*Document) {}, func(p *Problem) {
			line := fmt.Sprintf("%d:%d %s", p.Pos.Line, p.Pos.Column, strings.TrimPrefix(p.Message, "invalid YAML: "))
			if p.Hint != "" {
				line += " (" + p.Hint + ")"
			}
			got = append(got, line)
		})
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		// A text that is to be edited is read as YAML, with the same problems.
		if strings.Contains(want, "JSON: ") || strings.Contains(want, "too large") {
			continue
		}
		got = nil
		ParseEditable(nil, []byte(text), func(*Editable) {}, func(p *Problem) {
			got = append(got, fmt.Sprintf("%d:%d %s", p.Pos.Line, p.Pos.Column, strings.TrimPrefix(p.Message, "invalid YAML: ")))
			if p.Hint != "" {
				got[0] += " (" + p.Hint + ")"
			}
		})
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q: to edit: got %q, want %q", text, got, want)
		}
	}
}

// nodePlaces lists every key and value of a tree with its place.
func nodePlaces(n *Node, path string, list *[]string) {
	*list = append(*list, fmt.Sprintf("%s=%d:%d", path, n.Pos.Line, n.Pos.Column))
	for _, e := range n.Entries {
		*list = append(*list, fmt.Sprintf("%s.%s@%d:%d", path, e.Key, e.Pos.Line, e.Pos.Column))
		nodePlaces(e.Value, path+"."+e.Key, list)
	}
	for i, e := range n.List {
		nodePlaces(e, fmt.Sprintf("%s[%d]", path, i), list)
	}
}

func TestNodesKnowTheirPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"# c\na:\n  é: [1, 2]\n  'b':   x\n": "=2:1 .a@2:1 .a=3:3 .a.é@3:3 .a.é=3:6 .a.é[0]=3:7 .a.é[1]=3:10 .a.b@4:3 .a.b=4:10",
		"a: &x\n  b: 1\nc: *x":               "=1:1 .a@1:1 .a=1:4 .a.b@2:3 .a.b=2:6 .c@3:1 .c=1:4 .c.b@2:3 .c.b=2:6",
		"a: &x\n  b: 1\nc:\n  <<: *x\n  d: 2": "=1:1 .a@1:1 .a=1:4 .a.b@2:3 .a.b=2:6 " +
			".c@3:1 .c=4:3 .c.b@2:3 .c.b=2:6 .c.d@5:3 .c.d=5:6",
		"{\"é\": [1,\n\t2], \"b\":{}}":               "=1:1 .é@1:2 .é=1:7 .é[0]=1:8 .é[1]=2:2 .b@2:6 .b=2:10",
		"{\"a\":\r\n1,\r\"b\" : \"ü\",\n\"c\":null}": "=1:1 .a@1:2 .a=2:1 .b@3:1 .b=3:7 .c@4:1 .c=4:5",
		"---\n\n{\"a\": 1}\n {\"b\": 2}":             "=3:1 .a@3:2 .a=3:7 =4:2 .b@4:3 .b=4:8",
		"---\r\na: 1\r\n---\r\nb: 2\r\n":             "=2:1 .a@2:1 .a=2:4 =4:1 .b@4:1 .b=4:4",
	} {
		var got []string
		Parse([]byte(text), func(d *Document) { nodePlaces(d.Root, "", &got) }, func(p *Problem) { t.Error(p.Message) })
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q:\n got %s\nwant %s", text, s, want)
		}
	}
}

func TestJSONReadsAsKubernetesDoes(t *testing.T) {
	for text, want := range map[string]any{
		`{"a": 1}`:                        int64(1),
		`{"a": 1.0}`:                      1.0,
		`{"a": 1e3}`:                      1000.0,
		`{"a": -0}`:                       int64(0),
		`{"a": -0.0}`:                     math.Copysign(0, -1),
		`{"a": 9223372036854775807}`:      int64(math.MaxInt64),
		`{"a": 9223372036854775808}`:      9223372036854775808.0,
		`{"a": -9223372036854775808}`:     int64(math.MinInt64),
		`{"a": "\ud83d\ude00\u0041\/\t"}`: "😀A/\t",
		`{"a": "\ud83d"}`:                 "\ufffd",
		"{\"a\": \"\xff\"}":               "\ufffd",
		`{"a": "yes"}`:                    "yes",
		`{"\u0061": null}`:                nil,
		"{\t\"a\":\n[true, false, []]}":   []any{true, false, []any{}},
	} {
		var got any
		Parse([]byte(text), func(d *Document) { got = d.Root.Value().(map[string]any)["a"] }, func(p *Problem) { t.Error(p.Message) })
		if !equalValues(got, want) {
			t.Errorf("%s: got %#v, want %#v", text, got, want)
		}
	}
}

func FuzzJSONReadsAsKubernetesDoes(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, -2.5e3, "x\u00e9\n", null, true, {}]}`, `{"a":{"b":{"c":[[]]}}}`, `{}`, `{"a":1}{"b":2}`, "{\"a\":\"\xff\"}", `{"a":1e400}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := contentStart([]byte(text))
		src, in := wholeSource(text)
		docs, p := src.parseJSON(in)
		if p != nil || len(docs) != 1 || len(docs[0].Flaws) > 0 {
			return
		}
		want, err := decodeJSON([]byte(text[start:]))
		if err != nil {
			t.Fatalf("%q: read as %#v, but it is no JSON: %v", text, docs[0].Root.Value(), err)
		}
		if got := docs[0].Root.Value(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: read as %#v, want %#v", text, got, want)
		}
	})
}

// nested returns an object in which value stands depth levels deep.
func nested(depth int, value string) string {
	return strings.Repeat(`{"a": `, depth-1) + value + strings.Repeat("}", depth-1)
}

// bomb returns a document in which aliases stand for 10 to the power of levels nodes.
func bomb(levels int) string {
	b := strings.Builder{}
	b.WriteString("a0: &a0 [1]\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	return b.String()
}

func TestLimitsAreKept(t *testing.T) {
	testsize.NotShort(t)
	deepYAML := func(depth int) string { return strings.ReplaceAll(nested(depth, "1"), `"`, "") }
	for name, test := range map[string]struct{ text, want string }{
		"the deepest JSON":             {nested(meter.Depth, "1"), ""},
		"too deep JSON":                {nested(meter.Depth+1, "1"), "1:3073 nested more than 512 levels deep"},
		"far too deep JSON":            {strings.Repeat(`{"a":`, 1_000_000), "1:2561 nested more than 512 levels deep"},
		"the deepest YAML":             {"x: 1\n---\n" + deepYAML(meter.Depth), ""},
		"too deep YAML":                {"x: 1\n---\n" + deepYAML(meter.Depth+1), "3:2049 nested more than 512 levels deep"},
		"far too deep YAML":            {strings.Repeat("[", 390_000), "1:1 invalid YAML: exceeded max depth of 10000"},
		"far too deep blocks":          {strings.Repeat("- ", 390_000), "1:1 invalid YAML: exceeded max depth of 10000"},
		"depth through aliases":        {"a: &a " + deepYAML(300) + "\nb: " + strings.ReplaceAll(nested(300, "*a "), `"`, ""), "2:1200 nested more than 512 levels deep"},
		"many different numbers":       {differentNumbers(100_000), ""},
		"many documents with problems": {strings.Repeat("--- [}\n", 3), strings.Join([]string{syntaxAt(1), syntaxAt(2), syntaxAt(3)}, "\n")},
		"too many documents":           {strings.Repeat("--- 1\n", meter.Documents+1), "50001:1 too large: the run exceeds the limit of 50000 documents"},
		"too large":                    {strings.Repeat(" ", meter.Bytes+1), "1:1 too large: the run exceeds the limit of 64 MiB"},
		"as large as can be":           {strings.Repeat(" ", meter.Bytes), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			Parse([]byte(test.text), func(*Document) {}, func(p *Problem) {
				line := fmt.Sprintf("%d:%d %s", p.Pos.Line, p.Pos.Column, p.Message)
				if p.Hint != "" {
					line += " (" + p.Hint + ")"
				}
				got = append(got, line)
			})
			if strings.Join(got, "\n") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func syntaxAt(line int) string {
	return fmt.Sprintf("%d:1 invalid YAML: did not find expected node content", line)
}

func directives(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%%TAG !t%d! tag:example.com\n", i)
	}
	return b.String()
}

func differentNumbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- %d.5\n", i)
	}
	return b.String()
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: 1, ", i)
	}
	return b.String()
}

func TestAliasesShareTheirNodes(t *testing.T) {
	var root *Node
	Parse([]byte("a: &a {b: 1}\nc: *a\n"), func(d *Document) { root = d.Root }, func(p *Problem) { t.Error(p.Message) })
	if root.Child("a") != root.Child("c") {
		t.Error("an alias was copied")
	}
	if root.size != 5 || root.height != 3 {
		t.Errorf("size %d and height %d, want 5 and 3", root.size, root.height)
	}
}
