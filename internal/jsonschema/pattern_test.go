package jsonschema

import (
	"regexp"
	"testing"
)

func TestPatternsAreRewrittenWhereECMAScriptReadsThemInAnotherWay(t *testing.T) {
	for text, want := range map[string]string{
		// The same for both.
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`:  `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`,
		`^(?:[0-9]+(?:\.[0-9]+)?)(m|Ki)?$`: `^(?:[0-9]+(?:\.[0-9]+)?)(m|Ki)?$`,
		`^\d{1,3}\/[\w.-]{2,}\b$`:          `^\d{1,3}\/[\w.-]{2,}\b$`,
		`[^a\-b]é`:                         `[^a\-b]é`,
		// The end and the beginning of the text, names, cases, classes, quotes.
		`\Aab\z`:         `^ab$`,
		`(?P<x>a)|(?i)k`: "(a)|[Kk\u212a]",
		`(?i)^ab$`:       `^[Aa][Bb]$`,
		`[[:digit:]]+x`:  `[0-9]+x`,
		`\Qa.b\E`:        `a\.b`,
		// Blanks and dots mean more or less.
		`^\S+\s$`: `^[^\x09\x0a\x0c\x0d ]+[\x09\x0a\x0c\x0d ]$`,
		`^.*$`:    `^[^\n]*$`,
		`(?s).`:   `[\s\S]`,
		// Not escapes with the flag u, and not a repetition.
		`a\-\_\"`: `a\x2d_"`,
		// Assertions are repeated in groups only.
		`^*a$+\b?\B{2}`:   `(?:^)*a(?:$)+(?:\b)?(?:\B){2}`,
		`x{,5}y}]`:        `x\{,5\}y\}\]`,
		`[\w-.]`:          `[\x2d\.0-9A-Z_a-z]`,
		`[]a]`:            `[\]a]`,
		`(a|b){2,}?.`:     `([ab]){2,}[^\n]`,
		`(a*)*(?:bx|c)d.`: `(a*)*(?:bx|c)d[^\n]`,
	} {
		have, ok := portable(text)
		if !ok || have != want {
			t.Errorf("%s: %s %v, want %s", text, have, ok, want)
			continue
		}
		from, to := regexp.MustCompile(text), regexp.MustCompile(have)
		for _, s := range []string{"", "a", "ab", "AB", "K", "\u212a", "a.b", "a-_\"", "axb", "x{,5}y}]", "\u00e9\u2003", "a\nb", "a ", "a\u00a0", "12/ab.c-d", "0x", "-", ".", "]", "abcd", "bd", "1.5Ki", "a\r"} {
			if from.MatchString(s) != to.MatchString(s) {
				t.Errorf("%s and %s differ on %q", text, have, s)
			}
		}
	}
}

func TestPatternsWithoutAnEquivalentAreLeftOut(t *testing.T) {
	for _, text := range []string{`(?m)^a$`, `\p{L}`, `[^\x00-\x{10FFFF}]`, `.😀`, `(`, `(?=a)`} {
		if have, ok := portable(text); ok {
			t.Errorf("%s becomes %s", text, have)
		}
	}
}
