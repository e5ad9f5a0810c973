package yamltext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
)

// almostSpent returns a meter that has a number of units left.
func almostSpent(left int) *meter.Meter {
	m := meter.New(1)
	m.Spend(meter.Work - left)
	return m
}

const exceeded = "text/too-large: too large: the run exceeds the limit of "

// readAll reads texts in one run, and returns what is wrong with each.
func readAll(m *meter.Meter, texts ...string) []string {
	var all []string
	for _, text := range texts {
		got := ""
		report := func(p *Problem) { got += fmt.Sprintf("%d:%d %s: %s", p.Pos.Line, p.Pos.Column, p.ID, p.Message) }
		ParseText(m, []byte(text), func(*Document) {}, report)
		all = append(all, got)
	}
	return all
}

// The texts of a run share a meter. The one that exceeds a limit is refused, and so are those after it.
func TestTheTextsOfARunShareAMeter(t *testing.T) {
	for name, text := range map[string]string{
		"values":                           "[" + strings.Repeat("a,", 1000) + "]",
		"values in JSON":                   `{"a":[` + strings.Repeat("1,", 2000) + "1]}",
		"separators":                       strings.Repeat("#,", 9000),
		"directives":                       directives(50) + "--- 1",
		"directives in lines of all kinds": strings.ReplaceAll(directives(50), "\n", "\u2029") + "--- 1",
		"aliases":                          bomb(3),
		"bytes of aliases":                 "a: &a {k: " + strings.Repeat("x", 1<<10) + "}\nb: [" + strings.Repeat("*a,", 200) + "]",
		"merged keys":                      "a: &a {" + manyKeys(100) + "}\nb:\n" + strings.Repeat("- <<: *a\n", 10),
		"merges in merges":                 "a: " + strings.Repeat("{<<: ", 10) + "{" + manyKeys(100) + "}" + strings.Repeat("}", 10),
	} {
		got := readAll(almostSpent(70_000), slices.Repeat([]string{text}, 50)...)
		n := slices.IndexFunc(got, func(problem string) bool { return problem != "" })
		if n < 1 || n > 40 {
			t.Errorf("%s: text %d exceeds the limit", name, n)
			continue
		}
		for i, problem := range got[n:] {
			if !strings.HasSuffix(problem, " "+exceeded+"20000000 units of work") || i > 0 && !strings.HasPrefix(problem, "1:1 ") {
				t.Errorf("%s: text %d: %q", name, n+i, problem)
			}
		}
	}
}

// The cost of visiting a document is refunded, unless the visitor keeps it.
func TestDocumentsThatNobodyHoldsTakeLittle(t *testing.T) {
	const text = "a: [1, 2, 3]\n"
	spent := func(visit func(*meter.Meter, *Document)) int64 {
		m := meter.New(1)
		ParseText(m, []byte(text), func(d *Document) { visit(m, d) }, func(p *Problem) { t.Error(p.Message) })
		return meter.Work - m.Left()
	}
	read := spent(func(m *meter.Meter, _ *Document) {
		if taken := meter.Work - m.Left(); taken < 100 {
			t.Errorf("a document takes %d units while it is visited", taken)
		}
	})
	held := spent(func(m *meter.Meter, d *Document) { d.Root.Hold(m) })
	if read > 50 || held < read+5*meter.UnitsOfNode {
		t.Errorf("reading takes %d units, and holding %d", read, held)
	}
}

func TestUTF16IsDecoded(t *testing.T) {
	for data, want := range map[string]string{
		"\xff\xfea\x00\xac\x20":                        "a€",
		"\xfe\xff\x00a\xd8\x3d\xde\x00":                "a😀",
		"\xfe\xff\xd8\x3d\x00a":                        "\ufffda",
		"\xfe\xff\xde\x00\xd8\x3d":                     "\ufffd\ufffd",
		"\xfe\xff\xd8\x3d\xd8\x3d\xde\x00":             "\ufffd😀",
		"\xfe\xff\x00a\x00":                            "a",
		"\xff\xfe" + strings.Repeat("\xac\x20", 1_000): strings.Repeat("€", 1_000),
	} {
		if got := string(Decode([]byte(data))); got != want {
			t.Errorf("%q: got %q, want %q", data, got, want)
		}
	}
}

// The text is longer than the file, and no bytes are copied again.
func TestUTF16IsDecodedOnce(t *testing.T) {
	data := []byte("\xff\xfe" + strings.Repeat("\xac\x20", 1<<20))
	if used := allocated.By(func() { Decode(data) }); used > 3<<20+64<<10 {
		t.Errorf("%d bytes for %d", used, 3<<20)
	}
}

// A text that is to be edited counts as any other.
func TestTextsToEditAreCounted(t *testing.T) {
	m := meter.New(1)
	m.SpendText(meter.Bytes - 5)
	for i, want := range []string{"", "too large: the run exceeds the limit of 64 MiB"} {
		said := ""
		lines := ParseEditable(m, []byte("a: 1"), func(*Editable) {}, func(p *Problem) { said = p.Message })
		if (lines == nil) != (said != "") || said != want {
			t.Errorf("text %d: %v, %q", i, lines, said)
		}
	}
}

// Comments are not documents, and do not count as one.
func TestCommentsAreNoDocument(t *testing.T) {
	for text, want := range map[string]bool{"# c\n  # d\n\n": true, "---\n# c\n": true, "": true, "a": false, "# c\u0085a": false, "# c\na": false} {
		m := meter.New(1)
		for range meter.Documents {
			m.SpendDocument()
		}
		if said := readAll(m, text)[0]; (said == "") != want {
			t.Errorf("%q: %s", text, said)
		}
	}
}

// Objects count with their values, those that aliases stand for included, and with the paths of these, which repeat the keys above them.
func TestObjectsCountWithWhatTheyHave(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                               "1 0",
		"{a: 1}":                           "2 5",
		"{abcdefghi: 1}":                   "2 10",
		"{abcdefghi: {b: 1, c: 1}}":        "4 40",
		"{abcdefghi: [1, 1]}":              "4 40",
		"{abcdefghi: &a [1, 1], bcd: *a}":  "7 65",
		"{abcdefghi: {klmnopqrs: [[1]]}}":  "5 85",
		"{abcdefghi: {}, klmnopqrs: {}}":   "3 20",
		"[{abcdefghi: {}, klmnopqrs: {}}]": "4 35",
	} {
		var n *Node
		Parse([]byte(text), func(d *Document) { n = d.Root }, func(p *Problem) { t.Fatal(p.Message) })
		if fmt.Sprint(n.size, " ", n.paths) != want {
			t.Errorf("%s has %d values and %d bytes of paths, want %s", text, n.size, n.paths, want)
		}
		// What is in an object that is not answered for does not count.
		cost := meter.UnitsOfObject
		for _, answered := range []bool{false, true} {
			if answered {
				cost += n.size*meter.UnitsOfAnswer + 1 + int(n.paths)/meter.UnitBytes
			}
			if p := n.Object(almostSpent(cost), answered); p != nil {
				t.Errorf("%s: %s", text, p.Message)
			}
			if p := n.Object(almostSpent(cost-1), answered); p == nil || p.Pos != n.Pos {
				t.Errorf("%s takes less than %d units", text, cost)
			}
		}
	}
}
