package terminal

import (
	"bytes"
	"os"
	"testing"
)

func TestColourIsForTerminals(t *testing.T) {
	tests := []struct {
		when     string
		terminal bool
		env      map[string]string
		want     bool
	}{
		{"auto", true, nil, true},
		{"auto", false, nil, false},
		{"auto", true, map[string]string{"NO_COLOR": "1"}, false},
		{"auto", true, map[string]string{"TERM": "dumb"}, false},
		{"always", false, map[string]string{"NO_COLOR": "1"}, true},
		{"never", true, nil, false},
	}
	for _, test := range tests {
		t.Run("", func(t *testing.T) {
			t.Setenv("NO_COLOR", "")
			t.Setenv("TERM", "xterm")
			for k, v := range test.env {
				t.Setenv(k, v)
			}
			if got := NewPalette(test.when, test.terminal).on; got != test.want {
				t.Errorf("--color=%s, terminal %t, %v: %t", test.when, test.terminal, test.env, got)
			}
		})
	}
}

func TestOnlyTerminalsAreTerminals(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if Is(null) || Is((*os.File)(nil)) || Is(&bytes.Buffer{}) {
		t.Error("takes something else for a terminal")
	}
}
