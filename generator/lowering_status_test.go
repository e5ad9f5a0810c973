package generator

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Versions that share a schema need not share their subresources and warnings.
func TestVersionsWithOneSchemaKeepWhatIsNotInIt(t *testing.T) {
	for _, test := range []struct {
		change func(v *structural.Version)
		has    []string // what is only in the files of the version that was changed
	}{
		{func(v *structural.Version) { v.HasStatus = true }, []string{"Status: ", "ValidateStatus: ", "func ValidateAppStatus("}},
		{func(v *structural.Version) {
			v.Scale = &structural.ScalePaths{SpecReplicas: ".spec.a", StatusReplicas: ".status.b"}
		}, []string{"Scale: ", `".spec.a"`, `".status.b"`}},
		{func(v *structural.Version) { v.Deprecated = true }, []string{"DeprecationWarning: "}},
	} {
		c, err := load.CRD([]byte(crdtest.Manifest("App", appSchema)), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		second := *c.Versions[0]
		second.Name = "v2"
		test.change(&second)
		c.Versions = append(c.Versions, &second)
		l := NewLowering(Options{})
		for _, v := range c.Versions {
			p, err := l.Lower([]Input{{CRD: c, Version: v}})
			if err != nil {
				t.Fatal(err)
			}
			files, err := p.Emit(Options{Package: v.Name})
			if err != nil {
				t.Fatal(err)
			}
			all := ""
			for _, f := range files {
				all += string(f.Content)
			}
			for _, part := range test.has {
				if strings.Contains(all, part) != (v.Name == "v2") {
					t.Errorf("%s: %q is in the files: %t", v.Name, part, v.Name != "v2")
				}
			}
		}
	}
}
