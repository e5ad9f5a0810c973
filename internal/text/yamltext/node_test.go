package yamltext

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

func TestShortenedTextsEndWithAWholeCharacter(t *testing.T) {
	for _, before := range []string{"", "x", "xx", "xxx"} {
		long := before + strings.Repeat("語", 40)
		short := Shorten(long)
		stem, ok := strings.CutSuffix(short, "...")
		if !ok || !utf8.ValidString(stem) || !strings.HasPrefix(long, stem) || len(stem) < 58 || len(stem) > 60 {
			t.Errorf("%q becomes %q", long, short)
		}
	}
	if s := strings.Repeat("x", 60); Shorten(s) != s {
		t.Errorf("%q is shortened to %q", s, Shorten(s))
	}
}

// Whatever a node is, it can be asked for everything: what it does not have is empty.
func TestNodesAnswerForWhatTheyAreNot(t *testing.T) {
	for _, c := range []struct{ text, str, strings, describes, hint, a, first string }{
		{"", "", "[]", "null", "", "", ""},
		{"null", "", "[]", "null", "", "", ""},
		{"true", "", "[]", "the boolean true", "put it in quotes: YAML reads true, false, yes, no, on, off, y and n as booleans", "", ""},
		{"7", "", "[]", "the integer 7", "put it in quotes", "", ""},
		{"1.5", "", "[]", "the number 1.5", "put it in quotes", "", ""},
		{"text", "text", "[]", `the string "text"`, "", "", ""},
		{"[x, 1, [z]]", "", `["x" "" ""]`, "a list", "", "", "x"},
		{"[]", "", "[]", "a list", "", "", ""},
		{"{a: b, c: d}", "", "[]", "an object", "", "b", ""},
		{"{}", "", "[]", "an object", "", "", ""},
	} {
		n := &Node{}
		Parse([]byte("v: "+c.text+"\n"), func(d *Document) { n = d.Root.Child("v") }, func(p *Problem) { t.Fatal(p) })
		if n.Describe() != c.describes || n.QuoteHint() != c.hint {
			t.Errorf("%s is %s: %s", c.text, n.Describe(), n.QuoteHint())
		}
		for _, n := range []*Node{n, n.Child("nothing"), n.Element(3)} {
			if n == nil {
				c.str, c.strings, c.a, c.first, c.describes = "", "[]", "", "", "null"
			}
			if got := fmt.Sprintf("%q", n.Strings()); n.Str() != c.str || got != c.strings || n.Child("a").Str() != c.a || n.Element(0).Str() != c.first || n.Bool() != (c.describes == "the boolean true") ||
				len(n.Elements()) != len(n.Strings()) || n.IsNull() != (c.describes == "null") {
				t.Errorf("%s: %q, %s, %q, %q, %t", c.text, n.Str(), got, n.Child("a").Str(), n.Element(0).Str(), n.Bool())
			}
		}
	}
}

func TestSomeOfAListAreNamed(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "x", 2: "x, x", 3: "x, x and 1 more", 5: "x, x and 3 more"} {
		if have := ListSome(make([]int, n), 2, func(int) string { return "x" }); have != want {
			t.Errorf("%d: %q, want %q", n, have, want)
		}
	}
}

// Quotes end where YAML says: not at an escaped one, nor at two single ones.
func TestQuotesEnd(t *testing.T) {
	for value, want := range map[string]int{
		"": 0, "a": 0, `a"`: 0, `""`: 1, `"a"`: 2, `"a`: -1, `"`: -1, `"\"`: -1, `"\""`: 3, `"\\"`: 3, `"'"`: 2, `"a"b"`: 2,
		`''`: 1, `'a'`: 2, `'a`: -1, `'`: -1, `'\'`: 2, `'''`: -1, `''''`: 3, `'a''b'`: 5, `'"'`: 2, `'a'b'`: 2,
	} {
		if open := isOpen(value); open != (want < 0) {
			t.Errorf("%s is open: %t", value, open)
		}
	}
}

// A document knows what was written where YAML reads something else.
func TestWhatIsWrittenIsRemembered(t *testing.T) {
	var doc *Document
	Parse([]byte("yes: 0644\nplain: text\n"), func(d *Document) { doc = d }, func(p *Problem) { t.Fatal(p) })
	for at, want := range map[Pos]string{{1, 1}: "yes", {1, 6}: "0644", {2, 1}: "", {2, 8}: "", {3, 1}: ""} {
		if text, ok := doc.Written(at); text != want || ok != (want != "") {
			t.Errorf("%v: %q", at, text)
		}
		hint := ""
		if want != "" {
			hint = "YAML reads the key " + want + " as true: put it in quotes"
		}
		if have := doc.KeyHint(at, "true"); have != hint {
			t.Errorf("%v: %q", at, have)
		}
	}
	if text, ok := (*Document)(nil).Written(Pos{1, 1}); text != "" || ok {
		t.Errorf("no document: %q", text)
	}
}

// JSON in a larger text has its places in that text.
func TestJSONAtAPlace(t *testing.T) {
	var at Place
	at.Pass([]byte("é\nab"))
	for text, want := range map[string]string{
		`{"a": 1}`: "2:3 to 2", "\n{\"a\":\n 1}\n": "3:1 to 5", `{"a": }`: "2:9", `[1] x`: "2:3 to 2, 2:7",
	} {
		var got []string
		ParseJSON(meter.New(1), []byte(text), at, func(d *Document) {
			got = append(got, fmt.Sprintf("%d:%d to %d", d.Root.Pos.Line, d.Root.Pos.Column, d.Last))
		}, func(p *Problem) { got = append(got, fmt.Sprintf("%d:%d", p.Pos.Line, p.Pos.Column)) })
		if have := strings.Join(got, ", "); have != want {
			t.Errorf("%q: %s, want %s", text, have, want)
		}
	}
	spent := meter.New(1)
	spent.Spend(meter.Work)
	var problem *Problem
	ParseJSON(spent, []byte("[1, 2]"), at, func(*Document) { t.Error("a document is read without a meter") }, func(p *Problem) { problem = p })
	if problem == nil || problem.Pos != (Pos{2, 3}) {
		t.Errorf("with a spent meter: %+v", problem)
	}
}
