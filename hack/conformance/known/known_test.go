package known

import (
	"slices"
	"testing"
)

func TestEveryNameHasItsReason(t *testing.T) {
	all, err := Differences()
	if err != nil {
		t.Fatal(err)
	}
	var listed []Name
	for _, d := range all {
		listed = append(listed, d.Name)
		if len(d.Reason) < 40 {
			t.Errorf("%s: %q is no reason", d.Name, d.Reason)
		}
	}
	if !slices.Equal(listed, Names()) {
		t.Errorf("listed: %q, named: %q", listed, Names())
	}
}
