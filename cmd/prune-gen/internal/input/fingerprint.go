package input

import (
	"strconv"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/outcomes"
)

// Fingerprint adds to sum all that decides what Each reads for args: the names of the files, how they were found, and their
// contents. It returns an error if one of them cannot be read, or not twice. The content of standard input is stdin.
func Fingerprint(sum *outcomes.Sum, args []string, stdin []byte) error {
	for _, f := range list(args) {
		if f.err != nil {
			return f.err
		}
		f.fingerprint(sum)
		var err error
		if f.name == stdinArg {
			err = sum.Content("content", stdin)
		} else {
			err = sum.File("content", f.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Fingerprint adds to sum what was read. For all sources in order it is what the function of this name adds, unless somebody
// has changed a file in between.
func (src *Source) Fingerprint(sum *outcomes.Sum) {
	src.from.fingerprint(sum)
	sum.Hash("content", src.hash)
}

// fingerprint adds the name of a file, and how it was found.
func (f file) fingerprint(sum *outcomes.Sum) {
	sum.Text("input", f.name, strconv.FormatBool(f.listed))
}
