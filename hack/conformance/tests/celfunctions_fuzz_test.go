package tests

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// parsers are the functions that read a text.
var parsers = []string{
	"bool", "bytes", "cidr", "double", "duration", "int", "ip", "isCIDR", "isIP", "isQuantity", "isSemver", "isURL", "quantity", "semver", "timestamp", "uint", "url",
	"ip.isCanonical", "strings.quote", "lowerAscii", "upperAscii", "trim",
}

// FuzzParsers reads a text with every function that reads one, validates it in every format, and uses it as a pattern and as a format.
func FuzzParsers(f *testing.F) {
	scratch.Newest(f, olderCalls)
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if isHuge(s) || len(s) > 1000 {
			return
		}
		args := plain(s)
		same := func(name string, want ref.Val, got any) {
			t.Helper()
			if got, want := appendOurs(nil, got), appendTheirs(nil, want); !bytes.Equal(got, want) {
				t.Errorf("%s of %q\n got  %s\n want %s", name, s, got, want)
			}
		}
		for _, name := range parsers {
			same(name, serverCall(name, args.theirs), resultOf(prunecel.Dispatch(name, []any{s})))
		}
		for name, format := range library.ConstantFormats {
			same("format "+name, serverCall("validate", format, args.theirs), resultOf(prunecel.Dispatch("validate", []any{formatNamed(name), s})))
		}
		same("find", serverCall("find", types.String("hello"), args.theirs), resultOf(prunecel.Dispatch("find", []any{"hello", s})))
		if strings.Count(s, "%") < 3 {
			list := listOf([]pair{plain(1.5), plain(int64(-7))})
			same("format", serverCall("format", args.theirs, list.theirs), resultOf(prunecel.Dispatch("format", []any{s, list.ours})))
		}
	})
}
