package yamltext

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll reads texts in one run, and returns what is wrong with each.
func readAll(b *Budget, texts ...string) []string {
	var all []string
	for _, text := range texts {
		got := ""
		report := func(p *Problem) { got += fmt.Sprintf("%d:%d %s: %s", p.Pos.Line, p.Pos.Column, p.Rule, p.Message) }
		data, err := b.Read(strings.NewReader(text))
		var p *Problem
		if errors.As(err, &p) {
			report(p)
		} else {
			b.Parse(data, func(*Document) {}, report)
		}
		all = append(all, got)
	}
	return all
}

// The texts of a run share each limit, and nothing is read once one is reached.
func TestTheTextsOfARunShareTheirLimits(t *testing.T) {
	for _, c := range []struct {
		name  string
		have  Budget
		texts []string
		limit string
		place string // in the text that exceeds it, the last but one
	}{
		{"bytes", Budget{bytes: 10, documents: 9, values: 9, separators: 9}, []string{"abcde", "fghij", "k", "l"}, "64 MiB", "1:1"},
		{"documents", Budget{bytes: 99, documents: 2, values: 9, separators: 9}, []string{"a", "--- b\n--- c", "d"}, "50000 documents", "2:1"},
		{"values", Budget{bytes: 99, documents: 9, values: 4, separators: 9}, []string{"[a]", "[b,\n c]", "d"}, "1000000 values", "2:2"},
		{"values in JSON", Budget{bytes: 99, documents: 9, values: 4, separators: 9}, []string{`{"a":1}`, `{"b":[1]}`, `{}`}, "1000000 values", "1:7"},
		{"separators", Budget{bytes: 99, documents: 9, values: 9, separators: 3}, []string{"a: 1", "b: 1", "a: b: c", ""}, "3000000 separators between values", "1:1"},
	} {
		got := readAll(&c.have, c.texts...)
		last := len(got) - 1
		for i, problem := range got {
			want := ""
			switch i {
			case last - 1:
				want = c.place + " text/too-large: with this file, the run exceeds the limit of " + c.limit
			case last:
				want = "1:1 text/too-large: not read: the run exceeds the limit of " + c.limit
			}
			if problem != want {
				t.Errorf("%s: text %d: %q, want %q", c.name, i, problem, want)
			}
		}
	}
}

func TestAliasesOfARunShareTheirLimit(t *testing.T) {
	b := NewBudget()
	b.aliasNodes = 5
	got := readAll(b, "a: &a [1]\nb: *a", "a: &a [1, 1]\nb: *a", "a: &a 1\nb: *a", "c: 1")
	if got[0]+got[1]+got[3] != "" || !strings.Contains(got[2], RuleAliases) {
		t.Errorf("%q", got)
	}
	// What is merged counts, too, wherever it is written.
	b.aliasNodes = 2
	got = readAll(b, "<<: {a: 1, b: 2}", "<<: {a: 1}", "c: 1")
	if got[0]+got[2] != "" || got[1] != "1:5 text/too-many-aliases: aliases expand to more than 400000 nodes" {
		t.Errorf("%q", got)
	}
	b.aliasBytes, b.aliasNodes = 3, 9
	got = readAll(b, "a: &a xyz\nb: *a", "a: &a x\nb: *a")
	if got[0] != "" || got[1] != "2:4 text/too-many-aliases: aliases expand to more than 64 MiB" {
		t.Errorf("%q", got)
	}
}

// A text that is larger than what is left is not read to its end.
func TestNoMoreIsReadThanIsLeft(t *testing.T) {
	b := &Budget{bytes: 10}
	r := strings.NewReader(strings.Repeat("x", 100))
	if _, err := b.Read(r); err == nil || r.Len() != 89 {
		t.Errorf("%v, %d bytes are left", err, r.Len())
	}
	if _, err := b.Read(io.MultiReader()); err == nil {
		t.Error("something is read after the limit")
	}
	broken := errors.New("broken")
	if data, err := NewBudget().Read(io.MultiReader(strings.NewReader("a"), iotest.ErrReader(broken))); data != nil || err != broken {
		t.Errorf("%q, %v", data, err)
	}
}

// What is counted are the bytes of the file: a part of a text in UTF-16 is not taken for the whole.
func TestTextsInUTF16AreNotCut(t *testing.T) {
	b := &Budget{bytes: 10, documents: 1, values: 1}
	if _, err := b.Read(strings.NewReader("\xff\xfea\x00b\x00c\x00d\x00e\x00")); err == nil {
		t.Error("12 bytes are read as 10")
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

// A text that is to be edited counts as any other.
func TestTextsToEditAreCounted(t *testing.T) {
	b := &Budget{bytes: 5, documents: 9, values: 9, separators: 9}
	read := func(text string) (said string) {
		lines := b.ParseEditable([]byte(text), func(*Editable) {}, func(p *Problem) { said = p.Message })
		if (lines == nil) != (said != "") {
			t.Errorf("%s: %v, %s", text, lines, said)
		}
		return said
	}
	if said := read("a: 1"); said != "" {
		t.Error(said)
	}
	if said := read("b: 1"); said != "with this file, the run exceeds the limit of 64 MiB" {
		t.Error(said)
	}
	if said := read("c"); said != "not read: the run exceeds the limit of 64 MiB" {
		t.Error(said)
	}
	said := ""
	if lines := (&Budget{bytes: 3}).ParseText([]byte("a: 1"), func(*Document) {}, func(p *Problem) { said = p.Message }); lines != nil || said != "with this file, the run exceeds the limit of 64 MiB" {
		t.Errorf("%v, %s", lines, said)
	}
}

// Comments are no document, and count as none.
func TestCommentsAreNoDocument(t *testing.T) {
	for text, want := range map[string]bool{"# c\n  # d\n\n": true, "---\n# c\n": true, "": true, "a": false, "# c\u0085a": false, "# c\na": false} {
		b := &Budget{bytes: 99, separators: 99}
		if said := readAll(b, text)[0]; (said == "") != want {
			t.Errorf("%q: %s", text, said)
		}
	}
}

// What is held counts as if it had been read. The first object beyond the limit is a problem, and those after it are not counted.
func TestHeldDocumentsAndObjectsShareTheLimits(t *testing.T) {
	var root *Node
	Parse([]byte("{a: bcd, e: [1, 2]}"), func(d *Document) { root = d.Root }, func(p *Problem) { t.Fatal(p.Message) })
	b := &Budget{bytes: 7, documents: 3, values: 9, separators: 9, objects: 2, objectValues: 9}
	b.Hold(nil)
	b.Hold(root) // 5 values, and 5 bytes in keys and strings
	if want := (Budget{bytes: 2, documents: 2, values: 4, separators: 9, objects: 2, objectValues: 9}); *b != want {
		t.Errorf("%+v is left, want %+v", *b, want)
	}
	b.Hold(root)
	b.Hold(root)
	b.Hold(root)
	if want := (Budget{separators: 9, objects: 2, objectValues: 9}); *b != want {
		t.Errorf("%+v is left, want %+v", *b, want)
	}

	var said []string
	for line := range 4 {
		ok, p := b.AddObject(&Node{Pos: Pos{line, 1}}, true)
		text := fmt.Sprint(ok)
		if p != nil {
			text += fmt.Sprintf(" %d:%d %s", p.Pos.Line, p.Pos.Column, p.Message)
		}
		said = append(said, text)
	}
	const want = "true|true|false 2:1 with this file, the run exceeds the limit of 50000 objects|false"
	if have := strings.Join(said, "|"); have != want {
		t.Errorf("%s, want %s", have, want)
	}
	if have := readAll(b, "a"); !strings.Contains(have[0], "not read: the run exceeds the limit of 50000 objects") {
		t.Errorf("then %q", have)
	}
}

// Objects count with their values, those that aliases stand for included, and with the paths of these, which repeat the keys above them.
func TestObjectsCountWithWhatTheyHave(t *testing.T) {
	parsed := func(text string) *Node {
		var root *Node
		Parse([]byte(text), func(d *Document) { root = d.Root }, func(p *Problem) { t.Fatal(p.Message) })
		return root
	}
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
		if n := parsed(text); fmt.Sprint(n.Size(), " ", n.paths) != want {
			t.Errorf("%s has %d values and %d bytes of paths, want %s", text, n.Size(), n.paths, want)
		}
	}

	long := parsed(`{"` + strings.Repeat("a", maxObjectPaths-6) + `": 1, "b": 1}`) // exactly the limit
	longer := parsed(`{"` + strings.Repeat("a", maxObjectPaths-5) + `": 1, "b": 1}`)
	small := parsed("{a: {b: 1}}") // 3 values, and 15 bytes in paths
	const (
		tooLong    = "1:1 the paths of all fields of the object exceed the limit of 16 MiB"
		manyValues = "1:1 with this file, the run exceeds the limit of 400000 values in its objects"
		manyPaths  = "1:1 with this file, the run exceeds the limit of 256 MiB of paths in its objects"
	)
	for _, test := range []struct {
		left    Budget
		objects []*Node
		want    string
	}{
		{Budget{objects: 9, objectValues: 9, paths: maxPaths}, []*Node{long, longer, small}, "true|false " + tooLong + "|true"},
		{Budget{objects: 9, objectValues: 6, paths: 99}, []*Node{small, small, small, small}, "true|true|false " + manyValues + "|false"},
		{Budget{objects: 9, objectValues: 5, paths: 99}, []*Node{small, small, small}, "true|false " + manyValues + "|false"},
		{Budget{objects: 9, objectValues: 99, paths: 30}, []*Node{small, small, small}, "true|true|false " + manyPaths},
		{Budget{objects: 9, objectValues: 99, paths: 29}, []*Node{small, small, small}, "true|false " + manyPaths + "|false"},
	} {
		var said []string
		for _, n := range test.objects {
			ok, p := test.left.AddObject(n, true)
			text := fmt.Sprint(ok)
			if p != nil {
				text += fmt.Sprintf(" %d:%d %s", p.Pos.Line, p.Pos.Column, p.Message)
			}
			said = append(said, text)
		}
		if have := strings.Join(said, "|"); have != test.want {
			t.Errorf("%s, want %s", have, test.want)
		}
	}
	// What is in an object that is not answered for does not count.
	b := &Budget{objects: 2}
	for i, want := range []bool{true, true, false} {
		if ok, _ := b.AddObject(longer, false); ok != want {
			t.Errorf("object %d: %t", i, ok)
		}
	}
}
