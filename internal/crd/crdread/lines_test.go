package crdread_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// TestFindingsAreInTheLineThatIsShown has every line break of YAML before the place of a finding. The line that the index
// has under the number of the finding is the one with HERE in it, and the column is where HERE begins.
func TestFindingsAreInTheLineThatIsShown(t *testing.T) {
	crd := strings.Replace(smallCRD("Job"), `"scope"`, "\n  \"HERE\": 1, \"scope\"", 1)
	for _, br := range []string{"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"} {
		for name, input := range map[string]string{
			"a document":                             "# c" + br + crd,
			"a document after a literal":             "a: |" + br + "  b" + br + "  c" + br + "\n---\n" + crd,
			"a document after a quoted value":        "a: \"b" + br + "  c\"\n---\n" + crd,
			"a document after a comment":             "# a" + br + "# b\n---\n" + crd,
			"a document after a plain value":         "a: b" + br + "  c\n---\n" + crd,
			"JSON":                                   strings.Replace(crd, "{", "{\"status\": \"b"+strings.NewReplacer("\n", "", "\r", "").Replace(br)+"c\",", 1),
			"a document after a comment in its line": "# c" + br + strings.ReplaceAll(strings.Replace(smallCRD("Job"), `"scope"`, "\"HERE\": 1, \"scope\"", 1), "\n", ""),
			"JSON after a document":                  "a: b" + br + "c: d\n---\n" + crd,
			"a syntax error":                         "a: b" + br + "c: d" + br + "x: @HERE\n",
			"a syntax error below":                   "a: b" + br + "c: d\n---\ne: f" + br + "x: - HERE\n",
			"an unknown anchor":                      "a: b" + br + "c: d\n---\ne: f" + br + "b: [*HERE]\n",
			"a control character":                    "a: b" + br + "c: d\n---\ne: f" + br + "g: \x01HERE\n",
			"a value that JSON does not have":        "a: b" + br + "c: d\n---\ne: f" + br + "g: !!int HERE\n",
			"broken JSON":                            "a: b" + br + "c: d\n---\n{\"a\": \"" + strings.NewReplacer("\n", "", "\r", "").Replace(br) + "\",\n  \"b\" HERE\n",
			"UTF-16":                                 inUTF16("# c" + br + crd),
			"a byte order mark":                      "\ufeff# c" + br + crd,
			"a byte order mark before it":            "\ufeffa: b" + br + "x: @HERE",
		} {
			t.Run(fmt.Sprintf("%q, %s", br, name), func(t *testing.T) {
				data := []byte(input)
				f := crdread.Load("x", bytes.NewReader(data))
				data = yamltext.Decode(data)
				found := false
				for _, finding := range f.Findings {
					line := f.Lines.Line(data, finding.Line)
					at := bytes.Index(line, []byte("HERE"))
					found = found || at >= 0
					if at < 0 {
						t.Errorf("%d:%d is %q: %s", finding.Line, finding.Column, line, finding.Message)
					} else if column := utf8.RuneCount(line[:at]) + 1; finding.Column > column || finding.Column < column-len("g: !!int ") {
						t.Errorf("column %d of %q: %s", finding.Column, line, finding.Message)
					}
				}
				if !found {
					t.Errorf("nothing found: %v", f.Findings)
				}
			})
		}
	}
}

// inUTF16 encodes s, which is ASCII and a few characters of two bytes, as some shells do.
func inUTF16(s string) string {
	b := []byte{0xff, 0xfe}
	for _, r := range s {
		b = append(b, byte(r), byte(r>>8))
	}
	return string(b)
}
