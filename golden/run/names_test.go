package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// spellings returns the ways in which a document can have a key.
func spellings(name string) []string {
	plain, escaped, mixed := "", "", ""
	for i, r := range name {
		p := string(r)
		switch short := strings.IndexRune("\"\\\b\t\n", r); {
		case short >= 0:
			p = `\` + string(`"\btn`[short])
		case r < 0x20:
			p = fmt.Sprintf(`\u%04x`, r)
		}
		plain += p
		if r == '/' {
			p = `\/`
		}
		e := ""
		for _, unit := range utf16.Encode([]rune{r}) {
			e += fmt.Sprintf([]string{`\u%04x`, `\u%04X`}[i%2], unit)
		}
		escaped += e
		if i%2 == 0 {
			p = e
		}
		mixed += p
	}
	return []string{`"` + plain + `"`, `"` + escaped + `"`, `"` + mixed + `"`, `"` + mixed + `" `}
}

// However a document spells the name of a field, the field is known by it, and reports have it as it is.
func TestFieldsAreKnownInEverySpellingOfTheirNames(t *testing.T) {
	tried := 0
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		if r.Case.Name != "names-odd" && r.Case.Name != "names" {
			return
		}
		field := map[string]string{"names-odd": "fields", "names": "spec"}[r.Case.Name]
		for _, name := range slices.Sorted(maps.Keys(r.Schema.Properties[field].Properties)) {
			unknown := name + "!"
			for _, key := range spellings(name) {
				tried++
				kept := fmt.Sprintf(`{%q:{%s:-1}}`, field, key)
				for _, doc := range []string{
					kept,
					fmt.Sprintf(`{%q:{%s:-1,"unknown":{}}}`, field, key),
					fmt.Sprintf(`{%q:{"unknown":[1],%s:-1}}`, field, key),
				} {
					wantPruned(t, generated, doc, kept, field+".unknown")
				}
			}
			for _, key := range spellings(unknown) {
				wantPruned(t, generated, fmt.Sprintf(`{%q:{%s:{"a":1}}}`, field, key), fmt.Sprintf(`{%q:{}}`, field), field+"."+unknown)
			}
			if generated.Validate == nil {
				continue
			}
			obj := map[string]any{field: map[string]any{name: int64(-1)}}
			at := field + "." + name
			want := fmt.Sprintf("%s: Invalid value: -1: %s in body should be greater than or equal to 3", at, at)
			if errs := texts(generated.Validate(obj)); !slices.Contains(errs, want) {
				t.Errorf("Validate: have %q, want %q in it", errs, want)
			}
		}
	})
	if tried < 100 {
		t.Errorf("only %d spellings were tried", tried)
	}
}

// wantPruned fails unless a document becomes another by every function on JSON, and the field that they differ in is reported.
func wantPruned(t *testing.T, r prunert.Resource, doc, want, dropped string) {
	t.Helper()
	var unknown []string
	if doc != want {
		unknown = []string{dropped}
	}
	have, err := r.PruneJSON(nil, []byte(doc))
	if string(have) != want || err != nil {
		t.Errorf("PruneJSON of %s: %s, %v, want %s", doc, have, err, want)
	}
	have, report, err := r.PruneJSONReport(nil, []byte(doc))
	if string(have) != want || !slices.Equal(report.Dropped, unknown) || err != nil {
		t.Errorf("PruneJSONReport of %s: %s, %q, %v, want %s, %q", doc, have, report.Dropped, err, want, unknown)
	}
	var stream bytes.Buffer
	if err := r.PruneStream(&stream, strings.NewReader(doc)); strings.TrimSpace(stream.String()) != want || err != nil {
		t.Errorf("PruneStream of %s: %s, %v, want %s", doc, stream.String(), err, want)
	}
	decoded := decodeObject(t, want)
	if obj, err := r.DecodeJSON([]byte(doc)); !reflect.DeepEqual(obj, decoded) || err != nil {
		t.Errorf("DecodeJSON of %s: %v, %v, want %v", doc, obj, err, decoded)
	}
	obj := decodeObject(t, doc)
	if paths := r.PruneReport(obj); !slices.Equal(paths, unknown) || !reflect.DeepEqual(obj, decoded) {
		t.Errorf("PruneReport of %s: %v, %q, want %v, %q", doc, obj, paths, decoded, unknown)
	}
}

func decodeObject(t *testing.T, doc string) map[string]any {
	t.Helper()
	if !json.Valid([]byte(doc)) {
		t.Fatalf("%s is not JSON", doc)
	}
	obj, err := numbers.Decode([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return obj
}
