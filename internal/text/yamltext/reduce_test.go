package yamltext_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// reduce removes the fields called x, and those below them, from all documents of a text.
func reduce(t *testing.T, data string) (string, *yamltext.Problem) {
	t.Helper()
	var edits []yamltext.Edit
	var problem *yamltext.Problem
	var want []any
	yamltext.ParseEditable(nil, []byte(data), func(d *yamltext.Editable) {
		to := without(d.Root.Value())
		want = append(want, to)
		all, p := d.Reduce(map[*yamltext.Node]map[string]any{d.Root: to.(map[string]any)})
		edits = append(edits, all...)
		if p != nil {
			problem = p
		}
	}, func(p *yamltext.Problem) { t.Fatalf("%d:%d: %s", p.Pos.Line, p.Pos.Column, p.Message) })
	out := yamltext.Apply([]byte(data), edits)
	if problem == nil {
		var have []any
		yamltext.Parse(out, func(d *yamltext.Document) { have = append(have, d.Root.Value()) }, func(p *yamltext.Problem) { t.Errorf("%s\nis made of\n%s\nand wrong: %s", out, data, p.Message) })
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s\nis made of\n%s\nand is %v, want %v", out, data, have, want)
		}
	}
	return string(out), problem
}

// without returns a value without fields called x.
func without(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			if k != "x" {
				m[k] = without(e)
			}
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = without(e)
		}
		return l
	}
	return v
}

func TestReduceKeepsEveryOtherByte(t *testing.T) {
	for name, tt := range reductions() {
		t.Run(name, func(t *testing.T) {
			if have, p := reduce(t, tt.in); p != nil || have != tt.want {
				t.Errorf("%v\n%s\nhave\n%s\nwant\n%s", p, tt.in, have, tt.want)
			}
		})
	}
}

// No text makes the edits fail, whatever becomes of it: callers read it again.
func FuzzReduce(f *testing.F) {
	for _, tt := range reductions() {
		f.Add(tt.in)
	}
	f.Add("a:\n- ? x\n  : {x: 1, ? y : 'z}, x}\n")
	f.Add("{a:'b, x: {c:\"d, x:'}\n")
	f.Fuzz(func(t *testing.T, data string) {
		decoded := yamltext.Decode([]byte(data))
		yamltext.ParseEditable(nil, decoded, func(d *yamltext.Editable) {
			if to, ok := without(d.Root.Value()).(map[string]any); ok {
				edits, _ := d.Reduce(map[*yamltext.Node]map[string]any{d.Root: to})
				yamltext.Apply(decoded, edits)
			}
		}, func(*yamltext.Problem) {})
	})
}

func reductions() map[string]struct{ in, want string } {
	return map[string]struct{ in, want string }{
		"nothing":                     {"a: 1\n", "a: 1\n"},
		"in the middle":               {"a: 1\nx: 2\nb: 3\n", "a: 1\nb: 3\n"},
		"first":                       {"x: 2\nb: 3\n", "b: 3\n"},
		"last":                        {"a: 1\nx: 2\n", "a: 1\n"},
		"last, without a line break":  {"a: 1\nx: 2", "a: 1\n"},
		"a hash in a word":            {"{a: b#c, x: 1, d: 2}\n", "{a: b#c, d: 2}\n"},
		"quoted keys":                 {"'a': 1\n\"x\": 2\n'x y': 3\n", "'a': 1\n'x y': 3\n"},
		"what is below":               {"a: 1\nx:\n  b: [1,\n    2]\n  c: {d: 1}\nb: 3\n", "a: 1\nb: 3\n"},
		"a list that is not indented": {"a: 1\nx:\n- 1\n- b: 2\nb: 3\n", "a: 1\nb: 3\n"},
		"literal":                     {"a: 1\nx: |\n  text\n\n  # no comment\n\nb: 3\n", "a: 1\n\nb: 3\n"},
		"folded, plain and quoted":    {"x: >-\n  a\n  b\na: 1\nb:\n  x: c\n    d\n    e\n  y: 'a\n\n    b'\n", "a: 1\nb:\n  y: 'a\n\n    b'\n"},
		"literals that stay":          {"a: |\n  x: 1\n  # x\nx: 2\nb: >\n  x: 1\n", "a: |\n  x: 1\n  # x\nb: >\n  x: 1\n"},
		"comments":                    {"# file\n\n# a\na: 1 # a\n# about x\n# more\nx: 2 # x\n# about b\nb: 3\n", "# file\n\n# a\na: 1 # a\n# about b\nb: 3\n"},
		"comments below":              {"a:\n  x:\n    b: 1\n    # below b\n  # about c\n  c: 1\n", "a:\n  # about c\n  c: 1\n"},
		"a comment at the end":        {"a: 1\nx: 2\n# end\n", "a: 1\n# end\n"},
		"blank lines":                 {"a: 1\n\n# x\nx: 2\n\nb: 3\n", "a: 1\n\nb: 3\n"},
		"a comment apart":             {"a: 1\n# about the rest\n\nx: 2\nb: 3\n", "a: 1\n# about the rest\n\nb: 3\n"},
		"emptied":                     {"a:\n  x: 1\nb: 2\n", "a: {}\nb: 2\n"},
		"emptied, with comments":      {"a: # a\n  # x\n  x: 1 # x\n\n# b\nb: 2\n", "a: {} # a\n\n# b\nb: 2\n"},
		"emptied, with an anchor":     {"a: &a !!map\n  x: 1\nb: *a\n", "a: &a !!map {}\nb: *a\n"},
		"emptied, on two levels":      {"a:\n  b:\n    x: 1\n  x: 2\n", "a:\n  b: {}\n"},
		"an element":                  {"a:\n- x: 1\n  b: 2\n- b: 3\n  x: 4\n- x: 5\n", "a:\n- b: 2\n- b: 3\n- {}\n"},
		"an element with comments":    {"a:\n  # first\n  - x: 1 # x\n    # about b\n    b: 2\n  # second\n  - b: 3\n    x: 4\n", "a:\n  # first\n  - # about b\n    b: 2\n  # second\n  - b: 3\n"},
		"an element on its own line":  {"a:\n-\n  x: 1\n  b: 2\n-\n  x: 1\n- - x: 1\n    b: 2\n  - x: 3\n", "a:\n-\n  b: 2\n- {}\n- - b: 2\n  - {}\n"},
		"flow":                        {"a: {b: 1, x: 2, c: 3}\n", "a: {b: 1, c: 3}\n"},
		"flow, first":                 {"a: {x: 2, c: 3}\n", "a: {c: 3}\n"},
		"flow, last":                  {"a: { b: 1, x: 2 }\n", "a: { b: 1 }\n"},
		"flow, all":                   {"a: { x: 2 }\nb: &b {x: {y: 1}}\nc: [{x: 1}, {x: 2, d: 1}]\n", "a: {}\nb: &b {}\nc: [{}, {d: 1}]\n"},
		"flow, several":               {"a: {b: 1, x: 1, c: {x: 1}, d: [1, {x: 2}], 'y': [{}, ']'], e: it's}\n", "a: {b: 1, c: {}, d: [1, {}], 'y': [{}, ']'], e: it's}\n"},
		"flow, trailing":              {"a: {b: 1, x: {c: 1}}\n", "a: {b: 1}\n"},
		"flow, a trailing comma":      {"a: {b: 1, x: 2,}\n", "a: {b: 1,}\n"},
		"flow, odd texts":             {"a: {b: it's, x: 'a, }', c: \"x: 1, \\\"}\", x y: 1, d: &d 'q', e: *d, x2: a#b}\n", "a: {b: it's, c: \"x: 1, \\\"}\", x y: 1, d: &d 'q', e: *d, x2: a#b}\n"},
		"flow, on lines":              {"a: {\n  b: 1,\n  x: 2,\n  c: 3\n}\n", "a: {\n  b: 1,\n  c: 3\n}\n"},
		"flow, on lines, last":        {"a: {\n  b: 1, # b\n  x: 2 # x\n}\n", "a: {\n  b: 1 # b\n  \n}\n"},
		"flow, a quote in a word":     {"a: {b: it's, x: 1}\n", "a: {b: it's}\n"},
		"a whole document":            {"# a\nx: 1\ny: {x: 1}\n---\nx: 1\n", "y: {}\n--- {}\n"},
		"all of the text":             {"x: 1\n", "{}\n"},
		"JSON":                        {"{\n  \"a\": 1,\n  \"x\": {\"b\": [1]},\n  \"c\": {\"x\": 1}\n}\n", "{\n  \"a\": 1,\n  \"c\": {}\n}\n"},
		"CR LF":                       {"a: 1\r\nx:\r\n  y: 1\r\nb:\r\n  x: 1\r\nc: {x: 1}\r\n", "a: 1\r\nb: {}\r\nc: {}\r\n"},
		"other characters":            {"ä: {ö: 1, x: 2, ü: '€'}\nx: ß\né: 𝄞\n", "ä: {ö: 1, ü: '€'}\né: 𝄞\n"},
		"documents":                   {"# first\n---\na: 1\nx: 2\n---\nx: 1\nb: 2\n...\n---\nb: 1\nx: 2\n...\n# end\n", "# first\n---\na: 1\n---\nb: 2\n...\n---\nb: 1\n...\n# end\n"},
		"explicit keys":               {"? a\n: 1\n? x\n: 2\n? b\n: x: 3\n  c: 4\n", "? a\n: 1\n? b\n: c: 4\n"},
		"aliases":                     {"a: &a\n  b: 1\n  x: 2\nc: *a\nd: [*a]\n", "a: &a\n  b: 1\nc: *a\nd: [*a]\n"},
		"a merge key":                 {"a: &a\n  b: 1\n  x: 2\nc:\n  <<: *a\n  x: 3\n  d: 4\n", "a: &a\n  b: 1\nc:\n  <<: *a\n  d: 4\n"},
		"several merge keys":          {"a: &a {b: 1, x: 2}\nc: &c {x: 1, e: 1}\nd:\n  <<: [*a, *c]\n", "a: &a {b: 1}\nc: &c {e: 1}\nd:\n  <<: [*a, *c]\n"},
		"an alias that goes":          {"a: &a 1\nx: *a\nb: 2\n", "a: &a 1\nb: 2\n"},
		"an anchor that goes unused":  {"a: 1\nx: &a 1\n", "a: 1\n"},
		"quotes in flow":              {"a: {b: \"}, x: 1\", x: \"c\\\"}, \\\\\", d: '}'}\n", "a: {b: \"}, x: 1\", d: '}'}\n"},
		"single quotes in flow":       {"a: {b: 'it''s, }', x: 'c'',}', d: '''', e: 1}\n", "a: {b: 'it''s, }', d: '''', e: 1}\n"},
		"properties in flow":          {"a: {b: &k '}', x: !!str '},', c: !!str \"},\", d: *k, e: &l {f: 1, x: 2}}\n", "a: {b: &k '}', c: !!str \"},\", d: *k, e: &l {f: 1}}\n"},
		"quoted keys in flow":         {"a: {'b}': 1, \"x\": [1, '],'], \"c,\": 2, ? 'd}' : 3, ? e : 5}\nb: {? 'd}' : 1, ? x : [',', 2], ? e : 5}\n", "a: {'b}': 1, \"c,\": 2, ? 'd}' : 3, ? e : 5}\nb: {? 'd}' : 1, ? e : 5}\n"},
		"lists of flow":               {"a: [{x: [1, {b: 1}], c: 1}, {c: [1, 2], x: [3, [4, 5]]}, [{x: 1}]]\n", "a: [{c: 1}, {c: [1, 2]}, [{}]]\n"},
		"comments in flow":            {"a: {\n  b: 1, # it's }, {\n  x: 2, # \"\n  c: 'd', # [\n  # x: '\n  e: 1}\n", "a: {\n  b: 1, # it's }, {\n  c: 'd', # [\n  # x: '\n  e: 1}\n"},
		"comments in flow, CR":        {"a: {\r  b: 1, # it's }\r  x: 2, # }\r  c: d\r}\r", "a: {\r  b: 1, # it's }\r  c: d\r}\r"},
		"several at the end":          {"a: {b: 1, x: {x: 1}, c: {d: 1, x: 1, e: {x: 1}}}\nx: 1\n", "a: {b: 1, c: {d: 1, e: {}}}\n"},
		"a long line":                 {"a: {ä: [1], b: 1, " + long("k", 80) + "x: 2, z: {x: 1, w: 2}}\n", "a: {ä: [1], b: 1, " + long("k", 80) + "z: {w: 2}}\n"},
		"dashes on their own":         {"a:\n- b: 1\n  x:\n    d: 1\n# c\n-\n  # d\n  x: 1\n  c: 2\n\n-\n\n  c: 3\n  x:\n  - 1\n  # end of x\n-\n  - x: 1\n    e: 1\n", "a:\n- b: 1\n# c\n-\n  c: 2\n\n-\n\n  c: 3\n  # end of x\n-\n  - e: 1\n"},
		"lists in lists":              {"a:\n- - b: 1\n    x: 2\n  - x: 3\n    b: 4\n- - - x: 1\n      b: 2\n- c: [1]\n  x: [2]\n", "a:\n- - b: 1\n  - b: 4\n- - - b: 2\n- c: [1]\n"},
		"comments of the one above":   {"a: # a\n  b: 1\n  # of b\n# about x\nx: 1\nc: 2\n", "a: # a\n  b: 1\n  # of b\nc: 2\n"},
		"comments of one that goes":   {"x: 1\n# about a\na: 1\n\n# about b\n\n# about x\nb: {x: 1} # b\nc:\n\n  x: 1\n\n  # last\n\nd: 1\n", "# about a\na: 1\n\n# about b\n\n# about x\nb: {} # b\nc: {}\n\n  # last\n\nd: 1\n"},
		"blank lines around":          {"a: 1\n\nx: 1\n\n\nb: 1\n\nx2: 1\n", "a: 1\n\n\nb: 1\n\nx2: 1\n"},
		"blank lines at the ends":     {"\nx: 1\n\na: 1\n\nx1:\n  x: 1\n\n", "\na: 1\n\nx1: {}\n\n"},
		"dots that are not an end":    {"a: 1\nx: |\n  ...\n  ---\nb: ...a\n---\nx: ....\nb: 1\n... # c\n", "a: 1\nb: ...a\n---\nb: 1\n... # c\n"},
		"dots in a text that goes":    {"a: 1\nx: b\n ...c\n ---d\ne: 1\n", "a: 1\ne: 1\n"},
		"an end without a break":      {"a: 1\nx: 1\n...", "a: 1\n..."},
		"emptied, a word with a hash": {"a#b: #c\n  x: 1\nd: '#' \n", "a#b: {} #c\nd: '#' \n"},
		"merge keys in lists":         {"a: &a\n  x: 1\n  b: 2\nc:\n- <<: *a\n  x: 3\n- <<: [*a, {d: {x: 1}}]\n  e: 1\n", "a: &a\n  b: 2\nc:\n- <<: *a\n- <<: [*a, {d: {}}]\n  e: 1\n"},
		"an explicit key with a list": {"? a\n: - x: 1\n    b: 1\n? 'x'\n:\n  c: 1\n? d\n: 1\n", "? a\n: - b: 1\n? d\n: 1\n"},
		"a double quote, last":        {"a: {b: \"}, c: 1\", x: \"c\\\"}, \\\\\"}\n", "a: {b: \"}, c: 1\"}\n"},
		"double quotes, last":         {"a: {b: \"c\\\\\", x: \"\"}\nd: {e: '\"', x: \"'\"}\nf: {g: \"\", x: {h: \"}\", i: \"\\\"]\"}}\n", "a: {b: \"c\\\\\"}\nd: {e: '\"'}\nf: {g: \"\"}\n"},
		"single quotes, last":         {"a: {b: 'it''s, }', x: 'c'',}'}\nd: {e: '''', x: ''}\nf: {g: '', x: ['', '}', ']', ',']}\n", "a: {b: 'it''s, }'}\nd: {e: ''''}\nf: {g: ''}\n"},
		"properties, last":            {"a: {b: &k '}', x: !!str '},'}\nc: {d: !!str \"},\", x: &l \"},\"}\ne: {f: ! '},', x: !!str &m '},'}\n", "a: {b: &k '}'}\nc: {d: !!str \"},\"}\ne: {f: ! '},'}\n"},
		"keys in quotes, last":        {"a: {'b}': 1, 'x': '}'}\nc: {\"d},\": 1, \"x\": \"}\"}\ne: {? 'f},' : 1, ? 'x' : '}'}\n", "a: {'b}': 1}\nc: {\"d},\": 1}\ne: {? 'f},' : 1}\n"},
		"words with quotes, last":     {"a: {b: it's, x: it's}\nc: {d: e \"f, x: g 'h}\ni: {j: k'l'm, x: n}\n", "a: {b: it's}\nc: {d: e \"f}\ni: {j: k'l'm}\n"},
		"words with a mark, last":     {"a: {b: c&d 'e, x: f!g 'h}\ni: {j: -k 'l, x: a- 'm}\n", "a: {b: c&d 'e}\ni: {j: -k 'l}\n"},
		"comments, last":              {"a: {b: 1 # it's }\n  , x: 2 # \"}\n  }\nc: {d: 1, # {\n  e: 2, x: [ # ]\n  1]}\n", "a: {b: 1 # it's }\n  \n  }\nc: {d: 1, # {\n  e: 2}\n"},
		"comments, CR, last":          {"a: {b: 1,\r  c: 2, x: [ # ]\r  1]}\rd: 1\r", "a: {b: 1,\r  c: 2}\rd: 1\r"},
		"a hash in a word, last":      {"a: {b: c#d, x: e#f}\ng: {h: '#', x: #}\n  i}\n", "a: {b: c#d}\ng: {h: '#'}\n"},
		"lists, last":                 {"a: {b: [1, 2], x: [[1, 2], {c: [3], d: 4}]}\n", "a: {b: [1, 2]}\n"},
		"an anchor with its alias":    {"x:\n  a: &a 1\n  b: *a\nc: 1\n", "c: 1\n"},
		"a comment one deeper":        {"x:\n  a: 1\n # of x\nb:\n  x: 1\n   # of x\n  # of c\n  c: 1\n", "b:\n  # of c\n  c: 1\n"},
		"tabs before comments":        {"a: 1\nx: 1\t# x\nb:\t# b\n  x: 1\n", "a: 1\nb: {}\t# b\n"},
		"a key with a comment in it":  {"'a # b':  # c\n  x: 1\n", "'a # b': {}  # c\n"},
	}
}

// long returns n fields on one line.
func long(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d: 'é, }', ", prefix, i)
	}
	return b.String()
}

// What has an anchor is reduced where it stands, which can be outside of the values that are reduced.
func TestReduceFollowsAliases(t *testing.T) {
	for in, want := range map[string]string{
		"a: &a\n  x: 1\n  c: 2\n# b\nb:\n  d: *a\ne: 1\n":             "a: &a\n  c: 2\n# b\nb:\n  d: *a\ne: 1\n",
		"a: &a\n  c: 2\n  x:\n  - 1\n# b\nb:\n  d: *a\ne: 1\n":        "a: &a\n  c: 2\n# b\nb:\n  d: *a\ne: 1\n",
		"a:\n- &a\n  x: 1\n- &b\n  c: 1\n  x: 2\nb:\n  d: [*b, *a]\n": "a:\n- &a {}\n- &b\n  c: 1\nb:\n  d: [*b, *a]\n",
		"a: {e: &a {x: 1, c: 2}, f: 1}\nb: {<<: *a, x: 1}\n":          "a: {e: &a {c: 2}, f: 1}\nb: {<<: *a}\n",
		"x: &x {c: 1}\na: {x: *x}\nb: {x: *x, d: 1}\n":                "x: &x {c: 1}\na: {x: *x}\nb: {d: 1}\n",
	} {
		yamltext.ParseEditable(nil, []byte(in), func(d *yamltext.Editable) {
			b := d.Root.Child("b")
			edits, p := d.Reduce(map[*yamltext.Node]map[string]any{b: without(b.Value()).(map[string]any)})
			if have := string(yamltext.Apply([]byte(in), edits)); p != nil || have != want {
				t.Errorf("%v\n%s\nhave\n%s\nwant\n%s", p, in, have, want)
			}
		}, func(p *yamltext.Problem) { t.Error(p.Message) })
	}
}

// Edits are applied in the order of the text; one that is a part of another is not. They stay as they are.
func TestApply(t *testing.T) {
	edits := []yamltext.Edit{{Start: 6, End: 7, With: "G"}, {Start: 1, End: 4, With: "-"}, {Start: 2, End: 3, With: "!"}, {Start: 5, End: 5, With: "+"}, {Start: 1, End: 2, With: "?"}}
	before := slices.Clone(edits)
	if have := string(yamltext.Apply([]byte("abcdefgh"), edits)); have != "a-e+fGh" {
		t.Error(have)
	}
	if !slices.Equal(edits, before) {
		t.Errorf("sorted to %v", edits)
	}
}

func TestReduceRefusesToBreakAliases(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		line int
		want string
	}{
		"an anchor that is used twice":  {"x: &a 1\nb: [*a,\n *a]\nc: *a\n", 2, `anchor "a" is in a field that is dropped, on line 1, and is used here`},
		"the second of two anchors":     {"a: &a 1\nx: &b 2\nc: *a\nd: *b\n", 4, `anchor "b" is in a field that is dropped, on line 2, and is used here`},
		"an anchor that is used":        {"x: &a 1\nb:\n  c: *a\n", 3, `anchor "a" is in a field that is dropped, on line 1, and is used here`},
		"an anchor below one that goes": {"x:\n  y: &a {b: 1}\nb:\n  <<: *a\n", 4, `anchor "a" is in a field that is dropped, on line 2, and is used here`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, p := reduce(t, tt.in); p == nil || p.Pos.Line != tt.line || p.Message != tt.want || p.Hint != "write the value out here" {
				t.Errorf("%+v, want %s on line %d", p, tt.want, tt.line)
			}
		})
	}
	// A map can have two places of which only one specifies a field.
	yamltext.ParseEditable(nil, []byte("a: &a {b: 1}\nc: *a\n"), func(d *yamltext.Editable) {
		_, p := d.Reduce(map[*yamltext.Node]map[string]any{d.Root: {"a": map[string]any{"b": int64(1)}, "c": map[string]any{}}})
		if p == nil || !strings.HasPrefix(p.Message, `anchor "a" is used for fields that are dropped in one place and kept in another`) || p.Hint != "write the value out in place of its aliases" {
			t.Errorf("%+v", p)
		}
	}, func(p *yamltext.Problem) { t.Error(p.Message) })
}

// Several adjacent fields are removed without a trace, wherever they are.
func TestReduceRemovesFieldsInARow(t *testing.T) {
	for in, want := range map[string]string{
		"- x: 1\n  z: 2\n  b: 3\n":                    "- b: 3\n",
		"- x: 1\n  z: 2\n  x2: 3\n  # b\n  b: 3\n":    "- # b\n  b: 3\n",
		"- b: 3\n  x: 1\n  # z\n  z: 2\n":             "- b: 3\n",
		"- x: 1\n  z: 2\n":                            "- {}\n",
		"- {x: 1, z: 2, b: 3}\n":                      "- {b: 3}\n",
		"- {b: 3, x: 1, z: 2}\n":                      "- {b: 3}\n",
		"- {x: 1, b: 3, z: 2, x2: {}, c: 4, x3: 5}\n": "- {b: 3, c: 4}\n",
		"- {x: 1, z: 2}\n":                            "- {}\n",
	} {
		yamltext.ParseEditable(nil, []byte(in), func(d *yamltext.Editable) {
			to := map[string]any{}
			for k, v := range d.Root.List[0].Value().(map[string]any) {
				if k[0] != 'x' && k[0] != 'z' {
					to[k] = v
				}
			}
			edits, p := d.Reduce(map[*yamltext.Node]map[string]any{d.Root.List[0]: to})
			if have := string(yamltext.Apply([]byte(in), edits)); p != nil || have != want {
				t.Errorf("%v\n%s\nhave\n%s\nwant\n%s", p, in, have, want)
			}
		}, func(p *yamltext.Problem) { t.Error(p.Message) })
	}
}

func TestDocumentsThatAreNullAreNotEdited(t *testing.T) {
	n := 0
	yamltext.ParseEditable(nil, []byte("null\n---\n~\n---\n# c\n---\na: 1\n---\n- null\n"), func(*yamltext.Editable) { n++ }, func(p *yamltext.Problem) { t.Error(p.Message) })
	if n != 2 {
		t.Errorf("%d documents", n)
	}
}

// The text of nested maps in flow style is read once for all of them, and all that is done with the nodes is counted.
func TestReduceReadsATextOnce(t *testing.T) {
	spent := func(levels, fields int) int {
		m := meter.New(1)
		text := strings.Repeat("{x: 1, a: ", levels) + "[" + strings.Repeat("'{', ", fields) + "]" + strings.Repeat("}", levels)
		units := 0
		yamltext.ParseEditable(m, []byte(text), func(d *yamltext.Editable) {
			before := m.Left()
			edits, p := d.Reduce(map[*yamltext.Node]map[string]any{d.Root: without(d.Root.Value()).(map[string]any)})
			if p != nil || len(edits) != levels {
				t.Errorf("%d edits, %v", len(edits), p)
			}
			units = int(before - m.Left())
		}, func(p *yamltext.Problem) { t.Fatal(p.Message) })
		return units
	}
	const fields = 50_000
	one, many := spent(1, fields), spent(200, fields)
	if one < fields || many > one+1000 {
		t.Errorf("%d units for 1 level, %d for 200", one, many)
	}
}

// A text in flow style costs what it has bytes, those that are in quotes or comments included.
func TestReduceCountsTheBytesOfFlow(t *testing.T) {
	spent := func(text string) (units int) {
		m := meter.New(1)
		yamltext.ParseEditable(m, []byte("{x: 1, a: "+text+"\n}"), func(d *yamltext.Editable) {
			before := m.Left()
			if edits, p := d.Reduce(map[*yamltext.Node]map[string]any{d.Root: without(d.Root.Value()).(map[string]any)}); p != nil || len(edits) != 1 {
				t.Errorf("%d edits, %v", len(edits), p)
			}
			units = int(before - m.Left())
		}, func(p *yamltext.Problem) { t.Fatal(p.Message) })
		return units
	}
	const size = 1 << 20
	long := strings.Repeat("x", size)
	for short, text := range map[string]string{"b": long, "'b'": "'" + long + "'", "b #": "b # " + long, "[b]": "[" + long + "]"} {
		if more := spent(text) - spent(short); more < size/meter.ScannedBytes {
			t.Errorf("%d bytes more than in %s cost %d units more", size, short, more)
		}
	}
}

func TestReduceHasALimit(t *testing.T) {
	m := meter.New(1)
	yamltext.ParseEditable(m, []byte("{x: 1, a: ["+strings.Repeat("1, ", 1000)+"]}"), func(d *yamltext.Editable) {
		m.Spend(int(m.Left()) - 100)
		if edits, p := d.Reduce(map[*yamltext.Node]map[string]any{d.Root: {}}); edits != nil || p == nil || p.ID != yamltext.IDTooLarge {
			t.Errorf("%v, %v", edits, p)
		}
	}, func(p *yamltext.Problem) { t.Fatal(p.Message) })
}
