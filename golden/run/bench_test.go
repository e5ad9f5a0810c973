package run

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/cases"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// BenchmarkFunctions measures the functions on objects that they do not change: normalized and valid, with lists in them.
func BenchmarkFunctions(b *testing.B) {
	all, err := cases.All("..")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range all {
		if c.Name != "crontab" {
			continue
		}
		objects, err := c.Objects()
		if err != nil {
			b.Fatal(err)
		}
		for _, o := range objects {
			r, obj := resources[o.Resource.Key()], o.New()
			if _, err := r.Normalize(obj, prunert.NormalizeOptions{}); err != nil || len(r.Validate(obj)) > 0 {
				continue
			}
			for _, f := range []struct {
				name string
				call func()
			}{
				{"Prune", func() { r.PruneReport(obj) }},
				{"PruneReport", func() { r.PruneReport(obj) }},
				{"Check", func() { r.Check(obj) }},
				{"Normalize", func() { r.Normalize(obj, prunert.NormalizeOptions{}) }},
				{"Validate", func() { r.Validate(obj) }},
				{"ValidateMetadata", func() { r.ValidateMetadata(obj, nil) }},
			} {
				b.Run(o.Name+"/"+f.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						f.call()
					}
				})
			}
		}
	}
}
