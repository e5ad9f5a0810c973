package lspcmd

import (
	"context"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/input"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Work that is stopped while it reads or compiles a CRD leaves nothing behind: the next work does it again, once.
func TestStoppedWorkIsDoneAgain(t *testing.T) {
	w, src := newWorkspace(nil), &input.Source{}
	w.meter = meter.New(1)
	read, compiled := 0, 0
	fail := func() { w.fail(src)(src, []structural.Finding{{Message: "the run exceeds a limit"}}) }
	d := w.remembered(src, manifest.Definition{
		CRDs: func() []*structural.CRD {
			if read++; w.meter.Spent() {
				fail()
				return nil
			}
			return []*structural.CRD{{}}
		},
		Compile: func(*structural.CRD) ([]prunert.Resource, error) {
			if compiled++; w.meter.Spent() {
				fail()
				return nil, manifest.ErrReported
			}
			return []prunert.Resource{{}}, nil
		},
	})
	c := &structural.CRD{}
	for _, stop := range []bool{true, false, false} {
		ctx, cancel := context.WithCancel(t.Context())
		done := w.within(ctx, func() {
			if stop {
				cancel()
				for !w.meter.Spent() {
				}
			}
			if crds := d.CRDs(); (len(crds) == 0) != stop {
				t.Errorf("%d CRDs", len(crds))
			}
			if all, err := d.Compile(c); (len(all) == 0) != stop || (err != nil) != stop {
				t.Errorf("%d resources, %v", len(all), err)
			}
		})
		cancel()
		if done == stop || len(w.late) > 0 {
			t.Errorf("done: %t; said: %v", done, w.late)
		}
	}
	if read != 2 || compiled != 2 {
		t.Errorf("read %d times, compiled %d times", read, compiled)
	}
}
