package objects_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// open opens a text of which at most limit bytes are held; 0 means the default.
func open(t *testing.T, data string, limit int) *objects.Text {
	t.Helper()
	defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
	text, err := objects.Open(meter.New(1), objects.Source{Name: "f.json", Reader: strings.NewReader(data),
		Again: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// found returns what is in a text: objects with their places, other values, and problems.
func found(t *testing.T, text *objects.Text, limit int) []string {
	t.Helper()
	defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
	var all []string
	say := func(at yamltext.Pos, what string) {
		all = append(all, fmt.Sprintf("%d:%d %s", at.Line, at.Column, what))
	}
	r := objects.Reader{
		Meter:  meter.New(1),
		IsKind: func(_, kind string) bool { return kind == "AllowList" },
		Visit: func(o objects.Object) {
			data, _ := o.JSON(1000)
			say(o.Node.Pos, fmt.Sprintf("%s %s %t %s", o.APIVersion, o, o.Implied, data))
			for _, d := range o.Duplicates() {
				say(d.Pos, d.Message()+": "+d.Hint())
			}
		},
		Other:   func(n *yamltext.Node) { say(n.Pos, n.Describe()) },
		Problem: func(p *yamltext.Problem) { say(p.Pos, p.Message) },
	}
	if _, err := r.Read(text); err != nil {
		t.Error(err)
	}
	return all
}

// A text has the same objects at the same places, whether it is read as JSON that is held, as JSON that is not, or as YAML.
func TestTextsAreReadAlike(t *testing.T) {
	const app = `{"apiVersion": "g/v1", "kind": "A", "metadata": {"name": "é", "generateName": "x"}, "ü": 1, "b": {"ü": 2, "ü": 3}}`
	for _, tt := range []string{
		app, app + "\n" + app, "\r\n\t" + app + "\r" + app + "\n\n", `{"é": "` + "\u2028" + `", "a": "` + "\u0085" + `"} ` + app,
		`{"apiVersion": "v1", "é": "é", "kind": "List", "items": [` + app + `, ` + app + ",\n \"é\"  ,1, [{}], " + app + `]}` + "\n" + app,
		`{"apiVersion": "g/v1", "kind": "AList", "items": [{"a": 1}, {"apiVersion": null, "kind": 1}, {"kind": "B"}, {"apiVersion": "v1"}]} ` + app,
		`{"apiVersion": "g/v1", "kind": "AllowList", "items": [{"a": 1}]}`,
		`{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "g/v1", "kind": "AList", "items": [{"é": 1}, {"b": 1}]}, ` + app + `]}`,
		`{"kind": "AList", "items": []}`, `{"kind": "AList", "items": null}`, `{"kind": "AList", "items": 1}`, `{"kind": "AList"}`,
		`{"a": [` + strings.Repeat(`[`, 600) + strings.Repeat(`]`, 600) + `]} ` + app,
	} {
		text := open(t, tt, 0)
		want := found(t, text, 0)
		if !text.IsJSON() || !text.IsHeld() || len(want) == 0 && !strings.Contains(tt, "AList") {
			t.Errorf("%s: JSON %t, held %t, %d objects", tt, text.IsJSON(), text.IsHeld(), len(want))
		}
		for limit := max(1, len(tt)-1); limit > 120 && limit > len(tt)/3; limit -= 7 {
			text := open(t, tt, limit)
			have := found(t, text, limit)
			if text.IsHeld() {
				t.Fatalf("held, with a limit of %d", limit)
			}
			if last := len(have) - 1; last >= 0 && strings.Contains(have[last], "larger than") {
				continue // a list in a list, or a text with one object
			}
			if !slices.Equal(have, want) {
				t.Errorf("%s\nwith the limit %d:\n%s\nwant\n%s", tt, limit, strings.Join(have, "\n"), strings.Join(want, "\n"))
			}
		}
		if yaml := open(t, tt+" # YAML", 0); strings.ContainsAny(tt, "\u2028\u0085\r") || strings.Count(tt, "}\n{")+strings.Count(tt, "} {") > 0 {
			continue // the same line of YAML, or documents that need dashes
		} else if have := found(t, yaml, 0); yaml.IsJSON() || !slices.Equal(have, want) {
			t.Errorf("%s\nas YAML, JSON %t:\n%s\nwant\n%s", tt, yaml.IsJSON(), strings.Join(have, "\n"), strings.Join(want, "\n"))
		}
	}
}

// What is wrong with a text that is not held has its place, counted in characters, and what comes before it is read.
func TestProblemsOfStreamsHaveTheirPlaces(t *testing.T) {
	const list = "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n{\"é\": 1},\n"
	more := strings.Repeat(`{"a": 1}, `, 50)
	for _, tt := range []struct{ data, want string }{
		{list + more + `{"é": tru}]}`, "3:510 invalid JSON: invalid character '}' in literal true"},
		{list + more + `"é" "x"]}`, "3:505 invalid JSON: invalid character '\"' after an element of a list"},
		{list + more + `{"é"`, "3:505 invalid JSON: unexpected end of JSON input"},
		{list + more + `{}], "é": "é" 1}`, "3:515 invalid JSON: invalid character '1' after a value in an object"},
		{list + more + `{}], "é": "\q"}`, "3:513 invalid JSON: invalid character 'q' in string escape code"},
		{list + more + `{"é": "` + strings.Repeat("x", 500) + `"}]}`, "3:501 the object is larger than 0 MiB"},
		{`{"items": [` + more + `{}], "kind": "AList"}`, "1:533 the list is too large for memory: its kind comes after its items, and some items have no kind"},
	} {
		have := found(t, open(t, tt.data, 400), 400)
		if len(have) < 50 || have[len(have)-1] != tt.want {
			t.Errorf("%s\n%d found, the last is %s\nwant %s", tt.data, len(have), have[len(have)-1], tt.want)
		}
	}
}

// JSON has no end if nobody keeps its objects: what one takes is given back. Work that is out of proportion to the size of an object is not,
// and neither is what is kept.
func TestObjectsOfJSONAreGivenBack(t *testing.T) {
	const size = 3000
	text := strings.Repeat(`{"apiVersion": "g/v1", "kind": "A", "metadata": {"name": "a"}}`+"\n", size)
	read := func(keeps bool, units int) (visited int, spent int64, problems int) {
		m := meter.New(1)
		m.Spend(meter.Work - 100_000)
		r := objects.Reader{Meter: m, Keeps: keeps, Visit: func(objects.Object) { visited++; m.Spend(units) }, Problem: func(*yamltext.Problem) { problems++ }}
		r.Read(objects.NewText("", []byte(text)))
		return visited, 100_000 - m.Left(), problems
	}
	if visited, spent, problems := read(false, 0); visited != size || spent != 0 || problems != 0 {
		t.Errorf("%d visited, %d units, %d problems", visited, spent, problems)
	}
	if visited, spent, _ := read(false, 10_000); visited > 12 || spent != 100_000 {
		t.Errorf("%d costly ones visited, %d units", visited, spent)
	}
	if visited, _, problems := read(true, 0); visited == size || problems == 0 {
		t.Errorf("%d kept, %d problems", visited, problems)
	}
}

// The bytes of a file count, once, or those of its text if these are more: 12 bytes of UTF-16 can be 5 or 15.
func TestTextsAreCountedOnce(t *testing.T) {
	for text, size := range map[string]int{"\xff\xfea\x00b\x00c\x00d\x00e\x00": 12, "\xff\xfe" + strings.Repeat("\xac\x20", 5): 15} {
		m := meter.New(1)
		m.SpendText(meter.Bytes - 20)
		held := objects.NewText("", []byte(text))
		for range 2 {
			if p := held.Count(m); p != nil {
				t.Fatal(p)
			}
		}
		if err := m.SpendText(20 - size); err != nil {
			t.Errorf("%q has more than %d bytes", text, size)
		}
		if err := m.SpendText(1); err == nil {
			t.Errorf("%q has less than %d bytes", text, size)
		}
	}
}

// YAML that begins like JSON is YAML, and so is what is not JSON to its end.
func TestJSONIsJSONToItsEnd(t *testing.T) {
	for data, want := range map[string]bool{
		`{}`: true, " \n{ }\n": true, `{"a": 1}`: true, `{"a": 1} {"b": 2}`: true, "\ufeff{}": true, "\xff\xfe{\x00}\x00": true, `{"kind": "List", "items": [1]}`: true,
		``: false, `{`: false, `{"`: false, `{a: 1}`: false, `{"a": b}`: false, `{"a": 1} # c`: false, "{\"a\": 1}\n---\n{}": false, `[]`: false, `{"a": 1,}`: false, `{} 1`: false, `{{ .a }}`: false,
	} {
		text := open(t, data, 0)
		if text.IsJSON() != want || !text.IsHeld() || text.IsUTF16 != strings.HasPrefix(data, "\xff\xfe") || !text.IsUTF16 && text.Mark+string(text.Data) != data {
			t.Errorf("%q: JSON %t, want %t: %+v", data, text.IsJSON(), want, text)
		}
	}
	if text := open(t, "\ufeff"+`{"a": 1, "b": 2}`, 10); text.IsHeld() || text.Mark != "\ufeff" || len(found(t, text, 100)) != 1 {
		t.Errorf("%+v", text)
	}
	if text := open(t, "a: 123456789\n", 10); !text.IsHeld() || string(text.Data) != "a: 123456789\n" {
		t.Errorf("%+v", text)
	}
}

func TestMentions(t *testing.T) {
	for size := range 40 {
		data := `{"a": "` + strings.Repeat("x", 1<<20-size) + `example.com"}`
		for _, limit := range []int{0, 100} {
			text := open(t, data, limit)
			if !text.Mentions(nil, []string{"other", "example.com"}) || text.Mentions(nil, []string{"other", "example.org"}) {
				t.Errorf("%d bytes before the word, limit %d", len(data)-13, limit)
			}
		}
	}
	if text := (&objects.Text{}).From(strings.NewReader("{}")); !text.Mentions(nil, []string{"x"}) {
		t.Error("a text that cannot be read again may mention anything")
	}
}

func TestReadersThatFail(t *testing.T) {
	broken := errors.New("the stream broke")
	for _, limit := range []int{0, 30} {
		in := io.MultiReader(strings.NewReader(`{"kind": "List", "items": [{"a": 1}, `), iotest.ErrReader(broken))
		defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
		text, err := objects.Open(meter.New(1), objects.Source{Reader: in})
		if err == nil {
			r := objects.Reader{Meter: meter.New(1), Visit: func(objects.Object) {}, Problem: func(p *yamltext.Problem) { t.Error(p.Message) }}
			_, err = r.Read(text)
		}
		if !errors.Is(err, broken) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

// An object is small only if it has no more bytes than the limit, however its characters and numbers are written.
func TestSmallObjectsAreNeverLarge(t *testing.T) {
	for _, text := range []string{"a: '" + strings.Repeat("<&>", 30) + "'", "{a: -1.7976931348623157e+308, b: -1.7976931348623157e+308}", "'<': [null, true, false, '']", "{'': {}, '<': []}", `{"a": 1, "a": "` + strings.Repeat("x", 90) + `"}`} {
		yamltext.Parse([]byte(text), func(doc *yamltext.Document) {
			o := objects.Object{Node: doc.Root, Document: doc}
			whole, _ := o.JSON(1000)
			if o.IsSmall(len(whole) - 1) {
				t.Errorf("%s has %d bytes and is small", text, len(whole))
			}
			if most := doc.Root.MostJSON(); o.IsSmall(most) == (len(doc.Flaws) > 0) || o.IsSmall(most-1) {
				t.Errorf("%s: %d bytes at most", text, most)
			}
		}, func(p *yamltext.Problem) { t.Error(p) })
	}
}
