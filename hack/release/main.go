// Release makes the files that the archives of a release have besides the program.
//
//	release files DIR [one|all]  licences, completion scripts and man pages; with the programs for built-in kinds that are built
//	release sbom PROGRAM FILE    what a program was built from, as CycloneDX
//	release vsix DIST            the extension for Visual Studio Code, added to what GoReleaser has built
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal("release: ", err)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "files":
		return writeFiles(args[1], "")
	case len(args) == 3 && args[0] == "files":
		return writeFiles(args[1], args[2])
	case len(args) == 3 && args[0] == "sbom":
		return writeSBOM(args[1], args[2])
	case len(args) == 2 && args[0] == "vsix":
		return writeVSIX(args[1])
	}
	return fmt.Errorf("what to make? %q", args)
}
