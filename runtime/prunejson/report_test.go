package prunejson

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestReports(t *testing.T) {
	for _, tt := range []struct {
		name, in           string
		dropped, duplicate []string
	}{
		{"nothing to say", `{"kind":"Thing","spec":{"name":"a"}}`, nil, nil},
		{"sorted", `{"v":1,"u":{"x":1},"spec":{"x":1}}`, []string{"spec.x", "u", "v"}, nil},
		{"decoded", `{"\u0076":1,"spec":{"x\ty":1,"\ud800":1}}`, []string{"spec.x\ty", "spec.\ufffd", "v"}, nil},
		{"quotes and backslashes", `{"spec":{"name":"\"}","\"":"\\","\\":1}}`, []string{`spec."`, `spec.\`}, nil},
		{"what is in a leaf", `{"spec":{"name":{"x":1,"y":{"z":1}}}}`, []string{"spec.name.x", "spec.name.y"}, nil},
		{"a map", `{"spec":{"templates":{"a b":{"x":1}}}}`, []string{"spec.templates.a b.x"}, nil},
		{"metadata", `{"metadata":{"x":1,"labels":{"a":{"b":1}}}}`, []string{"metadata.labels.a.b", "metadata.x"}, nil},
		{"a map above metadata", `{"spec":{"templates":{"a":{"metadata" : {"x":1},"y":1},"\u0062":{"metadata":{"z":1}}}}}`,
			[]string{"spec.templates.a.y", "spec.templates[a].metadata.x", "spec.templates[b].metadata.z"}, nil},
		{"maps above metadata", `{"spec":{"templates":{"a":{"spec":{"templates":{"b":{"metadata":{"ownerReferences":[{"x":1}]}}}}}}}}`,
			[]string{"spec.templates[a].spec.templates[b].metadata.ownerReferences[0].x"}, nil},
		{"metadata that is no object", `{"metadata":[{"x":1}]}`, nil, nil},
		{"a list", `{"kind":"ThingList","u":1,"items":[{},{"u":1,"metadata":{"x":1}}]}`, []string{"items[1].metadata.x", "items[1].u"}, nil},
		{"a list of anything", `{"kind":"List","apiVersion":"v1","items":[{"u":1},{"apiVersion":"example.com/v1","kind":"Thing","u":1}]}`, []string{"items[1].u"}, nil},
		{"each of duplicates", `{"u":1,"u":2,"spec":{"x":1},"spec":{"x":1}}`, []string{"spec.x", "spec.x", "u", "u"}, []string{"u", "spec"}},
		{"duplicates that are dropped", `{"u":{"a":1,"b":[{"c":1,"c":2}],"a":1}}`, []string{"u"}, []string{"u.b[0].c", "u.a"}},
		{"duplicates by decoded form", `{"kind":1,"\u006bind":2}`, nil, []string{"kind"}},
		{"a path once", `{"spec":{"name":1,"name":1,"name":1},"spec":{"name":1,"name":1}}`, nil, []string{"spec.name", "spec"}},
		{"by its text", `{"a":{"b":1,"b":1},"a.b":1,"a.b":1}`, []string{"a", "a.b", "a.b"}, []string{"a.b"}},
		{"empty keys", `{"":{"":1,"":2},"":0}`, []string{"", ""}, []string{".", ""}},
	} {
		want, _ := thing.Prune(nil, []byte(tt.in))
		out, got, err := thing.PruneReport([]byte("> "), []byte(tt.in))
		if err != nil || string(out) != "> "+string(want) {
			t.Errorf("%s: %s, %v", tt.name, out, err)
		}
		if !slices.Equal(got.Dropped, tt.dropped) || !slices.Equal(got.Duplicate, tt.duplicate) {
			t.Errorf("%s:\nhave %q\nwant %q, %q", tt.name, got, tt.dropped, tt.duplicate)
		}
	}
}

func TestReportsHaveLimits(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Entries: 2, Bytes: 100}))
	long := strings.Repeat("x", 200)
	for in, want := range map[string]string{
		`{"u":1,"v":1,"w":1,"x":1}`: `["u" "v" "... and 2 more"] []`,
		`{"` + long + `":1}`:        `["` + long + `"] []`,
		`{"u":{"` + long + `":[{"a":1,"a":2}],"b":1,"b":2,"c":1,"c":1}}`: `["u"] ["u.` + long + `[0].a"]`,
	} {
		_, got, err := thing.PruneReport(nil, []byte(in))
		if have := fmt.Sprintf("%q %q", got.Dropped, got.Duplicate); err != nil || have != want {
			t.Errorf("%s\nhave %s, %v\nwant %s", in, have, err, want)
		}
	}
}

func TestDuplicatesAreListedUpToAHundred(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"u":0`)
	for i := range 150 {
		fmt.Fprintf(&b, `,"k%d":1,"k%d":2`, i, i)
	}
	_, got, err := thing.PruneReport(nil, []byte(b.String()+"}"))
	if err != nil || len(got.Duplicate) != prunert.MaxDuplicates || got.Duplicate[99] != "k99" {
		t.Errorf("%d: %q, %v", len(got.Duplicate), got.Duplicate, err)
	}
}

// duplicateKeys returns the paths of duplicate keys, by the tokens of a document.
func duplicateKeys(t *testing.T, doc string) (paths []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(doc))
	next := func() json.Token {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	var value func(path string)
	value = func(path string) {
		switch next() {
		case json.Delim('{'):
			seen := map[string]bool{}
			for d.More() {
				key := next().(string)
				below := key
				if path != "" {
					below = path + "." + key
				}
				if seen[key] && len(paths) < prunert.MaxDuplicates && !slices.Contains(paths, below) {
					paths = append(paths, below)
				}
				seen[key] = true
				value(below)
			}
			next()
		case json.Delim('['):
			for i := 0; d.More(); i++ {
				value(fmt.Sprintf("%s[%d]", path, i))
			}
			next()
		}
	}
	value("")
	return paths
}

// Duplicate keys are found in objects of any size, in lists and below each other, in the order of the document.
func TestDuplicatesAreThoseOfTheTokens(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	most := 0
	var b strings.Builder
	var write func(depth int)
	write = func(depth int) {
		switch n := random.IntN(4); {
		case depth == 0 || n == 0 && depth < 3:
			b.WriteString([]string{`1`, `"a\"b"`, `null`, `[]`, `{}`, `[1, 2]`}[random.IntN(6)])
		case n == 1 && depth < 3:
			b.WriteString("[")
			for i := range random.IntN(13) {
				if i > 0 {
					b.WriteString(", ")
				}
				write(depth - 1)
			}
			b.WriteString("]")
		default:
			b.WriteString("{")
			size := []int{0, 1, 2, 3, fewKeys - 1, fewKeys, fewKeys + 1, fewKeys + 2, 3 * fewKeys}[random.IntN(9)]
			for i := range size {
				if i > 0 {
					b.WriteString(",")
				}
				name := fmt.Sprintf("k%d", i)
				if random.IntN(6) == 0 { // one that exists
					name = fmt.Sprintf([]string{"k%d", `\u006b%d`}[random.IntN(2)], random.IntN(i+1))
				}
				b.WriteString(`"` + name + `" : `)
				if random.IntN(5) == 0 {
					write(depth - 1)
				} else {
					b.WriteString("1")
				}
			}
			b.WriteString("}")
		}
	}
	for range 300 {
		b.Reset()
		write(3)
		doc := `{"u":` + b.String() + `,"spec":` + b.String() + `}`
		want := duplicateKeys(t, doc)
		most = max(most, len(want))
		if _, got, err := thing.PruneReport(nil, []byte(doc)); err != nil || !slices.Equal(got.Duplicate, want) {
			t.Fatalf("%s\nhave %q, %v\nwant %q", doc, got.Duplicate, err, want)
		}
	}
	if most < prunert.MaxDuplicates {
		t.Errorf("%d duplicates at most", most)
	}
}

// Hostile documents that try to make a report expensive. Each would take gigabytes if memory were allocated for each pair of keys, or for
// each key by the length of its path.
func TestReportsTakeLittleMemory(t *testing.T) {
	const many = 20_000
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	long := strings.Repeat("k", 1<<20)
	deep := func(open, close string, n int) string {
		return strings.Repeat(open, n) + "{}" + strings.Repeat(close, n)
	}
	for name, tt := range map[string]struct {
		in                 string
		dropped, duplicate int
	}{
		"many keys":                          {`{` + repeat(many, `"k#":1`) + `}`, 10_001, 0},
		"many keys that are kept":            {`{"spec":{"templates":{` + repeat(many, `"k#":{"metadata":{}}`) + `}}}`, 0, 0},
		"one key many times":                 {`{` + repeat(many, `"k":1`) + `}`, 10_001, 1},
		"many keys twice":                    {`{` + repeat(many, `"k#":1,"k#":1`) + `}`, 10_001, 100},
		"duplicates below a long key":        {`{"` + long + `":{` + repeat(many, `"a":{"b":1,"b":1}`) + `}}`, 1, 2},
		"drops below a long key":             {`{"spec":{"templates":{"` + long + `":{` + repeat(many, `"k#":1`) + `}}}}`, 5, 0},
		"drops in metadata below a long key": {`{"spec":{"templates":{"` + long + `":{"metadata":{` + repeat(many, `"k#":1`) + `}}}}}`, 5, 0},
		"nested as deep as may be":           {`{"u":` + deep(`{"a":1,"a":1,"a":`, `}`, 9_000) + `}`, 1, 100},
		"walked as deep as may be":           {deep(`{"u":1,"spec":{"templates":{"a":`, `}}}`, 3_000), 85, 0},
		"lists in lists":                     {`{"u":` + deep(`[`, `]`, 9_998) + `}`, 1, 0},
		"many lists":                         {`{"u":[` + repeat(many, `[[1]]`) + `]}`, 1, 0},
	} {
		bytes := allocated.By(func() {
			_, got, err := thing.PruneReport(nil, []byte(tt.in))
			if err != nil || len(got.Dropped) != tt.dropped || len(got.Duplicate) != tt.duplicate {
				t.Errorf("%s: %d dropped and %d duplicate, %v", name, len(got.Dropped), len(got.Duplicate), err)
			}
		})
		if bytes > 32<<20+32*len(tt.in) { // a level of nesting costs more than a byte
			t.Errorf("%s: allocates %d bytes for %d", name, bytes, len(tt.in))
		}
	}
}

// Few keys are compared with each other.
func TestManyKeysAreNotComparedWithEachOther(t *testing.T) {
	var d duplicates
	d.enter()
	for i := range 10 * fewKeys {
		d.member(fmt.Sprint("k", i))
	}
	if len(d.keys) > fewKeys || len(d.open[0].many) != 10*fewKeys {
		t.Errorf("%d keys are gone through, and %d are not", len(d.keys), len(d.open[0].many))
	}
}

// A step of a path is hashed once, whatever comes after it.
func TestPathsAreHashedStepByStep(t *testing.T) {
	var d duplicates
	d.enter()
	d.member("above")
	d.enter()
	d.member("a")
	want := d.hash()
	d.member("b")
	d.path[0] = '?' // which a second look would see
	d.member("a")
	if d.hash() != want {
		t.Error("the path is hashed from its beginning")
	}
}
