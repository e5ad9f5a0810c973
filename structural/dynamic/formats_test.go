package dynamic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// Each format counts from one version on: from the oldest, except for those listed here.
func TestFormatsByVersion(t *testing.T) {
	since := map[string]kubeversion.Version{"k8s-short-name": 35, "k8s-long-name": 35, "int32": 36, "int64": 36, "float": 36, "double": 36}
	type sample struct {
		typ, format, text string
		fits              bool
	}
	samples := []sample{
		{"integer", "int32", "2147483647", true}, {"integer", "int32", "2147483648", false},
		{"integer", "int32", "-2147483648", true}, {"integer", "int32", "-2147483649", false},
		{"integer", "int64", "9223372036854775807", true}, {"integer", "int64", "1.0e19", false},
		{"number", "float", "3.4e38", true}, {"number", "float", "3.5e38", false}, {"number", "double", "1.7e308", true},
	}
	for _, f := range formats.All() {
		for _, text := range f.Samples {
			samples = append(samples, sample{"string", f.Name, fmt.Sprintf("%q", text), f.Is(text)})
		}
		if f.Is == nil {
			samples = append(samples, sample{"string", f.Name, `""`, true})
		}
	}
	var schema strings.Builder
	schema.WriteString("type: object\nproperties:\n")
	fields := map[[2]string]string{}
	for _, s := range samples {
		if of := [2]string{s.typ, s.format}; fields[of] == "" {
			fields[of] = fmt.Sprintf("f%d", len(fields))
			fmt.Fprintf(&schema, "  %s: {type: %s, format: %s}\n", fields[of], s.typ, s.format)
		}
	}
	for _, version := range kubeversion.Known() {
		crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(schema.String()))
		crd.Kubernetes = version
		resources, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range samples {
			obj := structuraltest.ParseObject(t, "{apiVersion: example.com/v1, kind: Job, metadata: {name: a}, "+fields[[2]string{s.typ, s.format}]+": "+s.text+"}")
			refused := resources[0].Create(obj, prunert.Request{}).Refusal != nil
			counts := version >= since[s.format]
			if s.text == "1.0e19" {
				counts = true // it is not an integer in any version
			}
			if refused != (counts && !s.fits) {
				t.Errorf("Kubernetes %s, %s %s: refused is %t", version, s.format, s.text, refused)
			}
		}
	}
}
