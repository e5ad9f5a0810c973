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

// Names that are much longer than those that are compared are not even changed to lower case, which would take their length in memory.
func TestLongNamesAreNotCompared(t *testing.T) {
	for length, want := range map[int]float64{200: 1, 256: 1, 257: 0, 100_000: 0} {
		known := []string{strings.Repeat("A", length)}
		if got := testing.AllocsPerRun(10, func() { Nearest("verify", known) }); got != want {
			t.Errorf("%d bytes: %v allocations, want %v", length, got, want)
		}
	}
}

// Distances below the limit are exact, and others are not below it.
func TestDistancesUpToALimit(t *testing.T) {
	words := []string{""}
	for from := 0; len(words[len(words)-1]) < 6; from++ {
		words = append(words, words[from]+"a", words[from]+"b")
	}
	words = append(words, "abcdefghijkl", "abdcefghiljk", "bcdefghijklm", "xabcdefghijk", "abcdefxxghij", "ba")
	for _, a := range words {
		for _, b := range words {
			exact := distance(a, b, len(a)+len(b)+1)
			for most := max(len(a)-len(b), len(b)-len(a)) + 1; most < 4; most++ {
				if have := distance(a, b, most); have != exact && (have < most || exact < most) {
					t.Fatalf("%q and %q: %d up to %d, want %d", a, b, have, most, exact)
				}
			}
			if back := distance(b, a, len(a)+len(b)+1); back != exact {
				t.Fatalf("%q and %q: %d, and %d the other way round", a, b, exact, back)
			}
		}
	}
}
