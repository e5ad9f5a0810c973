package objects_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/text/objects"
)

func TestNamesAreGeneratedUpToTheirLength(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for base, want := range map[string]string{"": "xxxxx", "a-": "a-xxxxx", x(57): x(62), x(58): x(63), x(59): x(63), x(100): x(63)} {
		if have := objects.GeneratedName(base); have != want {
			t.Errorf("%q becomes %q, want %q", base, have, want)
		}
	}
}
