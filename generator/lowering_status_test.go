package generator

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/crdtest"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// Versions that share a schema need not share their subresources and warnings.
func TestVersionsWithOneSchemaKeepWhatIsNotInIt(t *testing.T) {
	c, err := dynamic.LoadCRD([]byte(crdtest.Manifest("App", appSchema)))
	if err != nil {
		t.Fatal(err)
	}
	first := c.Versions[0]
	second := *first
	second.Name, second.HasStatus, second.Deprecated = "v2", true, true
	second.Scale = &structural.ScalePaths{SpecReplicas: ".spec.replicas", StatusReplicas: ".status.replicas"}
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
		for _, part := range []string{"Status: ", "Scale: ", "DeprecationWarning: ", "ValidateStatus: ", "func ValidateAppStatus("} {
			if strings.Contains(all, part) != (v.Name == "v2") {
				t.Errorf("%s: %q is in the files: %t", v.Name, part, v.Name != "v2")
			}
		}
	}
}
