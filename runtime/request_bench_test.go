package prunert_test

import (
	"testing"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// BenchmarkCreate measures Create on a clean object beside the functions that it calls.
func BenchmarkCreate(b *testing.B) {
	obj := decoded(b, cronTab)
	req := prunert.Request{Namespace: "default"}
	if answer := v1.CronTabResource.Create(obj, req); answer.Err() != nil {
		b.Fatal(answer.Err())
	}
	b.Run("parts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v1.CronTabResource.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
			v1.CronTabResource.Validate(obj)
			v1.CronTabResource.ValidateMetadata(obj, nil)
		}
	})
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v1.CronTabResource.Create(obj, req)
		}
	})
}
