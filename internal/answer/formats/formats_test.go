package formats_test

import (
	"path"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Generated code calls the functions by the names in the table.
func TestFunctionsHaveTheirNames(t *testing.T) {
	for _, f := range formats.All() {
		name := ""
		if f.Is != nil {
			name = strings.TrimPrefix(path.Base(runtime.FuncForPC(reflect.ValueOf(f.Is).Pointer()).Name()), "pruneimpl.")
		}
		if f.Func != name {
			t.Errorf("%s is called %s, want %s", f.Name, f.Func, name)
		}
	}
}

func TestSamplesAreOnBothSides(t *testing.T) {
	for _, f := range formats.All() {
		if f.Is == nil {
			continue
		}
		good := 0
		for _, s := range f.Samples {
			if f.Is(s) {
				good++
			}
		}
		if good == 0 || good == len(f.Samples) {
			t.Errorf("%s: %d of %d samples have the format", f.Name, good, len(f.Samples))
		}
	}
}

// A server has the names of Kubernetes since 1.34 and validates by them one version later, and the others since ever.
func TestFormatsByVersion(t *testing.T) {
	for _, f := range formats.All() {
		for _, v := range append(kubeversion.Known(), 0) {
			isNew := strings.HasPrefix(f.Name, "k8s-")
			if known, want := f.KnownBy(v), !isNew || v == 0 || v >= 34; known != want {
				t.Errorf("Kubernetes %s has %s: %t", v, f.Name, known)
			}
			if counts, want := f.CountsIn(v), !isNew || v == 0 || v >= 35; counts != want {
				t.Errorf("Kubernetes %s validates by %s: %t", v, f.Name, counts)
			}
		}
	}
}

func TestDashesMakeNoDifference(t *testing.T) {
	for name, want := range map[string]string{"date-time": "datetime", "datetime": "datetime", "k8sshortname": "k8s-short-name", "": "", "-": "", "date time": ""} {
		if f := formats.Find(name); f == nil && want != "" || f != nil && f.Name != want {
			t.Errorf("%q is %v, want %q", name, f, want)
		}
	}
}
