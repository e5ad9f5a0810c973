package cli

import "testing"

func TestClosest(t *testing.T) {
	words := []string{"json", "junit", "output", "quiet"}
	for word, want := range map[string]string{
		"jsn": "json", "out": "output", "ou": "", "outputs": "output", "nothing": "", "qui": "quiet",
	} {
		if got := Closest(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
