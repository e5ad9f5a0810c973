package pruneformat

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// expressions are what CRDs have, and what is odd.
var expressions = []string{
	`^[a-zA-Z_][a-zA-Z0-9_]*$`, `^[0-9a-zA-Z-.]+$`, `(^0|([0-9]*[.])?[0-9]+((K|M|G|T|E|P)i?)?B)$`, `^([0-9]{1,5}(h|m|s|ms)){1,4}$`,
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9\/\-._~%!$&'()*+,;=:]+$`, `^([0-9]+(\.[0-9]+)?(s|m|h))+$`,
	`^.{2,}|[^./]$`, `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
	``, `a`, `^`, `$`, `^$`, `$^`, `a$`, `^a`, `a|$`, `^a|b$`, `(a|^)b`, `b($|a)`, `a*`, `a+b`, `(?i)abc`, `(?s).$`, `.`, `^.$`, `[^a]`, `\n`, `a\nb`, `(?:)`,
	`[^\x00-\x{10FFFF}]`, `a[^\x00-\x{10FFFF}]|b`, `^(a|ab)(c|bcd)$`, `(a?){3}a{3}`, `x*$`, `\Aab\z`, `a.c`, `(?i)k`, `[[:^alpha:]]`, `(^a$)|(^b.$)`, `^(^a)$$`,
	`é`, `^[a-zé]+$`, `\PL$`,
	// The name of a label, or of an annotation, in Gateway: 438 states.
	`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$`,
}

// An automaton agrees with the expression on every string that it can decide.
func TestAutomataAreExpressions(t *testing.T) {
	const letters = "abcdABC0129 .-_/:mshKiBk\nxé\xff"
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range expressions {
		re := regexp.MustCompile(text)
		a := newAutomaton(text)
		if a == nil {
			if !re.MatchString("") {
				t.Errorf("%s: no automaton", text)
			}
			continue
		}
		p, said := &Pattern{Text: text}, 0
		check := func(s string) {
			matches, ok := a.match(s)
			if ok {
				said++
			}
			if want := re.MatchString(s); ok && matches != want || p.Match(s) != want {
				t.Errorf("%q on %q: %t, %t, but want %t", text, s, matches, ok, want)
			}
		}
		for _, s := range []string{"", "a", "ab", "aa", "abc", "1h30m", "10Mi", "0", "1.5KiB", "b", "ba", "\n", "K", "é", "aé", "example.com/x", "example.com/", "ABC"} {
			check(s)
		}
		for range 3000 {
			s := make([]byte, random.IntN(8))
			for i := range s {
				s[i] = letters[random.IntN(len(letters))]
			}
			check(string(s))
		}
		if said < 1000 {
			t.Errorf("%s: the automaton spoke %d times", text, said)
		}
	}
}

func FuzzAutomata(f *testing.F) {
	for _, text := range expressions {
		f.Add(text, "abc")
	}
	f.Fuzz(func(t *testing.T, text, s string) {
		re, err := regexp.Compile(text)
		if err != nil {
			return
		}
		if matches, ok := newAutomaton(text).match(s); ok && matches != re.MatchString(s) {
			t.Errorf("%q on %q: %t", text, s, matches)
		}
	})
}

// Expressions that would be large automata, or that look beyond a character, are left as they are.
func TestAutomataAreSmall(t *testing.T) {
	for _, text := range []string{`\bab\b`, `(?m)^a$`, `^.{0,400}$`, `a.{12}$`, `(a|b)*a(a|b){10}$`, `(`, strings.Repeat("(a|bc)", 200)} {
		if newAutomaton(text) != nil {
			t.Errorf("%s has an automaton", text)
		}
	}
	// As large as it gets.
	text := `^[a-m]*[g-z]` + strings.Repeat(`[a-m]?`, 100) + `$`
	if n := testing.AllocsPerRun(1, func() { newAutomaton(text) }); n > 10_000 {
		t.Errorf("%v allocations for %s", n, text)
	}
}

// A match allocates nothing, whatever the string is, as long as it is ASCII.
func TestAutomataDoNotAllocate(t *testing.T) {
	p := &Pattern{Text: expressions[4]}
	p.Match("")
	s := "example.com/" + strings.Repeat("name", 100)
	if allocs := testing.AllocsPerRun(100, func() {
		if !p.Match(s) || p.Match(s+" ") {
			t.Error("the wrong answer")
		}
	}); allocs > 1 { // for s with a space
		t.Errorf("%v allocations", allocs)
	}
}
