package target

import (
	"strings"
	"testing"
)

func TestTagsInGOFLAGS(t *testing.T) {
	for flags, want := range map[string]string{
		"": "", "-v": "", "-tags=a": "a", "--tags=a": "a", "-tags=a,b": "a b", " -v  -tags=b,a -x": "b a", "-tags=": "", "-tags=,a,,b,": "a b",
		"-tags=a -tags=b": "b", "-tags=a --tags=": "", "tags=a": "", "---tags=a": "", "-tagsx=a": "",
	} {
		t.Setenv("GOFLAGS", flags)
		if have := strings.Join(FromEnvironment(), " "); have != want {
			t.Errorf("%q: %q, want %q", flags, have, want)
		}
	}
}
