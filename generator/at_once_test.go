package generator

import (
	"errors"
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/workers"
)

func TestFilesThatAreMadeAtOnceKeepTheirOrder(t *testing.T) {
	var all []func() (File, error)
	for i := range 100 {
		all = append(all, func() (File, error) { return File{Name: fmt.Sprint(i)}, nil })
	}
	files, err := atOnce(all)
	if err != nil || len(files) != 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for i, f := range files {
		if f.Name != fmt.Sprint(i) {
			t.Fatalf("file %d is %s", i, f.Name)
		}
	}
	if files, err := atOnce(nil); err != nil || len(files) != 0 {
		t.Errorf("%d files of none, %v", len(files), err)
	}
}

// The reported error is the first in the order of the files, whichever file is made first.
func TestTheFirstFaultOfFilesThatAreMadeAtOnceCounts(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	fails := func(err error) func() (File, error) { return func() (File, error) { return File{}, err } }
	fine := fails(nil)
	if _, err := atOnce([]func() (File, error){fine, fails(first), fine, fails(second)}); err != first {
		t.Errorf("the error is %v", err)
	}
	defer func() {
		if p, ok := recover().(*workers.Panic); !ok || p.Value != "first" {
			t.Errorf("recovered %v", p)
		}
	}()
	atOnce([]func() (File, error){fine, func() (File, error) { panic("first") }, fails(second)})
}
