// Package drive is the body of programs that run our server and the API server of CRDs, for the kinds whose code is linked into
// them, and compare or measure the two.
//
//	program parity CRDS OBJECTS...      the same requests to both
//	program serve ours|theirs N CRDS    one of them, as it runs in earnest, with N copies of the first kind, commanded over its
//	                                    standard input
package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/prune-gen/prune-gen/examples/apiserver/serve"
)

// Main is main.
func Main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) > 2 && args[0] == "parity":
		return runParity(ctx, args[1], args[2:])
	case len(args) == 4 && args[0] == "serve":
		kinds, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		return runServer(ctx, Side(args[1]), kinds, args[3])
	}
	return errors.New("usage: program parity CRDS OBJECTS..., or program serve ours|theirs N CRDS")
}

// load reads the CRDs in a directory.
func load(dir string) (crds [][]byte, definitions []*serve.Definition, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, nil, fmt.Errorf("no CRDs in %s: %v", dir, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		found, err := serve.Definitions(data)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		crds = append(crds, data)
		definitions = append(definitions, found...)
	}
	return crds, definitions, nil
}
