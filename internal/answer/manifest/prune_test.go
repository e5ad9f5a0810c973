package manifest_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/structural"
)

func TestPruneTextKeepsWhatIsNotDropped(t *testing.T) {
	s := newServer(t, crd, listKindCRD)
	for name, tt := range map[string]struct{ in, want string }{
		"an object":                {"# c\n" + head + "spec:\n  image: x\n  # gone\n  replica: 1\n", "# c\n" + head + "spec:\n  image: x\n"},
		"metadata":                 {strings.Replace(head, "name: a", "name: a, nam: b", 1) + "spec: {image: x}\n", head + "spec: {image: x}\n"},
		"other documents":          {"a: {x: 1}\n---\napiVersion: v1\nkind: Pod\nx: 1\n---\n" + head + "x: 1\n", "a: {x: 1}\n---\napiVersion: v1\nkind: Pod\nx: 1\n---\n" + head},
		"a list":                   {"apiVersion: v1\nkind: List\nx: 1\nitems:\n- x: 1\n  apiVersion: example.com/v1\n  kind: App\n- {apiVersion: v1, kind: Pod, x: 1}\n", "apiVersion: v1\nkind: List\nx: 1\nitems:\n- apiVersion: example.com/v1\n  kind: App\n- {apiVersion: v1, kind: Pod, x: 1}\n"},
		"a list of a kind":         {"apiVersion: example.com/v1\nkind: AppList\nitems:\n- x: 1\n- spec: {y: 1}\n", "apiVersion: example.com/v1\nkind: AppList\nitems:\n- {}\n- spec: {}\n"},
		"a kind that ends in List": {"apiVersion: example.com/v1\nkind: AllowList\nitems:\n- b: 1\n  a: x\n", "apiVersion: example.com/v1\nkind: AllowList\nitems:\n- a: x\n"},
		"aliases in an object":     {head + "spec:\n  ports:\n  - &p {number: 1, x: 1}\n  - *p\n", head + "spec:\n  ports:\n  - &p {number: 1}\n  - *p\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := pruneText(s, "f.yaml", tt.in)
			if string(p.Data) != tt.want || len(p.Findings) > 0 {
				t.Errorf("%v\nhave\n%s\nwant\n%s", p.Findings, p.Data, tt.want)
			}
			if again := pruneText(s, "f.yaml", string(p.Data)); string(again.Data) != tt.want {
				t.Errorf("pruned twice:\n%s", again.Data)
			}
		})
	}
}

// The server takes the last of duplicate keys, and warns. So does pruning, in block and in flow style.
func TestPruneTextKeepsTheLastOfEqualKeys(t *testing.T) {
	s := newServer(t, crd)
	for in, want := range map[string]string{
		"spec: {image: x, image: z}\n": "spec: {image: z}\n",
		"spec:\n  image: x\n  # of the first\n  replicas: 1\n  y: 1\n  image: z\n  replicas: 2\n": "spec:\n  image: z\n  replicas: 2\n",
		"spec:\n  image: x\nspec:\n  image: z\n  x: 1\n":                                          "spec:\n  image: z\n",
	} {
		p := pruneText(s, "f.yaml", head+in)
		if string(p.Data) != head+want || len(p.Findings) == 0 || p.Findings[0].ID != manifest.IDDuplicateField || p.Findings[0].Severity != structural.SeverityWarning {
			t.Errorf("%+v\n%s", p.Findings, p.Data)
		}
	}
}

func TestPruneTextRefusesWhatItCannotEdit(t *testing.T) {
	s := newServer(t, crd)
	for name, tt := range map[string]struct{ in, want string }{
		"an anchor that goes":   {head + "x: &a 1\nspec: {image: x, replicas: *a}\n", `anchor "a" is in a field that is dropped, on line 4, and is used here`},
		"two places of a map":   {head + "spec:\n  labels: &a {number: z}\n  ports: [*a]\n  empty: *a\n", `anchor "a" is used for fields that are dropped in one place and kept in another`},
		"a pair without braces": {head + "spec:\n  ports: [x: 1]\n", "the fields that are dropped cannot be removed from the text of this document"},
		"what is not YAML":      {"a: [\n", "did not find expected node content"},
	} {
		t.Run(name, func(t *testing.T) {
			p := pruneText(s, "f.yaml", tt.in)
			if p.Data != nil || len(p.Findings) != 1 || !strings.Contains(p.Findings[0].Message, tt.want) || p.Findings[0].File != "f.yaml" {
				t.Errorf("%+v\n%s", p.Findings, p.Data)
			}
		})
	}
}

// item is the JSON of an App with an unknown field, and of one without it.
const (
	item       = `{"apiVersion": "example.com/v1", "kind": "App", "spec": {"image": "a\"}", "x": [1, {}], "replicas": 1e0}}`
	prunedItem = `{"apiVersion": "example.com/v1", "kind": "App", "spec": {"image": "a\"}", "replicas": 1e0}}`
	pod        = `{"apiVersion": "v1", "kind": "Pod", "x": 1}`
)

func TestPruneStreamPrunesEachByItsKind(t *testing.T) {
	s := newServer(t, crd, listKindCRD)
	long := strings.Repeat(`"`+strings.Repeat("z", 50)+`", `, 20)
	for name, tt := range map[string]struct {
		in, want       string
		known, unknown int
	}{
		"nothing":                      {" \n", " \n", 0, 0},
		"objects":                      {item + "\n" + pod + item, prunedItem + "\n" + pod + prunedItem, 2, 1},
		"a list":                       {`{"apiVersion": "v1", "items": [` + item + ", " + pod + "\n, " + item + `], "kind": "List", "x": [` + long + `1]}` + "\n", `{"apiVersion": "v1", "items": [` + prunedItem + ", " + pod + "\n, " + prunedItem + `], "kind": "List", "x": [` + long + `1]}` + "\n", 2, 1},
		"an empty list":                {`{"kind":"List","items":[ ]}`, `{"kind":"List","items":[ ]}`, 0, 0},
		"a list of a kind":             {`{"kind": "AppList", "apiVersion": "example.com/v1", "items": [{"x": 1}, {"spec": {"x": 1}}]}`, `{"kind": "AppList", "apiVersion": "example.com/v1", "items": [{}, {"spec": {}}]}`, 2, 0},
		"a list in a list":             {`{"kind": "List", "items": [{"kind": "List", "items": [` + item + `]}]}`, `{"kind": "List", "items": [{"kind": "List", "items": [` + prunedItem + `]}]}`, 1, 0},
		"a kind with escapes":          {`{"kind": "\u0041pp", "apiVersion": "example.com\/v1", "x": 1}`, `{"kind": "\u0041pp", "apiVersion": "example.com\/v1"}`, 1, 0},
		"a list with escapes":          {`{"kind": "Lis\u0074", "items": [` + item + `,` + item + `], "a": [1], "b": "\\"}`, `{"kind": "Lis\u0074", "items": [` + prunedItem + `,` + prunedItem + `], "a": [1], "b": "\\"}`, 2, 0},
		"kinds that are no strings":    {`{"kind": 1, "apiVersion": [], "x": 1}`, `{"kind": 1, "apiVersion": [], "x": 1}`, 0, 1},
		"a kind that ends in List":     {`{"kind": "AllowList", "apiVersion": "example.com/v1", "items": [{"b": 1, "a": "x"}]}`, `{"kind": "AllowList", "apiVersion": "example.com/v1", "items": [{"a": "x"}]}`, 1, 0},
		"a version that is not served": {`{"apiVersion": "example.com/v1alpha1", "kind": "App", "x": 1}`, `{"apiVersion": "example.com/v1alpha1", "kind": "App", "x": 1}`, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, limit := range []int{0, 150} { // what is larger than the limit is not held in memory
				if limit > 0 && (strings.Contains(name, "in a list") || strings.Contains(name, "ends in")) {
					continue
				}
				defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
				if limit > 0 && name == "a list" {
					tt.in, tt.want = strings.Replace(tt.in, long, "", 1), strings.Replace(tt.want, long, "", 1)
				}
				for _, in := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in)), iotest.DataErrReader(strings.NewReader(tt.in))} {
					var out strings.Builder
					n, err := pruneStream(s, "f.json", &out, in)
					if err != nil || out.String() != tt.want || n.Objects != tt.known || n.Unknown != tt.unknown {
						t.Errorf("limit %d: %+v, %v\nhave %s\nwant %s", limit, n, err, out.String(), tt.want)
					}
				}
			}
		})
	}
}

func TestPruneStreamNamesWhatIsWrong(t *testing.T) {
	s := newServer(t, crd, listKindCRD)
	defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(150))
	many := strings.Repeat(item+", ", 3)
	for name, tt := range map[string]struct {
		in     string
		offset int64
		want   string
	}{
		"no object":                 {`[]`, 0, "not an object"},
		"the end":                   {`{"a": 1`, 7, "unexpected end"},
		"a comma":                   {`{"a": 1 "b": 2}`, 8, "after a value in an object"},
		"a key":                     {`{1: 2}`, 1, "beginning of a key"},
		"a string after a number":   {`{"a": 1"b": 2}`, 7, "after a value in an object"},
		"an object after a number":  {`{"a": 1{}}`, 7, "after a value in an object"},
		"a list after a word":       {`{"a": true[]}`, 10, "after a value in an object"},
		"the end of a number":       {`{"a": 12`, 8, "unexpected end"},
		"the end of a string":       {`{"a": "12\\"`, 12, "unexpected end"},
		"a string after one, large": {`{"kind": "List", "items": [` + many + item + `], "a": 1"b": 2}`, int64(27 + len(many) + len(item) + 9), "after a value in an object"},
		"the end after it":          {`{"kind": "List", "items": [` + many + item + `], "a": 12`, int64(27 + len(many) + len(item) + 10), "unexpected end"},
		"a list after one, large":   {`{"kind": "List", "items": [` + many + item + `], "a": 1[]}`, int64(27 + len(many) + len(item) + 9), "after a value in an object"},
		"no value, large":           {`{"kind": "List", "items": [` + many + item + `], "a": }`, int64(27 + len(many) + len(item) + 8), "beginning of a value"},
		"a wrong escape in a kind":  {`{"kind": "\q", "items": [` + many + item + `]}`, 11, "invalid character 'q'"},
		"an object of the kind":     {`{"apiVersion": "example.com/v1", "kind": "App", "a" 1}`, 52, "after a key"},
		"below that":                {item + `{"apiVersion": "example.com/v1", "kind": "App", "a": {1}}`, int64(len(item)) + 54, ""},
		"another object":            {`{"a": {1}}`, 7, "invalid character"},
		"an item":                   {`{"kind": "List", "items": [{"a": tru}]}`, 36, "invalid character"},
		"a comma in items":          {`{"kind": "List", "items": [{} {}]}`, 30, "after an element of a list"},
		"a comma at the end":        {`{"kind": "List", "items": [{},]}`, 30, "beginning of a value"},
		"a large object":            {`{"kind": "Pod", "a": "` + strings.Repeat("x", 100) + `", "b": "` + strings.Repeat("x", 100) + `"}`, 0, "the object is larger than"},
		"a large item":              {`{"kind": "List", "items": [{"a": "` + strings.Repeat("x", 200) + `"}]}`, 27, "the object is larger than"},
		"a comma in a large list":   {`{"kind": "List", "items": [` + many + `]}`, int64(27 + len(many)), "not an object"},
		"a large list, after it":    {`{"kind": "List", "items": [` + many + item + `] "x": 1}`, int64(27 + len(many) + len(item) + 2), "after a value in an object"},
		"a kind that comes late":    {`{"apiVersion": "example.com/v1", "items": [` + many + `{"x": 1}], "kind": "AppList"}`, int64(43 + len(many) + len(`{"x": 1}], "kind": "AppList"}`)), "its kind comes after its items"},
		"a large object with items": {`{"items": [` + many + item + `], "kind": "AllowList", "apiVersion": "example.com/v1"}`, int64(11 + len(many) + len(item) + 55), "the object is larger than"}, // seen at its end
	} {
		t.Run(name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				_, err := pruneStream(s, "f.json", io.Discard, in)
				var f findingError
				errors.As(err, &f)
				offset := int64(f.Column - 1) // the texts have one line
				if err == nil || !strings.Contains(err.Error(), tt.want) || offset != tt.offset {
					t.Errorf("%v at %d, want %s at %d", err, offset, tt.want, tt.offset)
				}
			}
		})
	}
	if _, err := pruneStream(s, "f.json", io.Discard, iotest.ErrReader(io.ErrClosedPipe)); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	if _, err := pruneStream(s, "f.json", failing{}, strings.NewReader(strings.Repeat(item, 1000))); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
