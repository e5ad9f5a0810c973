package patterns

import (
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

func TestIncludes(t *testing.T) {
	for _, tt := range []struct {
		old, new string
		want     Inclusion
		back     Inclusion
	}{
		{"^a$", "^a$", Included, Included},
		{"^a", "a", Included, NotIncluded},
		{"^a$", "^a", Included, NotIncluded},
		{"a", "", Included, NotIncluded},
		{"", "^.*$", NotIncluded, Included}, // a newline
		{"", "^(.|\\n)*$", Included, Included},
		{"^[a-z]+$", "^[a-z0-9]+$", Included, NotIncluded},
		{"^[a-z]+$", "[a-z]", Included, NotIncluded},
		{"^[a-z]{1,63}$", "^[a-z]{1,253}$", Included, NotIncluded},
		{"^[a-z]{1,63}$", "^[a-z]*$", Included, NotIncluded},
		{"^[a-z]{2,}$", "^[a-z]{1,}$", Included, NotIncluded},
		{"^(a|b)$", "^(a|b|c)$", Included, NotIncluded},
		{"^(a|b)$", "^[ab]$", Included, Included},
		{"^(GET|POST)$", "^[A-Z]+$", Included, NotIncluded},
		{"^a|b$", "^(a|b)$", NotIncluded, Included},
		{"^[^/]+$", "^.+$", NotIncluded, NotIncluded},
		{"^[a-z]([-a-z0-9]*[a-z0-9])?$", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", Included, NotIncluded},
		{`^[a-z]([-a-z0-9]*[a-z0-9])?$`, `^[a-z]([-a-z0-9]*[a-z0-9])?(\.[a-z]([-a-z0-9]*[a-z0-9])?)*$`, Included, NotIncluded},
		{`^\d+$`, "^[0-9]+$", Included, Included},
		{"^[\\x{D000}-\\x{E000}]$", "^[\\x{D000}-\\x{F000}]$", Included, NotIncluded},
		{`\bfoo`, "foo", CannotTell, CannotTell},
		{"(?i)foo", "foo", CannotTell, CannotTell},
		{"(", "foo", CannotTell, CannotTell},
		{"^(a|b)*a(a|b){20}$", "^(a|b)*a[ab]{20}$", CannotTell, CannotTell},
	} {
		if got := Includes(tt.old, tt.new, nil); got != tt.want {
			t.Errorf("%s in %s: %d, want %d", tt.old, tt.new, got, tt.want)
		}
		if got := Includes(tt.new, tt.old, nil); got != tt.back {
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
	if got := Includes(old, new, m); got != CannotTell {
		t.Errorf("got %d, want %d", got, CannotTell)
	}
	if spent := before - m.Left(); spent < meter.PatternSteps/2 {
		t.Errorf("%d units are spent, want at least %d", spent, meter.PatternSteps/2)
	}
}

// No short text contradicts an answer about patterns.
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
			said, is := Includes(old, new, nil), Included
			a, b := regexp.MustCompile(old), regexp.MustCompile(new)
			for _, text := range texts {
				if a.MatchString(text) && !b.MatchString(text) {
					is = NotIncluded
				}
			}
			if said != is && !(said == NotIncluded && strings.Contains(old+new, "\\w")) { // the texts have few of the runes that \w tells apart
				t.Errorf("%s in %s: %d, want %d", old, new, said, is)
			}
		}
	}
}
