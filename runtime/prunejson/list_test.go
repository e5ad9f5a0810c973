package prunejson

import (
	"strings"
	"testing"
)

const (
	aThing  = `{"apiVersion":"example.com/v1","kind":"Thing","u":1}`
	pruned  = `{"apiVersion":"example.com/v1","kind":"Thing"}`
	another = `{"apiVersion":"v1","kind":"Pod","u":1}`
)

func TestLists(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"an object", aThing, pruned},
		{"another object", another, `{"apiVersion":"v1","kind":"Pod"}`},
		{"a list of the kind", `{"kind":"ThingList","items":[` + aThing + `,` + another + `,1,[{"u":1}]],"u":{"u":1}}`,
			`{"kind":"ThingList","items":[` + pruned + `,{"apiVersion":"v1","kind":"Pod"},1,[{"u":1}]],"u":{"u":1}}`},
		{"a list of anything", `{"apiVersion":"v1","items":[` + aThing + `,` + another + `],"kind":"List","u":1}`,
			`{"apiVersion":"v1","items":[` + pruned + `,` + another + `],"kind":"List","u":1}`},
		{"a List of another group", `{"kind":"List","apiVersion":"v2","items":[]}`, `{"kind":"List","apiVersion":"v2"}`},
		{"items of another version", `{"apiVersion":"v1","items":[{"apiVersion":"example.com/v2","kind":"Thing","u":1}],"kind":"List"}`,
			`{"apiVersion":"v1","items":[{"apiVersion":"example.com/v2","kind":"Thing","u":1}],"kind":"List"}`},
		{"kind behind items", `{"items":[{"u":1}],"kind":"ThingList"}`, `{"items":[{}],"kind":"ThingList"}`},
		{"kind twice", `{"kind":"Thing","items":[{"u":1}],"kind":"ThingList"}`, `{"kind":"Thing","items":[{}],"kind":"ThingList"}`},
		{"kind twice, the other way round", `{"kind":"ThingList","items":[{"u":1}],"kind":"Thing"}`, `{"kind":"ThingList","kind":"Thing"}`},
		{"an odd kind", `{"\u006bind":"ThingList","items":[{"u":1}]}`, `{"\u006bind":"ThingList","items":[{}]}`},
		{"a kind and a blank", `{"kind" :"ThingList","items":[{"u":1}]}`, `{"kind" :"ThingList","items":[{}]}`},
		{"an odd kind behind another", `{"kind":"Thing","items":[{"u":1}],"\u006bind":"ThingList"}`, `{"kind":"Thing","items":[{}],"\u006bind":"ThingList"}`},
		{"an odd value", `{"kind":"Thing\u004cist","items":[{"u":1}]}`, `{"kind":"Thing\u004cist","items":[{}]}`},
		{"odd items", `{"kind":"ThingList","\u0069tems":[{"u":1}],"items" : [ {"u":1} ]}`, `{"kind":"ThingList","\u0069tems":[{}],"items" : [ {} ]}`},
		{"items that are none", `{"kind":"ThingList","items":{"u":1}}`, `{"kind":"ThingList","items":{"u":1}}`},
		{"no list in a list", `{"kind":"ThingList","items":[{"kind":"ThingList","items":[]}]}`, `{"kind":"ThingList","items":[{"kind":"ThingList"}]}`},
		{"no list in an object", `{"kind":"Thing","spec":{"templates":{"a":{"kind":"ThingList","items":[]}}}}`,
			`{"kind":"Thing","spec":{"templates":{"a":{"kind":"ThingList"}}}}`},
	} {
		got, err := pruneThing([]byte("> "), []byte(tt.in))
		if err != nil || string(got) != "> "+tt.want {
			t.Errorf("%s:\nhave %s, %v\nwant %s", tt.name, got, err, tt.want)
		}
	}
}

func TestAKindWithTheNameOfItsListsHasNone(t *testing.T) {
	k := thing
	k.ListKind = k.Kind
	if got, err := k.Prune(nil, []byte(`{"kind":"Thing","items":[]}`)); err != nil || string(got) != `{"kind":"Thing"}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestErrorsInLists(t *testing.T) {
	for in, want := range map[string]string{
		``:                             "syntax 0",
		` []`:                          "syntax 1",
		`{"kind":"ThingList","items":`: "syntax 28",
		`{"kind":"ThingList","items":[{"u":01}]}`:                                      "syntax 35",
		`{"kind":"ThingList","items":[{}}`:                                             "syntax 31",
		`{"kind":"ThingList","items":[tru]}`:                                           "syntax 32",
		`{"kind":"ThingList","items":[]} x`:                                            "syntax 32",
		`{"kind":"ThingList","kind":"x","items":[01]}`:                                 "syntax 41",
		`{"kind":"ThingList","items":[` + strings.Repeat("[", 10_000):                  "syntax 10027",
		`{"kind":"ThingList","items":[{"spec":` + strings.Repeat(`{"templates":`, 1e4): "syntax 129998",
	} {
		got, err := pruneThing([]byte("x"), []byte(in))
		if place(err) != want || got != nil {
			t.Errorf("%.60s\nhave %q, %v\nwant %s", in, got, err, want)
		}
		if _, report, err := thing.PruneReport(nil, []byte(in)); place(err) != want || report.Dropped != nil || report.Duplicate != nil {
			t.Errorf("%.60s\nhave %v, %v\nwant %s", in, report, err, want)
		}
	}
}

// Pruning an object directly allocates nothing, although pruning lists calls functions through variables.
func TestObjectsAreNotAllocated(t *testing.T) {
	dst := make([]byte, 0, 1000)
	for _, src := range []string{
		aThing, `{"kind":"Thing","u":{"v":[1,2,{"w":3}]},"metadata":{"u":1,"name":"a"},"spec":{"u":1,"name":{"x":1}}}`, `{}`,
		`{"sp\u0065c":{"name\u0000":1,"é":2,"n\u0061me":"a","another \" key with escapes":3}}`,
	} {
		if n := testing.AllocsPerRun(10, func() { _, _ = pruneThing(dst, []byte(src)[:len(src):len(src)]) }); n != 0 {
			t.Errorf("%s: %v allocations", src, n)
		}
	}
}
