package yamltext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShortenedTextsEndWithAWholeCharacter(t *testing.T) {
	for _, before := range []string{"", "x", "xx", "xxx"} {
		long := before + strings.Repeat("語", 40)
		short := Shorten(long)
		stem, ok := strings.CutSuffix(short, "...")
		if !ok || !utf8.ValidString(stem) || !strings.HasPrefix(long, stem) || len(stem) < 58 || len(stem) > 60 {
			t.Errorf("%q becomes %q", long, short)
		}
	}
	if s := strings.Repeat("x", 60); Shorten(s) != s {
		t.Errorf("%q is shortened to %q", s, Shorten(s))
	}
}
