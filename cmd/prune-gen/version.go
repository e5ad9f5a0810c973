package main

import (
	"fmt"
	"runtime"
	"strings"
)

// mirrored is the version of k8s.io/apiextensions-apiserver that prune-gen behaves like.
const mirrored = "v0.37.2"

// runVersion prints the versions that a bug report needs.
func runVersion(env *environment, args []string) error {
	fl := newFlags("version", "", "Print the version of prune-gen, of the Go it was built with, and of the Kubernetes it mirrors.")
	args, err := fl.parse(env, args)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return fl.errorf("unexpected argument %q", args[0])
	}
	fmt.Fprintf(env.stdout, "prune-gen %s\n", buildVersion())
	fmt.Fprintf(env.stdout, "built with %s for %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(env.stdout, "mirrors k8s.io/apiextensions-apiserver %s, Kubernetes %s\n", mirrored,
		strings.Replace(mirrored, "v0.", "v1.", 1))
	return nil
}
