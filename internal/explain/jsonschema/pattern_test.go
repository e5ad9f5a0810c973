package jsonschema

import (
	"fmt"
	"regexp"
	"strings"
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
		// Repetitions, and braces that are not.
		`a{2}b`: `a{2}b`, `a{2,}b`: `a{2,}b`, `a{2,3}?b`: `a{2,3}?b`, `a*?`: `a*?`, `a+?b|`: `a+?b|`,
		`a{,5}`: `a\{,5\}`, `a{b`: `a\{b`, `{`: `\{`, `a{2,x}`: `a\{2,x\}`,
		`a{2}.`: `a{2}[^\n]`, `a{2,}.`: `a{2,}[^\n]`, `a{2,4}.`: `a{2,4}[^\n]`, `(?:ab){2}.`: `(?:ab){2}[^\n]`,
		`(?:ab)*.`: `(?:ab)*[^\n]`, `(?:ab)+.`: `(?:ab)+[^\n]`, `(?:ab)?.`: `(?:ab)?[^\n]`, `(?:a|bc)*.`: `(?:a|bc)*[^\n]`,
		`^+`: `(?:^)+`, `$*`: `(?:$)*`, `\b{2}`: `(?:\b){2}`, `\B+`: `(?:\B)+`, `a^`: `a^`, `\ba`: `\ba`, `(?:^)*`: `(?:^)*`,
		// Dashes in classes, and classes in classes.
		`[-a]`: `[-a]`, `[a-]`: `[a-]`, `[^-a]`: `[^-a]`, `[+--]`: `[+--]`, `[\w\-.]`: `[\w\-.]`, `[\d-]`: `[\d-]`, `[a-z\d-]`: `[a-z\d-]`, `[\d_-a]`: `[\d_-a]`,
		`[a[b]`: `[\[ab]`, `[^][a-c]`: `[^\[\]a-c]`, `[][a-c]`: `[\[\]a-c]`,
		`[\d-a]`: `[\x2d0-9a]`, `[a-\x7a]`: `[a-z]`, `[a\]b]`: `[a\]b]`, `[^]a]`: `[^\]a]`, `[[:alpha:]_]`: `[A-Z_a-z]`, `[\a]`: `\x07`,
		`[ab].`: `[ab][^\n]`, `[abc].`: `[a-c][^\n]`, `[ac].`: `[ac][^\n]`, `[^a].`: `[^a][^\n]`, `[^a-c\n].`: `[^\x0aa-c][^\n]`,
		`\D\W.`: `[^0-9][^0-9A-Z_a-z][^\n]`, `[é-ü].`: `[é-ü][^\n]`, `[\x{fffe}-\x{ffff}].`: "[\ufffe\uffff][^\\n]",
		// Alternatives, assertions, cases and escapes.
		`(|a).`: `((?:)|a)[^\n]`, `(?:a|bc)d.`: `(?:a|bc)d[^\n]`, `(a|bc).`: `(a|bc)[^\n]`, `\bx.`: `\bx[^\n]`, `\Bx.`: `\Bx[^\n]`,
		`(?i)a1.`: `[Aa]1[^\n]`, `(?i)é`: `[Éé]`, `(?<n>x)`: `(x)`, `(?U)a*`: `a*`,
		`\x41\07`: `A\x07`, `a/b.`: `a\/b[^\n]`, `\n.`: `\x0a[^\n]`, `\v`: `\v`, "\x00.": `\x00[^\n]`, "\x1f .": `\x1f [^\n]`, "\x7f~.": `\x7f~[^\n]`,
	} {
		have, ok := portable(text)
		if !ok || have != want {
			t.Errorf("%s: %s %v, want %s", text, have, ok, want)
			continue
		}
		from, to := regexp.MustCompile(text), regexp.MustCompile(have)
		for _, s := range []string{"", "a", "ab", "AB", "K", "\u212a", "a.b", "a-_\"", "axb", "x{,5}y}]", "\u00e9\u2003", "a\nb", "a ", "a\u00a0", "12/ab.c-d", "0x", "-", ".", "]", "abcd", "bd", "1.5Ki", "a\r", "aa", "aab", "aaab", "aax", "a{,5}", "a{b", "aba", "abx", "bcx", "xa", "é", "É", "ü\x00", "\uffffa", "\x00a", "\x07", "A\x07", "\x7f~x", "\x1f x", "a/bc", "\nx", "0a", "_", "a1x", "{"} {
			if from.MatchString(s) != to.MatchString(s) {
				t.Errorf("%s and %s differ on %q", text, have, s)
			}
		}
	}
}

func TestPatternsWithoutAnEquivalentAreLeftOut(t *testing.T) {
	for _, text := range []string{
		`(?m)^a$`, `\p{L}`, `[^\x00-\x{10FFFF}]`, `.😀`, `(`, `(?=a)`, `[a-\d]`, `\Z`, `\C`, `.\x{10000}`, `[^\x{10000}].`, `[\x{ffff}-\x{10000}].`,
	} {
		if have, ok := portable(text); ok {
			t.Errorf("%s becomes %s", text, have)
		}
	}
}

// Characters of ECMAScript have 16 bits, and those from U+D800 to U+DFFF are halves of others.
func TestCharactersThatECMAScriptHas(t *testing.T) {
	for c, want := range map[rune]bool{0xd7ff: true, 0xd800: false, 0xdbff: false, 0xdfff: false, 0xe000: true, 0xffff: true, 0x10000: false, 0x10ffff: false} {
		for format, written := range map[string]string{`\x{%x}`: string(c), `[b\x{%x}]`: "[b" + string(c) + "]", `[^b\x{%x}]`: "[^b" + string(c) + "]"} {
			text := fmt.Sprintf(format, c)
			if have, ok := portable(text); ok != want || ok && have != written {
				t.Errorf("%s becomes %q, %t", text, have, ok)
			}
		}
	}
}

// A class is written out if it has at most 64 ranges, or gaps.
func TestLongClassesAreLeftOut(t *testing.T) {
	for ranges, want := range map[int]bool{2: true, 63: true, 64: true, 65: false} {
		var class strings.Builder
		for i := range ranges {
			class.WriteRune(rune(0x400 + 2*i))
		}
		for _, text := range []string{".[" + class.String() + "]", ".[^" + class.String() + "]"} {
			have, ok := portable(text)
			if ok != want || ok && have != strings.Replace(text, ".", `[^\n]`, 1) {
				t.Errorf("%d ranges: %s becomes %s, %t", ranges, text, have, ok)
			}
		}
	}
}
