// Package run is the conformance suite as a program: it loads CRDs, compares, and prints the scoreboard.
package run

import (
	"flag"
	"fmt"
	"io"
	"runtime"
)

// Options says what to compare, and how much of it.
type Options struct {
	// Seed is where the numbers begin that objects and mutations are made from.
	Seed uint64
	// Objects is how many objects there are for each version of a CRD, Total how many there are in all at least.
	Objects, Total int
	// Keywords is for how many keywords of each schema there is an object more that violates it.
	Keywords int
	// Mutations is how many mutations of each schema are compared.
	Mutations int
	// Random is how many random CRDs join the corpus.
	Random int
	// RandomRules is how many CRDs with random CEL rules join the corpus.
	RandomRules int
	// Sample takes about one of so many files of the corpus; with 0 there is no corpus.
	Sample int
	// Golden is the folder of the golden cases, whose CRDs join the corpus; none where it is empty.
	Golden string
	// Function, CRD and Version leave only the function of that name, the CRD with that key and the version of that name.
	Function, CRD, Version string
	// JSON is the file that the scoreboard is written to.
	JSON string
	// Generate reports whether code is generated and compared, Overlay is an overlay to compile it with, as go build takes
	// them.
	Generate bool
	Overlay  string
	Workers  int
}

// Parse reads the options from a command line.
func Parse(name string, args []string, stderr io.Writer) (Options, error) {
	var o Options
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Uint64Var(&o.Seed, "seed", 1, "`number` that objects and mutations are made from")
	fs.IntVar(&o.Objects, "objects", 100, "`number` of objects for each version of a CRD")
	fs.IntVar(&o.Total, "total", 0, "`number` of objects in all, at least")
	fs.IntVar(&o.Keywords, "keywords", 100, "`number` of keywords of each schema, for each of which there is one object more that violates it")
	fs.IntVar(&o.Mutations, "mutations", 10, "`number` of mutations of each schema")
	fs.IntVar(&o.Random, "random", 200, "`number` of random CRDs beside those of the corpus")
	fs.IntVar(&o.RandomRules, "random-rules", 10, "`number` of CRDs with random CEL rules beside those of the corpus")
	fs.IntVar(&o.Sample, "sample", 1, "take one of this `number` of files of the small modules of the corpus; 0 takes none, 1 everything")
	fs.StringVar(&o.Golden, "golden", "", "`folder` with more CRDs")
	fs.StringVar(&o.Function, "function", "", "compare only this function (`name` as on the scoreboard)")
	fs.StringVar(&o.CRD, "crd", "", "compare only the CRD with this `key`, as failures name it")
	fs.StringVar(&o.Version, "version", "", "compare only the version of this `name`")
	fs.StringVar(&o.JSON, "json", "", "write the scoreboard to this `file`, too")
	fs.BoolVar(&o.Generate, "generate", true, "generate code for every CRD, compile and compare it")
	fs.StringVar(&o.Overlay, "overlay", "", "compile generated code with the replacements in this JSON `file` (see go help build)")
	fs.IntVar(&o.Workers, "workers", runtime.NumCPU(), "`number` of comparisons at a time")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	return o, nil
}

// sources is the part of a command line that decides which CRDs there are.
func (o Options) sources() string {
	text := ""
	if o.Random != 200 {
		text += fmt.Sprintf(" --random %d", o.Random)
	}
	if o.RandomRules != 10 {
		text += fmt.Sprintf(" --random-rules %d", o.RandomRules)
	}
	if o.Sample != 1 {
		text += fmt.Sprintf(" --sample %d", o.Sample)
	}
	return text
}
