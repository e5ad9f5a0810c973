package crddiff_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// crdsIn returns the CRDs of a text.
func crdsIn(t *testing.T, text string) []*structural.CRD {
	t.Helper()
	all, err := load.CRDs(strings.NewReader(text), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCompareAllPairsByName(t *testing.T) {
	old, other := crdsIn(t, oldCRD), crdsIn(t, strings.ReplaceAll(oldCRD, "backups", "restores"))
	changes, err := crddiff.CompareAll(old, other)
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 2 || changes["backups.example.com"][0].Rule != "diff/crd-removed" || changes["restores.example.com"][0].Rule != "diff/crd-added" {
		t.Errorf("%v", changes)
	}
	if changes, err = crddiff.CompareAll(old, crdsIn(t, oldCRD)); err != nil || len(changes) > 0 {
		t.Errorf("%v, %v", changes, err)
	}
	twice := crdsIn(t, oldCRD+"---\n"+oldCRD)
	if changes, err := crddiff.CompareAll(twice, old); err != nil || len(changes) > 0 {
		t.Errorf("the same CRD twice: %v, %v", changes, err)
	}
	differ := append(crdsIn(t, strings.Replace(oldCRD, "scope: Namespaced", "scope: Cluster", 1)), old...)
	if _, err := crddiff.CompareAll(differ, old); err == nil || err.Error() != "two old CRDs backups.example.com differ" {
		t.Error(err)
	}
	if _, err := crddiff.CompareAll(old, differ); err == nil || err.Error() != "two new CRDs backups.example.com differ" {
		t.Error(err)
	}
	// Each CRD is compared once.
	changed := crdsIn(t, strings.Replace(oldCRD, "scope: Namespaced", "scope: Cluster", 1))
	comparing := testing.AllocsPerRun(10, func() { crddiff.Compare(old[0], changed[0]) })
	if all := testing.AllocsPerRun(10, func() { crddiff.CompareAll(old, changed) }); all > 1.5*comparing {
		t.Errorf("%v allocations, %v to compare", all, comparing)
	}
}
