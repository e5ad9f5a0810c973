package keeplist

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestKeep(t *testing.T) {
	l := Parse("a.keep", []byte("\ufeff# all\r\n\tspec.a\t# why\nspec.b[].c #\n  - spec.a.x\nspec.d#e\n.spec.f\n\n-metadata.labels\n"))
	for path, want := range map[string]Keep{
		"": Some, "spec": Some, "spec.a": Most, "spec.a.y": All, "spec.a.y[].z": All, "spec.a.x": None, "spec.a.x.z": None, "spec.ab": None,
		"spec.b": Some, "spec.b[]": Some, "spec.b[].c": All, "spec.b[].d": None, "spec.d#e": All, "spec.f": All,
		"metadata": Some, "metadata.name": All, "metadata.ownerReferences[].uid": All, "metadata.annotations": None, "metadata.labels": None, "status": None,
	} {
		if got := l.Keep(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if all := Parse("", []byte("*\n-status\n")); all.Keep("") != Most || all.Keep("spec.x") != All || all.Keep("status.y") != None || all.Line("status.y") != 2 {
		t.Error(all)
	}
}

func TestCheck(t *testing.T) {
	isLeaf := map[string]bool{
		"": false, "metadata": false, "metadata.name": true, "metadata.labels": true, "spec": false, "spec.words": true, "spec.list": false, "spec.list[]": false,
		"spec.list[].image": true, "spec.map": false, "spec.map[*]": false, "spec.map[*].value": true,
	}
	for line, want := range map[string]string{
		"spec.list[].image":  "",
		"spec.words[]":       "",
		"-metadata.labels":   "",
		"*":                  "the list keeps whole objects: nothing would be dropped",
		"spec.words.":        "",
		".":                  "the list keeps whole objects: nothing would be dropped",
		"spec.lisd":          "there is no field spec.lisd: did you mean spec.list?",
		"spec.list.image":    "there is no field spec.list.image: did you mean spec.list[].image?",
		"spec.list[].imgae":  "there is no field spec.list[].imgae: did you mean spec.list[].image?",
		"spec.map.value":     "there is no field spec.map.value: did you mean spec.map[*].value?",
		"spec.map[*].valeu":  "there is no field spec.map[*].valeu: did you mean spec.map[*].value?",
		"spec.list[0].image": "there is no field spec.list[0].image: did you mean spec.list[].image?",
		"speck.words":        "there is no field speck.words: did you mean spec.words?",
		"other":              "there is no field other",
		"spec.words.x":       "spec.words is kept or dropped whole: it has no x to choose",
		"-metadata.name":     "metadata.name is always kept",
		"-metadata":          "apiVersion is always kept",
		"-spec.list[]":       "elements cannot be taken away: take away spec.list",
		"-spec.map[*]":       "elements cannot be taken away: take away spec.map",
		"-":                  "apiVersion is always kept",
	} {
		err := Parse("a.keep", []byte("# comment\n"+line+"\n")).Check(isLeaf)
		switch {
		case want == "" && err != nil, want != "" && (err == nil || err.Error() != "a.keep:2: "+want):
			if line != "-metadata" || !strings.Contains(err.Error(), "is always kept") {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

func TestCheckStopsAfterManyErrors(t *testing.T) {
	isLeaf := map[string]bool{"": false, "spec": false, "spec.x": true}
	err := Parse("l", []byte("spec.x\n*\n")).Check(isLeaf)
	if err == nil || err.Error() != "l:2: the list keeps whole objects: nothing would be dropped" {
		t.Error(err)
	}
	var errs Errors
	if err := Parse("l", []byte(strings.Repeat("spec.y\n", 1000))).Check(isLeaf); !errors.As(err, &errs) || len(errs) != 101 || errs[100].Line != 101 {
		t.Error(len(errs))
	}
}

// Keep does what following all lines does.
func TestKeepOfRandomLists(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		path := func() (p string) {
			for range rnd.IntN(4) {
				p += []string{".a", ".ab", ".b", "[]", `["a.b"]`}[rnd.IntN(5)]
			}
			return strings.TrimPrefix(p, ".")
		}
		l := &List{}
		for range rnd.IntN(5) {
			l.entries = append(l.entries, entry{path: path(), away: rnd.IntN(3) == 0})
		}
		p := path()
		var whole, some, less, away bool
		for _, e := range l.entries {
			covers, below := Covers(e.path, p), Covers(p, e.path)
			away, less = away || e.away && covers, less || e.away && below
			whole, some = whole || !e.away && covers, some || !e.away && below
		}
		want := None
		switch {
		case away:
		case whole && less:
			want = Most
		case whole:
			want = All
		case some || p == "": // for what is always kept
			want = Some
		}
		if got := l.Keep(p); got != want {
			t.Errorf("%q of %+v: %v, want %v", p, l.entries, got, want)
		}
	}
}
