package run

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/jsondocs"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// reports returns the functions that list something about an object, with what they list.
func reports(r *cases.Resource, generated prunert.Resource, obj map[string]any) map[string]func() []string {
	list := map[string]func() []string{}
	add := func(name string, has bool, f func(obj map[string]any) []string) {
		if has {
			list[name] = func() []string { return f(jsonvalue.Copy(obj)) }
		}
	}
	add("PruneReport", generated.PruneReport != nil, generated.PruneReport)
	add("Check", generated.Check != nil, func(obj map[string]any) []string { return texts(generated.Check(obj)) })
	add("Validate", generated.Validate != nil, func(obj map[string]any) []string { return texts(generated.Validate(obj)) })
	add("interpret.Validate", generated.Validate != nil, func(obj map[string]any) []string { return texts(r.Validate(obj)) })
	add("ValidateUpdate", generated.ValidateUpdate != nil, func(obj map[string]any) []string {
		return texts(generated.ValidateUpdate(obj, map[string]any{}))
	})
	add("ValidateRules", generated.ValidateRules != nil, func(obj map[string]any) []string {
		errs, _ := generated.ValidateRules(obj, nil)
		return texts(errs)
	})
	add("Normalize", generated.Normalize != nil, func(obj map[string]any) []string {
		unknown, _ := generated.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
		return unknown
	})
	for name, r := range map[string]prunert.Resource{"PruneJSONReport": generated, "interpretjson": jsonReference(r)} {
		add(name, generated.PruneJSONReport != nil, func(obj map[string]any) []string {
			_, report, _ := r.PruneJSONReport(nil, jsondocs.Spell(obj, jsondocs.Compact, 1))
			return report.Dropped
		})
	}
	return list
}

// left returns how many entries an entry says to be left out.
func left(entry string) (n int) {
	number, _, _ := strings.Cut(entry, " more")
	fmt.Sscan(number[strings.LastIndex(number, " ")+1:], &n)
	return n
}

// Whatever the limits are, as many entries are listed as they allow, and the last says how many are not. Limits of zero and less are none.
func TestReportsAreAsLongAsTheLimitsAllow(t *testing.T) {
	testsize.NotShort(t)
	defer prunelimits.Set(prunelimits.Current())
	tried := map[string]int{}
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		random := randomOf(r, 5)
		for range 6 {
			obj := r.Make(random.Uint64(), specimentest.Options{Flaws: specimentest.Unknown | specimentest.WrongType | specimentest.Values, Rate: 0.3})
			for name, list := range reports(r, generated, obj) {
				prunelimits.Set(prunelimits.Limits{})
				all := list()
				if len(all) < 3 {
					continue
				}
				tried[name]++
				// Errors with the same text are listed once, and errors that only follow from errors that are not listed are not counted:
				// there can be fewer.
				exact := !strings.Contains(name, "Validate")
				for _, none := range []prunelimits.Limits{{Entries: -1}, {Bytes: -1}, {Entries: math.MinInt, Bytes: math.MinInt}, {Entries: 2 * len(all)}} {
					prunelimits.Set(none)
					if have := list(); !reflect.DeepEqual(have, all) {
						t.Errorf("%s with %+v lists %d of %d: %q", name, none, len(have), len(all), have)
					}
				}
				for _, entries := range []int{1, 2, len(all) - 1} {
					prunelimits.Set(prunelimits.Limits{Entries: entries})
					have := list()
					if len(have) == 0 || len(have) > entries+1 || exact && len(have) <= entries {
						t.Errorf("%s with %d entries of %d lists %d: %q", name, entries, len(all), len(have), have)
						continue
					}
					if more := left(have[len(have)-1]); more < 1 || exact && more != len(all)-entries {
						t.Errorf("%s with %d entries of %d ends with %s", name, entries, len(all), have[len(have)-1])
					}
					for _, entry := range have[:len(have)-1] {
						if !slices.Contains(all, entry) {
							t.Errorf("%s with %d entries lists %s, which is not one of all", name, entries, entry)
						}
					}
				}
			}
		}
	})
	for _, name := range []string{"PruneReport", "Check", "Validate", "interpret.Validate", "ValidateUpdate", "ValidateRules", "Normalize", "PruneJSONReport", "interpretjson"} {
		if tried[name] == 0 {
			t.Errorf("%s has never listed anything", name)
		}
	}
}

// A value in a list may be as deep as one elsewhere, and no deeper, also where the list is larger than what a stream holds in memory.
func TestStreamsEndAtTheDepthLimitInLongLists(t *testing.T) {
	deepest := func(depth int) string { return strings.Repeat(`[`, depth) + strings.Repeat(`]`, depth) }
	eachJSON(t, func(t *testing.T, r *cases.Resource, reference, generated prunert.Resource) {
		if r.Case.Name != "json" {
			return
		}
		for _, key := range []string{"spec", "unknown"} {
			// The list, its items, an item and the field are four levels, the last of which the value takes the place of.
			for over := range 2 {
				item := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,%q:`, generated.APIVersion(), generated.Kind, key)
				begin := `{"apiVersion":"v1","kind":"List","items":[` + strings.Repeat(item+`1},`, 500) + item
				text := begin + deepest(prunert.MaxDepth-3+over) + `},` + item + `1}]}`
				compareStreams(t, reference, generated, text, 3*prunert.MaxDepth)
				var out bytes.Buffer
				err := generated.PruneStream(&out, prunert.StreamReader{Reader: strings.NewReader(text), MaxObject: 3 * prunert.MaxDepth})
				var syntax *prunert.SyntaxError
				if deep := errors.As(err, &syntax); deep != (over == 1) || !deep && err != nil {
					t.Errorf("%s, %d levels: %v", key, prunert.MaxDepth+over, err)
				} else if deep && syntax.Offset != int64(len(begin)+prunert.MaxDepth-3) {
					t.Errorf("%s: the error is at %d, want %d", key, syntax.Offset, len(begin)+prunert.MaxDepth-3)
				}
			}
		}
	})
}
