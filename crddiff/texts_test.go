package crddiff_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// A second CRD of a name says the same, or it is not clear what is compared.
func TestTextsRefusesTwoCRDsOfAName(t *testing.T) {
	other := strings.Replace(oldCRD, "scope: Namespaced", "scope: Cluster", 1)
	if other == oldCRD {
		t.Fatal("the CRDs are the same")
	}
	_, err := crddiff.Texts([]byte(oldCRD), []byte(oldCRD+"---\n"+other))
	if err == nil || !strings.HasPrefix(err.Error(), "read the new CRDs: line ") || !strings.HasSuffix(err.Error(), ": backups.example.com is defined before, differently") {
		t.Error(err)
	}
}

// Each CRD is compared once.
func TestTextsComparesOnce(t *testing.T) {
	changed := strings.Replace(oldCRD, "scope: Namespaced", "scope: Cluster", 1)
	read := func(text string) *structural.CRD { return load.Load("crd.yaml", strings.NewReader(text)).CRDs[0] }
	was, is := read(oldCRD), read(changed)
	comparing := testing.AllocsPerRun(10, func() { crddiff.Compare(was, is) })
	reading := testing.AllocsPerRun(10, func() { read(oldCRD); read(changed) })
	if all := testing.AllocsPerRun(10, func() { crddiff.Texts([]byte(oldCRD), []byte(changed)) }); all > reading+1.5*comparing {
		t.Errorf("%v allocations, %v to read and %v to compare", all, reading, comparing)
	}
}

func TestTextsPairsByName(t *testing.T) {
	other := strings.ReplaceAll(oldCRD, "backups", "restores")
	changes, err := crddiff.Texts([]byte(oldCRD+"---\n"+oldCRD), []byte(other))
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 2 || changes["backups.example.com"][0].Rule != "diff/crd-removed" || changes["restores.example.com"][0].Rule != "diff/crd-added" {
		t.Errorf("%v", changes)
	}
	if changes, err = crddiff.Texts([]byte(oldCRD), []byte(oldCRD)); err != nil || len(changes) > 0 {
		t.Errorf("%v, %v", changes, err)
	}
	if _, err = crddiff.Texts([]byte(oldCRD), []byte("a: [")); err == nil || !strings.HasPrefix(err.Error(), "read the new CRDs: line ") {
		t.Error(err)
	}
}
