package yamltext

import (
	"fmt"
	"strings"
	"testing"
)

// The most frequent mistakes, with what is said about them, and where: the line that a person would point at. Each recogniser has a row.
func TestMistakesAreSaidInPlainWords(t *testing.T) {
	const head = "kind: A\n" // the first line
	const belongs = "indent it like the line above that it belongs with"
	tested := map[string]bool{}
	for _, test := range []struct{ mistake, text, want, hint string }{
		{"an alias", "schedule: * 9 * * *\nb: c\n", "2:11 * begins an alias", `put the value in quotes: "* 9 * * *"`},
		{"an alias", "hosts:\n- *.example.com\n", "3:3 * begins an alias", `put the value in quotes: "*.example.com"`},
		{"an alias", "a: &\n", "2:4 & begins an anchor", `put the value in quotes: "&"`},
		{"an unknown alias", "a: *foo\n", "2:4 unknown anchor 'foo' referenced", "if it is not an alias, put the value in quotes"},
		{"a tab", "spec:\n\tweight: 10\n", "3:1 a tab indents this line", "indent with spaces"},
		{"a tab", "spec:\n  a: 1\n\tb: 10\n", "4:1 a tab indents this line", "indent with spaces"},
		{"a colon in a value", "a: b\ntitle: Warning: hot\n", "3:8 the value has a colon in it", `put the value in quotes: "Warning: hot"`},
		{"a colon in a value", "a: b\ntitle: : hot\n", "3:8 the value has a colon in it", `put the value in quotes: ": hot"`},
		{"a colon in a value", "a: b\ntitle: hot:\n", "3:8 the value has a colon in it", `put the value in quotes: "hot:"`},
		{"quotes that are not closed", "a: \"x\nb: c\n", "2:4 the quotes that open here are not closed", ""},
		{"quotes that are not closed", "a: 'x\nb: 'y'\n", "2:4 the quotes that open here are not closed", ""},
		{"wrong indentation", "spec:\n  a: 1\n   b: 2\n", "4:4 this line is indented by 3, and the line above it by 2", "indent both alike: this line may be indented too much, or the one above it too little"},
		{"wrong indentation", "spec:\n   a: 1\n  b: 2\n", "4:3 this line is indented by 2, and the lines above it by 3 or 0", belongs},
		{"wrong indentation", "spec:\n  - a: 1\n   - b: 1\n", "4:4 this line is indented by 3, and the lines above it by 4 or 2 or 0", belongs},
		{"wrong indentation", "list:\n  - alpha\n  - beta\n mode: x\n", "5:2 this line is indented by 1, and the lines above it by 4 or 2 or 0", belongs},
		{"wrong indentation", "list:\n    - alpha\n   - beta\n", "4:4 this line is indented by 3, and the lines above it by 6 or 4 or 0", belongs},
		{"wrong indentation", "text: |\n    foo\n    bar\n  - x: y\n", "5:3 this line is indented by 2, and the lines above it by 4 or 0", belongs},
		{"wrong indentation", "text: |\n  foo:\n\n    bar\n b: c\n", "6:2 this line is indented by 1, and the lines above it by 4 or 2 or 0", belongs},
		{"wrong indentation", "b:\n c:\n  d:\n   e:\n     f: 1\n    g: 2\n", "7:5 this line is indented by 4, and the lines above it by 5 or 3 or 2 or 1", belongs},
		{"wrong indentation", "a: {b: c}\n  d: e\n", "3:3 this line is indented by 2, and the line above it by 0", "indent both alike: this line may be indented too much, or the one above it too little"},
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
		"a: \"" + long + "\"\nb: c\nd e\nf: g\n": "could not find expected ':'",
		"a: [" + long + "\nb: c\n":               "did not find expected ',' or ']'",
	} {
		Parse([]byte(text), func(*Document) {}, func(p *Problem) {
			if p.Message != "invalid YAML: "+want {
				t.Errorf("%.20q: %s", text, p.Message)
			}
		})
	}
}
