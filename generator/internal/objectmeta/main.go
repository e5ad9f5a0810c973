// Objectmeta writes the functions of the runtime that work on metadata into the current directory. ObjectMeta is a schema like
// any other, so they are generated like any others. The packages of the runtime call it with go generate.
package main

import (
	"fmt"
	"os"

	"github.com/prune-gen/prune-gen/generator"
)

func main() {
	if err := run(os.Getenv("GOPACKAGE")); err != nil {
		fmt.Fprintln(os.Stderr, "objectmeta:", err)
		os.Exit(1)
	}
}

func run(pkg string) error {
	file, err := generator.ObjectMeta(pkg)
	if err != nil {
		return err
	}
	return os.WriteFile(file.Name, file.Content, 0o666)
}
