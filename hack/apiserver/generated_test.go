package apiserver

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/prune-gen/prune-gen/generator"
	_ "github.com/prune-gen/prune-gen/hack/apiserver/generated/v1"
	_ "github.com/prune-gen/prune-gen/hack/apiserver/generated/v2"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

//go:generate go test . -run TestGeneratedFunctionsAreCurrent -update

// generated prunes with the functions below generated/. It has none for the CRDs of the corpus, nor for a CRD whose schema
// has been replaced.
func generated(crd *structural.CRD, version *structural.Version) (pruner, error) {
	res, ok := prunert.Lookup(crd.Group, version.Name, crd.Names.Kind)
	if !ok {
		return nil, nil
	}
	if fit, err := dynamic.Fits(res, crd); err != nil || !fit.Same {
		return nil, err
	}
	return func(obj map[string]any) []string {
		alone := runtime.DeepCopyJSON(obj)
		res.Prune(alone)
		paths := res.PruneReport(obj)
		if !reflect.DeepEqual(alone, obj) {
			panic(fmt.Sprintf("Prune%[1]s and Prune%[1]sReport differ", crd.Names.Kind))
		}
		return paths
	}, nil
}

// generatedFrom returns the CRDs that the functions below generated/ are made from: all but one that the server has stored, and
// that neither it nor the command takes any more.
func generatedFrom(t *testing.T) []*structural.CRD {
	t.Helper()
	files := []string{filepath.Join("testdata", "nightlyjobs", "privileged.yaml")}
	for _, dir := range []string{"crds", "stored"} {
		names, err := filepath.Glob(filepath.Join("testdata", dir, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, names...)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return filepath.Base(name) == "properties-and-additional.yaml" })
	var crds []*structural.CRD
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		crds = append(crds, crdread.Load(name, bytes.NewReader(data)).CRDs...)
	}
	return crds
}

func TestEveryCRDHasGeneratedFunctions(t *testing.T) {
	for _, crd := range generatedFrom(t) {
		for _, version := range crd.Versions {
			prune, err := generated(crd, version)
			if err != nil {
				t.Fatal(err)
			}
			if prune == nil {
				t.Errorf("%s %s has none: run go generate", crd.Name, version.Name)
			}
		}
	}
}

var update = flag.Bool("update", false, "write what is generated")

func TestGeneratedFunctionsAreCurrent(t *testing.T) {
	inputs := map[string][]generator.Input{}
	for _, crd := range generatedFrom(t) {
		for _, version := range crd.Versions {
			inputs[version.Name] = append(inputs[version.Name], generator.Input{CRD: crd, Version: version})
		}
	}
	for version, in := range inputs {
		files, err := generator.Generate(in, generator.Options{Package: version, Features: generator.AllFeatures(), Register: true})
		if err != nil {
			t.Fatal(err)
		}
		wanted := map[string]bool{}
		for _, f := range files {
			name := filepath.Join("generated", version, f.Name)
			if *update {
				if err := os.WriteFile(name, f.Content, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			have, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(have, f.Content) {
				t.Errorf("%s is not current: run go generate", name)
			}
			wanted[name] = true
		}
		names, err := filepath.Glob(filepath.Join("generated", version, generator.FilePrefix+"*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if wanted[name] {
				continue
			}
			if !*update {
				t.Errorf("%s is not wanted any more: run go generate", name)
			} else if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}
