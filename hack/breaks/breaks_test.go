package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The breaks themselves take long. This sees to it that what they break is still there.
func TestBreaksFitTheSources(t *testing.T) {
	all := table()
	if len(all) < 80 {
		t.Errorf("%d breaks", len(all))
	}
	names := map[string]bool{}
	for _, b := range all {
		if names[b.Name] {
			t.Errorf("two breaks are called %q", b.Name)
		}
		names[b.Name] = true
		source, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(b.File)))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := b.apply(source); err != nil || b.Old == b.New {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}
