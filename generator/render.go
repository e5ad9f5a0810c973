package generator

import (
	"errors"
	"go/format"
	"sync/atomic"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/source"
)

// The limits for the bytes of source, in one package and in all packages of a call.
const (
	maxPackageBytes = 16 << 20
	maxCallBytes    = 64 << 20
)

var (
	errPackageBytes = errors.New("the package would exceed the limit of 16 MiB of source")
	errCallBytes    = errors.New("with this package, all packages together would exceed the limit of 64 MiB of source")
)

// budget counts the bytes of the files of a package while they are rendered.
type budget struct {
	pkg  atomic.Int64
	call *atomic.Int64 // of all packages of the call
}

// newBudget returns the budget for a package of a call whose other packages have as many bytes as call says.
func newBudget(call *atomic.Int64) *budget { return &budget{call: call} }

// room returns an error if n more bytes exceed a limit.
func (b *budget) room(n int) error {
	switch {
	case b.pkg.Load()+int64(n) > maxPackageBytes:
		return errPackageBytes
	case b.call.Load()+int64(n) > maxCallBytes:
		return errCallBytes
	}
	return nil
}

// add counts n bytes and returns an error if they exceed a limit.
func (b *budget) add(n int) error {
	b.pkg.Add(int64(n))
	b.call.Add(int64(n))
	return b.room(0)
}

// render returns a file, formatted. If the file or those before it exceed the budget, the error is errPackageBytes or
// errCallBytes; other errors are a *source.Error.
func (b *budget) render(f emit.File, name string) (File, error) {
	if err := b.room(0); err != nil {
		return File{}, err
	}
	text, err := f.Source()
	if err != nil {
		return File{}, &source.Error{File: name, Message: err.Error()}
	}
	// Formatting takes many times the memory of the source, and never makes the text between white space shorter.
	if err := b.room(countText(text)); err != nil {
		return File{}, err
	}
	content, err := format.Source(text)
	if err != nil {
		return File{}, source.NewError(File{Name: name, Content: text}, err)
	}
	// Other files may have been rendered at the same time.
	if err := b.add(len(content)); err != nil {
		return File{}, err
	}
	return File{Name: name, Content: content}, nil
}

// countText counts the bytes that are not white space.
func countText(text []byte) int {
	n := 0
	for _, c := range text {
		if c > ' ' {
			n++
		}
	}
	return n
}

// tooManyBytes returns the finding for an error of the budget, about the first kind of the package, which has that many. It
// returns other errors as they are.
func tooManyBytes(err error, first Input, kinds int) error {
	switch {
	case errors.Is(err, errPackageBytes):
		return tooLarge(first, err.Error(), fewer(kinds))
	case errors.Is(err, errCallBytes):
		return tooLarge(first, err.Error(), fewerPackages)
	}
	return err
}
