package generator

import (
	"go/format"
	"sync/atomic"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/internal/base/gosource"
	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// renderer renders the files of a package, several at the same time. Formatting and type-checking them takes many times the memory of
// their source: while the package is made, a byte of it is a unit of work.
type renderer struct {
	meter *meter.Meter
	held  atomic.Int64
}

// render returns a formatted file. If the run exceeds a limit, the error is that of the meter; other errors are a *gosource.Error.
func (r *renderer) render(f emit.File, name string) (File, error) {
	if err := r.meter.Err(); err != nil {
		return File{}, err
	}
	text, err := f.Source()
	if err != nil {
		return File{}, &gosource.Error{File: name, Message: err.Error()}
	}
	r.held.Add(int64(len(text)))
	if !r.meter.Spend(len(text)) {
		return File{}, r.meter.Err()
	}
	content, err := format.Source(text)
	if err != nil {
		return File{}, gosource.NewError(File{Name: name, Content: text}, err)
	}
	return File{Name: name, Content: content}, nil
}

// done refunds what is held, except for the files.
func (r *renderer) done() {
	held := int(r.held.Load())
	r.meter.Refund(held - held/meter.UnitBytes)
}
