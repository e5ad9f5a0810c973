package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"generate", "lint", "verify", "additionalProperties"}
	for word, want := range map[string]string{
		"lnit":                  "lint",
		"lin":                   "lint",
		"LINT":                  "lint",
		"l":                     "",
		"ln":                    "",
		"genarete":              "generate",
		"gnerate":               "generate",
		"genes":                 "",
		"additionalpropertys":   "additionalProperties",
		"additionalProperty":    "",
		"additionalPropertie":   "additionalProperties",
		"":                      "",
		strings.Repeat("a", 65): "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("%q: have %q, want %q", word, got, want)
		}
	}
	if long := strings.Repeat("a", 65); Nearest(long, []string{long + "b"}) != "" {
		t.Error("what nobody typed was looked up")
	}
}
