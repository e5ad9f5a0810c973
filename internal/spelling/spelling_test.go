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

// Comparing takes room for three rows; names that are much longer or shorter are not compared.
func TestOnlyNamesOfAboutTheLengthAreCompared(t *testing.T) {
	for known, want := range map[string]float64{"verify": 3, "verified": 3, "very": 3, "verifying": 0, "ver": 0} {
		if got := testing.AllocsPerRun(10, func() { Nearest("verify", []string{known}) }); got != want {
			t.Errorf("%s: %v allocations, want %v", known, got, want)
		}
	}
}
