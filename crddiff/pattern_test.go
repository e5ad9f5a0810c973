package crddiff

import (
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/meter"
)

func TestIncludes(t *testing.T) {
	for _, tt := range []struct {
		old, new string
		want     inclusion
		back     inclusion
	}{
		{"^a$", "^a$", included, included},
		{"^a", "a", included, notIncluded},
		{"^a$", "^a", included, notIncluded},
		{"a", "", included, notIncluded},
		{"", "^.*$", notIncluded, included}, // a newline
		{"", "^(.|\\n)*$", included, included},
		{"^[a-z]+$", "^[a-z0-9]+$", included, notIncluded},
		{"^[a-z]+$", "[a-z]", included, notIncluded},
		{"^[a-z]{1,63}$", "^[a-z]{1,253}$", included, notIncluded},
		{"^[a-z]{1,63}$", "^[a-z]*$", included, notIncluded},
		{"^[a-z]{2,}$", "^[a-z]{1,}$", included, notIncluded},
		{"^(a|b)$", "^(a|b|c)$", included, notIncluded},
		{"^(a|b)$", "^[ab]$", included, included},
		{"^(GET|POST)$", "^[A-Z]+$", included, notIncluded},
		{"^a|b$", "^(a|b)$", notIncluded, included},
		{"^[^/]+$", "^.+$", notIncluded, notIncluded},
		{"^[a-z]([-a-z0-9]*[a-z0-9])?$", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", included, notIncluded},
		{`^[a-z]([-a-z0-9]*[a-z0-9])?$`, `^[a-z]([-a-z0-9]*[a-z0-9])?(\.[a-z]([-a-z0-9]*[a-z0-9])?)*$`, included, notIncluded},
		{`^\d+$`, "^[0-9]+$", included, included},
		{"^[\\x{D000}-\\x{E000}]$", "^[\\x{D000}-\\x{F000}]$", included, notIncluded},
		{`\bfoo`, "foo", cannotTell, cannotTell},
		{"(?i)foo", "foo", cannotTell, cannotTell},
		{"(", "foo", cannotTell, cannotTell},
		{"^(a|b)*a(a|b){20}$", "^(a|b)*a[ab]{20}$", cannotTell, cannotTell},
	} {
		if got := includes(tt.old, tt.new, nil); got != tt.want {
			t.Errorf("%s in %s: %d, want %d", tt.old, tt.new, got, tt.want)
		}
		if got := includes(tt.new, tt.old, nil); got != tt.back {
			t.Errorf("%s in %s: %d, want %d", tt.new, tt.old, got, tt.back)
		}
	}
}

// A pattern can have many instructions that wait for no rune, and many runes to try at each of its states.
func TestIncludesCountsInstructionsThatWaitForNoRune(t *testing.T) {
	var class strings.Builder
	for r := rune(0x100); r < 0x1000; r += 2 {
		class.WriteRune(r)
	}
	m := meter.New(1)
	before := m.Left()
	old, new := "^a{20}["+class.String()+"]", strings.Repeat("()", 1100)+"^a{20}["+class.String()+"a]"
	if got := includes(old, new, m); got != cannotTell {
		t.Errorf("got %d, want %d", got, cannotTell)
	}
	if spent := before - m.Left(); spent < meter.PatternSteps/2 {
		t.Errorf("%d units are spent, want at least %d", spent, meter.PatternSteps/2)
	}
}

// No text of a few letters contradicts what is said about patterns.
func TestIncludesAgreesWithTexts(t *testing.T) {
	patterns := strings.Fields("a ^a a$ ^a$ ^a*$ ^(a|b)*$ ^[ab]+$ ^a+b?$ ab|ba ^(ab|ba)+$ ^[^a]*$ ^.{2}$ .. ^$ $ ^ a{2,3} ^(a{2}){1,2}$ b*a ^(?:a|ab)(?:c|bcd)?$ [^b] ^\\w+$ ^(a|^b)c*$ (a$|b)c? \\n")
	texts := []string{""}
	for i := 0; len(texts) < 2000; i++ {
		for _, letter := range []string{"a", "b", "c", "\n"} {
			texts = append(texts, texts[i]+letter)
		}
	}
	for _, old := range patterns {
		for _, new := range patterns {
			said, is := includes(old, new, nil), included
			a, b := regexp.MustCompile(old), regexp.MustCompile(new)
			for _, text := range texts {
				if a.MatchString(text) && !b.MatchString(text) {
					is = notIncluded
				}
			}
			if said != is && !(said == notIncluded && strings.Contains(old+new, "\\w")) { // the texts have few of the runes that \w tells apart
				t.Errorf("%s in %s: %d, want %d", old, new, said, is)
			}
		}
	}
}
