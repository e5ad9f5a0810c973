package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// A server stores what it can find again, as long as there is room, and counts it.
func TestStoredObjectsAreCounted(t *testing.T) {
	for name, test := range map[string]struct {
		text       string
		left       int
		want, next bool // whether it is stored, and whether the next object of this name is an update
	}{
		"an object":      {head, meter.Work, true, true},
		"no name":        {"apiVersion: example.com/v1\nkind: App\n", meter.Work, false, false},
		"another kind":   {"apiVersion: example.com/v1\nkind: Other\nmetadata: {name: a}\n", meter.Work, false, false},
		"another group":  {"apiVersion: v1\nkind: App\nmetadata: {name: a}\n", meter.Work, false, false},
		"no room for it": {head, 5, false, false},
	} {
		m := meter.New(1)
		s := meteredServer(t, m, crd)
		var all []manifest.Object
		manifest.ReadToKeep(objects.NewText("f", []byte(test.text)), func(o manifest.Object) []structural.Finding {
			all = append(all, o)
			return nil
		}, s)
		m.Spend(int(m.Left()) - test.left)
		left := m.Left()
		have := s.Store(all[0])
		if have != test.want || have != (m.Left() < left && !m.Spent()) {
			t.Errorf("%s: stored %t, and %d units of %d are left", name, have, m.Left(), left)
		}
		if a := s.Answer(all[0], manifest.Warn); a.IsUpdate() != test.next {
			t.Errorf("%s: an update %t", name, a.IsUpdate())
		}
	}
}

// Kinds are named up to the length that they can have, and a kind that is misspelt has a hint.
func TestUnknownKindsAreNamedUpToALength(t *testing.T) {
	const longest = 253 + 1 + 63
	s := newServer(t, crd)
	for _, n := range []int{1, 63, longest, longest + 1, 1 << 20} {
		name := strings.Repeat("x", n)
		want := name
		if n > longest {
			want = name[:60] + "..."
		}
		for _, version := range []string{"example.com/v1", "v1"} {
			want := fmt.Sprintf("no matches for kind %q in version %q", want, version)
			if f := s.MissingKind(manifest.Object{APIVersion: version, Kind: name, Node: &yamltext.Node{}}); f == nil || f.Message != want {
				t.Errorf("%.400v, want %.400s", f, want)
			}
		}
	}
	for kind, want := range map[string]string{"Apq": "did you mean App?", "APP": "did you mean App?", "Thing": "known kinds: App", strings.Repeat("App", 1000): "known kinds: App"} {
		if f := s.MissingKind(manifest.Object{APIVersion: "example.com/v1", Kind: kind, Node: &yamltext.Node{}}); f == nil || f.Hint != want {
			t.Errorf("%.100s: %+v, want %s", kind, f, want)
		}
	}
}

// Pruning counts the texts of what it says.
func TestPruningCountsItsFindings(t *testing.T) {
	prune := func(format string) (cost, findings int) {
		m := meter.New(1)
		s := meteredServer(t, m, crd)
		pruneText(s, "f", head) // compiles the CRD
		text := head + "spec:\n"
		for i := range 20 {
			key := fmt.Sprint(strings.Repeat("x", 900), i)
			text += fmt.Sprintf(format, key, key)
		}
		before := m.Left()
		for _, f := range pruneText(s, "f", text).Findings {
			findings += f.TextSize()
		}
		return int(before - m.Left()), findings
	}
	without, _ := prune("  %s: 1\n  %sy: 1\n")
	with, size := prune("  %s: 1\n  %s: 1\n")
	if size < 20*50 || with-without < meter.CopiesOfFinding*size/meter.UnitBytes {
		t.Errorf("findings of %d bytes take %d units", size, with-without)
	}
}

// An object with many keys and without a kind has a hint only if there is room to compare them.
func TestHintsAboutMissingKindsAreBounded(t *testing.T) {
	text := "{kin: App, " + numbered(300) + "}"
	hints := map[string]int{}
	for left := 0; left < 30_000; left += 499 {
		m := meter.New(1)
		s := meteredServer(t, m, crd)
		m.Spend(meter.Work - left)
		for _, f := range manifest.Read(objects.NewText("f", []byte(text)), nil, s).Findings {
			if f.ID == manifest.IDNotObject {
				hints[f.Hint]++
			}
		}
	}
	if len(hints) != 2 || hints[""] == 0 || hints["write kind instead of kin"] == 0 {
		t.Errorf("%v", hints)
	}
}
