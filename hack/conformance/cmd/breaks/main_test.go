package main

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// The breaks themselves take minutes. This sees to it that the lines they break are still there.
func TestBreaksFitTheSources(t *testing.T) {
	var all []Break
	if err := json.Unmarshal(list, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 5 {
		t.Errorf("%d breaks", len(all))
	}
	for _, b := range all {
		if _, err := b.overlay(filepath.Join("..", "..", "..", ".."), t.TempDir()); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}
