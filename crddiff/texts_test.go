package crddiff_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
)

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
