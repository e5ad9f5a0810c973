package specimentest

import (
	"bytes"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

func TestRandomCRDsLoadAndAreStructural(t *testing.T) {
	v1beta1, versions := 0, 0
	for seed := range uint64(2000) {
		f := crdread.Load("crd", bytes.NewReader(CRD(seed)))
		if len(f.CRDs) != 1 || len(f.Findings) > 0 {
			t.Fatalf("seed %d: %d CRDs, %v", seed, len(f.CRDs), f.Findings)
		}
		if f.CRDs[0].APIVersion == "apiextensions.k8s.io/v1beta1" {
			v1beta1++
		}
		for _, v := range f.CRDs[0].Versions {
			versions++
			s, errs := structural.NewSchema(v.Schema, v.SchemaPath)
			if errs = append(errs, structural.Validate(s, v.SchemaPath)...); len(errs) > 0 {
				t.Fatalf("seed %d: %v\n%s", seed, errs, CRD(seed))
			}
		}
	}
	if v1beta1 < 200 || versions < 2500 {
		t.Errorf("%d v1beta1 CRDs, %d versions", v1beta1, versions)
	}
}

func TestASeedStandsForACRD(t *testing.T) {
	if !bytes.Equal(CRD(1), CRD(1)) || bytes.Equal(CRD(1), CRD(2)) {
		t.Error("it does not")
	}
}
