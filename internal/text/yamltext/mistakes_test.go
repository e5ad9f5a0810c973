package yamltext

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// The commonest mistakes, with what is said about them, and where: the line that a person would point at. Each recogniser has a row.
func TestMistakesAreSaidInPlainWords(t *testing.T) {
	const head = "kind: A\n" // the first line
	const belongs = "indent it like the line above that it belongs with"
	tested := map[string]bool{}
	for _, test := range []struct{ mistake, text, want, hint string }{
		{"an alias", "schedule: * 9 * * *\nb: c\n", "2:11 * begins an alias", `put the value in quotes: "* 9 * * *"`},
		{"an alias", "hosts:\n- *.example.com\n", "3:3 * begins an alias", `put the value in quotes: "*.example.com"`},
		{"an alias", "a: &\n", "2:4 & begins an anchor", `put the value in quotes: "&"`},
		{"an unknown alias", "a: *foo\n", "2:4 unknown anchor 'foo' referenced", "if it is not an alias, put the value in quotes"},
		{"no colon", "spec:\n  weight 10\n  b: c\n", "3:3 there is no colon in this line", "write weight: 10"},
		{"no colon", "weight 10\nb: c\n", "2:1 there is no colon in this line", "write weight: 10"},
		{"no colon", "spec:\n  a: 1\n  ports\n  b: 2\n", "4:3 there is no colon in this line", "write ports:"},
		{"no space after a colon", "spec:\n  weight:10\n  b: 2\n", "3:9 there is no space after the colon", "write weight: 10"},
		{"a tab", "spec:\n\tweight: 10\n", "3:1 a tab indents this line", "indent with spaces"},
		{"a tab", "spec:\n  a: 1\n\tb: 10\n", "4:1 a tab indents this line", "indent with spaces"},
		{"a reserved character", "schedule: @daily\n", "2:11 a value cannot begin with @", `put the value in quotes: "@daily"`},
		{"a reserved character", "a: %d items # \"\n", "2:4 a value cannot begin with %", "put the value in quotes"},
		{"a reserved character", "a: @" + strings.Repeat("x", 59) + "\n", "2:4 a value cannot begin with @", `put the value in quotes: "@` + strings.Repeat("x", 59) + `"`},
		{"a reserved character", "a: @" + strings.Repeat("x", 60) + "\n", "2:4 a value cannot begin with @", "put the value in quotes"},
		{"a reserved character", "a: @b \"c\n", "2:4 a value cannot begin with @", "put the value in quotes"},
		{"a reserved character", "a: @b\\c\n", "2:4 a value cannot begin with @", "put the value in quotes"},
		{"a reserved character", "a: @b # c\n", "2:4 a value cannot begin with @", "put the value in quotes"},
		{"a reserved character", "%foo: x\n", "2:1 a key cannot begin with %", "put the key in quotes"},
		{"a colon in a value", "a: b\ntitle: Warning: hot\n", "3:8 the value has a colon in it", `put the value in quotes: "Warning: hot"`},
		{"a colon in a value", "a: b\ntitle: : hot\n", "3:8 the value has a colon in it", `put the value in quotes: ": hot"`},
		{"a colon in a value", "a: b\ntitle: hot:\n", "3:8 the value has a colon in it", `put the value in quotes: "hot:"`},
		{"quotes that are not closed", "a: \"x\nb: c\n", "2:4 the quotes that open here are not closed", ""},
		{"quotes that are not closed", "a: 'x\nb: 'y'\n", "2:4 the quotes that open here are not closed", ""},
		{"text after quotes", "a: 'it's'\nb: c\n", "2:7 there is text after the quotes, which end here", "in single quotes, write an apostrophe as two"},
		{"text after quotes", "a: \"x\" y\n", "2:6 there is text after the quotes, which end here", `in double quotes, write a quote as \"`},
		{"a bracket that is not closed", "a: [x, y\nb: c\n", "2:4 the list that opens here is not closed", "add ]"},
		{"a bracket that is not closed", "a: [1, 2\n  b\nc: {x: [1, 2}\n", "2:4 the list that opens here is not closed", "add ]"},
		{"a bracket that is not closed", "a: [x]\nb:\n- {x: [1], y: '}'\n- c\nd: e\n", "4:3 the map that opens here is not closed", "add }"},
		{"a bracket that is not closed", "a: [\n", "2:4 the list that opens here is not closed", "add ]"},
		{"wrong indentation", "spec:\n  a: 1\n   b: 2\n", "4:4 this line is indented by 3, and the line above it by 2", "indent both alike: this line may be indented too much, or the one above it too little"},
		{"wrong indentation", "spec:\n   a: 1\n  b: 2\n", "4:3 this line is indented by 2, and the lines above it by 3 or 0", belongs},
		{"wrong indentation", "spec:\n  - a: 1\n   - b: 1\n", "4:4 this line is indented by 3, and the lines above it by 4 or 2 or 0", belongs},
		{"wrong indentation", "list:\n  - alpha\n  - beta\n mode: x\n", "5:2 this line is indented by 1, and the lines above it by 4 or 2 or 0", belongs},
		{"wrong indentation", "list:\n    - alpha\n   - beta\n", "4:4 this line is indented by 3, and the lines above it by 6 or 4 or 0", belongs},
		{"wrong indentation", "text: |\n    foo\n    bar\n  - x: y\n", "5:3 this line is indented by 2, and the lines above it by 4 or 0", belongs},
		{"wrong indentation", "text: |\n  foo:\n\n    bar\n b: c\n", "6:2 this line is indented by 1, and the lines above it by 4 or 2 or 0", belongs},
		{"no colon", "list:\n- weight 10\n  b: c\n", "3:3 there is no colon in this line", "write weight: 10"},
		{"no colon", "l:\n- a: |\n    x\n  weight 10\n  b: c\n", "5:3 there is no colon in this line", "write weight: 10"},
		{"a bracket that nothing opens", "mode: ]\nb: c\n", "2:7 nothing opens this bracket", "remove it, or put the value in quotes"},
		{"a bracket that nothing opens", "mode: }\n", "2:7 nothing opens this bracket", "remove it, or put the value in quotes"},
		{"a bracket that nothing opens", "mode: [a]]\n", "2:10 nothing opens this bracket", "remove it, or put the value in quotes"},
		{"a bracket that nothing opens", "a:\n- {x: y} }\n", "3:10 nothing opens this bracket", "remove it, or put the value in quotes"},
		{"a bracket that nothing opens", "a: b\n]\n", "3:1 nothing opens this bracket", "remove it, or put the value in quotes"},
		{"a bracket that nothing opens", "a:\n  - x\n}\n", "4:1 nothing opens this bracket", "remove it, or put the value in quotes"},
		{"a bracket that nothing opens", "a: [\n  x\n]\n]\nb: c\n", "5:1 nothing opens this bracket", "remove it, or put the value in quotes"},
		{"a bracket that is opened", "a: [x,\n] y\nb: c\n", "3:1 did not find expected key", "check the indentation of this line"},
		{"a reserved character", "a: , x\n", "2:4 a value cannot begin with ,", `put the value in quotes: ", x"`},
		{"a reserved character", "a:\n- , x\n", "3:3 a value cannot begin with ,", `put the value in quotes: ", x"`},
		{"a reserved character", "a: [\n  , x]\n", "3:3 did not find expected node content", ""},
		{"a reserved character", "mode: ? x\n", "2:7 a value cannot begin with ?", `put the value in quotes: "? x"`},
		{"text after quotes", "text: \"foo\n    @bar\"x\n", "3:9 there is text after the quotes, which end here", `in double quotes, write a quote as \"`},
		{"wrong indentation", "b:\n c:\n  d:\n   e:\n     f: 1\n    g: 2\n", "7:5 this line is indented by 4, and the lines above it by 5 or 3 or 2 or 1", belongs},
		{"an escape", "a: \"C:\\path\"\n", `2:7 \p is not an escape in double quotes`, `use single quotes, or write \\`},
		{"text that is not indented", "a: |\nsome text\nb: c\n", "3:1 this line is not indented, so it does not belong to the text that begins above", "indent all lines of the text by more than its key"},
		{"a list below a value", "a: x\n- y\n", "3:1 a has a value already, and this line begins a list", ""},
		{"a list below a value", "- y\n", "2:1 kind has a value already, and this line begins a list", ""},
		{"a list below a value", "a: [x]\n- y\n", "3:1 a has a value already, and this line begins a list", ""},
		{"a list below a value", "a:\n- b: [x]\n  - y\n", "4:3 b has a value already, and this line begins a list", ""},
		{"wrong indentation", "a: {b: c}\n  d: e\n", "3:3 this line is indented by 2, and the line above it by 0", "indent both alike: this line may be indented too much, or the one above it too little"},
		{"a list after its key", "a: - x\n", "2:4 a list cannot begin on the line of its key", "begin it on the next line"},
		{"a dash without a space", "a:\n-x\n-y\nb: c\n", "3:1 there is no space after the dash", "write - x"},
		{"text after an indicator", "a: |text\n", "2:4 the text after | begins on the next line", "to begin the value with |, put it in quotes"},
		{"text after an indicator", "a: >text\n", "2:4 the text after > begins on the next line", "to begin the value with >, put it in quotes"},
		{"text after an indicator", "a: !b |text\n", "2:1 did not find expected comment or line break", ""},
		{"typographic quotes", "a: “x: y”\n", "2:4 “ is not a quote to YAML", "use \" or '"},
		{"a non-breaking space", "spec:\n  a: 1\n \u00a0b: 2\n", "4:2 the space before the text is U+00A0, not an ordinary one", "indent with spaces; it may come from a web page"},
		{"a merge conflict", "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n", "2:1 a merge conflict is not resolved", ""},
		{"bytes that are not text", "\x00\x01{{", "2:1 the file is not a text", "it may be compressed, or a program"},
		{"bytes that are not text", "a: caf\xe9\n", "2:7 the byte 0xe9 is not UTF-8", "save the file as UTF-8"},
		{"bytes that are not text", "a: b\x1b[0m\n", "2:5 the character U+001B is not allowed", "remove it, or write it as an escape in double quotes"},
		{"a template", "a:\n{{ toYaml . }}\n", "3:1 a template action", templateHint},
	} {
		tested[test.mistake] = true
		for i := range test.text { // whatever is cut off, nothing panics
			Parse([]byte(test.text[:i]), func(*Document) {}, func(*Problem) {})
			Parse([]byte(test.text[i:]), func(*Document) {}, func(*Problem) {})
		}
		for _, end := range []string{"\n", "\r\n"} {
			text := strings.ReplaceAll(head+test.text, "\n", end)
			var have []string
			Parse([]byte(text), func(*Document) {}, func(p *Problem) {
				have = append(have, fmt.Sprintf("%d:%d %s (%s)", p.Pos.Line, p.Pos.Column, p.Message, p.Hint))
			})
			var place, message string
			fmt.Sscanf(test.want, "%s", &place)
			message = test.want[len(place)+1:]
			if want := fmt.Sprintf("%s invalid YAML: %s (%s)", place, message, test.hint); len(have) != 1 || have[0] != want {
				t.Errorf("%s: %q\nhave %q\nwant %q", test.mistake, text, have, want)
			}
		}
	}
	for _, r := range recognisers {
		if !tested[r.name] {
			t.Errorf("%s has no row", r.name)
		}
	}
}

// The bracket that is not closed is the innermost one, whatever else stands in the list: brackets in quotes and comments do not count.
func TestOpenBracketsBesideOtherText(t *testing.T) {
	for _, text := range []string{"x", "'x'", `"x"`, "']'", "'['", `"}"`, `"\"]"`, `"\\"`, "'it''s]'", "it's", "[1]", "{b: [c]}", "{b: c}, [d]", "x#y", "x # ]\n  ", "\n  x", "'[', \"[\""} {
		before := "a: [" + text + ", "
		line, column := 1+strings.Count(before, "\n"), 1+len(before)-1-strings.LastIndex(before, "\n")
		for end, bracket := range map[string]string{"{y: 1": "map", "{y: 1]": "map", "{y: '}'": "map", "[1": "list", "[1}": "list", "[1, # ]": "list"} {
			var have string
			Parse([]byte(before+end+"\nb: c\n"), func(*Document) {}, func(p *Problem) { have += fmt.Sprintf("%d:%d %s\n", p.Pos.Line, p.Pos.Column, p.Message) })
			if want := fmt.Sprintf("%d:%d invalid YAML: the %s that opens here is not closed\n", line, column, bracket); have != want {
				t.Errorf("%q\nhave %s\nwant %s", before+end, have, want)
			}
		}
	}
}

// Every space and quote that word processors and web pages have is named.
func TestCharactersThatLookLikeOthers(t *testing.T) {
	first := func(text string) (have string) {
		Parse([]byte(text), func(*Document) {}, func(p *Problem) { have = fmt.Sprintf("%d:%d %s", p.Pos.Line, p.Pos.Column, p.Message) })
		return have
	}
	for _, r := range "\u00a0\u2007\u200b\u202f\u3000" {
		if have, want := first(fmt.Sprintf("a:\n  b: 1\n %cc: 2\n", r)), fmt.Sprintf("3:2 invalid YAML: the space before the text is %U, not an ordinary one", r); have != want {
			t.Errorf("%U: %s, want %s", r, have, want)
		}
	}
	for _, r := range "“”„‘’‚«" {
		if have, want := first(fmt.Sprintf("a: %cb: c\n", r)), fmt.Sprintf("1:4 invalid YAML: %c is not a quote to YAML", r); have != want {
			t.Errorf("%U: %s, want %s", r, have, want)
		}
	}
}

// A byte that no YAML has is found wherever it stands, the first and the last place included.
func TestBytesThatAreNoText(t *testing.T) {
	const text = "a: é\nbé:\n- c\n"
	for bad, want := range map[string]string{
		"\x00": "the file is not a text", "\xff": "the byte 0xff is not UTF-8", "\x01": "the character U+0001 is not allowed",
		"\x1f": "the character U+001F is not allowed", "\x7f": "the character U+007F is not allowed", "\u009f": "the character U+009F is not allowed", "\uffff": "the character U+FFFF is not allowed",
	} {
		places := []int{len(text)}
		for at := range text {
			places = append(places, at)
		}
		for _, at := range places {
			var have string
			Parse([]byte(text[:at]+bad+text[at:]), func(*Document) {}, func(p *Problem) { have += fmt.Sprintf("%d:%d %s\n", p.Pos.Line, p.Pos.Column, p.Message) })
			line, column := 1+strings.Count(text[:at], "\n"), 1+utf8.RuneCountInString(text[1+strings.LastIndex(text[:at], "\n"):at])
			if want := fmt.Sprintf("%d:%d invalid YAML: %s\n", line, column, want); have != want {
				t.Errorf("%q at %d: have %s\nwant %s", bad, at, have, want)
			}
		}
	}
}

// Regular expressions take long. They see no long lines, and nothing is said about what they do not see.
func TestLongLinesAreNotLookedAt(t *testing.T) {
	long := strings.Repeat("x: ", maxLine)
	for line, want := range map[string]string{
		long[:maxLine]: long[:maxLine], "  - a: [" + long: "  - a:", `  - "` + long: "  - …", "a: |" + long: "a:", "[" + long: "…", strings.Repeat(" ", 2*maxLine): strings.Repeat(" ", maxLine) + "…",
	} {
		if have := shortLine([]byte(line)); have != want {
			t.Errorf("%.20q becomes %.20q, want %.20q", line, have, want)
		}
	}
	for text, want := range map[string]string{
		long + "\nb: c\n":                        "mapping values are not allowed in this context",
		"a: \"" + long + "\"\nb: c\nd e\nf: g\n": "there is no colon in this line",
		"a: [" + long + "\nb: c\n":               "did not find expected ',' or ']'",
	} {
		Parse([]byte(text), func(*Document) {}, func(p *Problem) {
			if p.Message != "invalid YAML: "+want {
				t.Errorf("%.20q: %s", text, p.Message)
			}
		})
	}
}
