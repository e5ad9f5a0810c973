package input

import (
	"strconv"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/outcomes"
)

// Fingerprint adds to sum all that decides what Each reads for args, apart from standard input: the names of the files,
// how they were found, and their contents. It returns an error if one of them cannot be read, or not twice.
func Fingerprint(sum *outcomes.Sum, args []string) error {
	for _, f := range list(args) {
		if f.err != nil {
			return f.err
		}
		sum.Text("input", f.name, strconv.FormatBool(f.listed))
		if f.name == stdinArg {
			continue
		}
		if err := sum.File("content", f.name); err != nil {
			return err
		}
	}
	return nil
}
