// Prune-gen turns CustomResourceDefinitions into Go functions that prune and check objects as Kubernetes does.
//
// Usage:
//
//	prune-gen <command> [flags] CRD...
//
// The commands are:
//
//	generate   write Go functions that prune and check the objects of each kind
//	verify     compare the generated files with what generate would write
//	lint       report, with file and line, why the API server would refuse a CRD, and where it loses data
//	skeleton   print the skeleton of each schema
//	version    print the version of prune-gen and of the Kubernetes it mirrors
//	help       print the manual of a command
//
// A CRD is a file, a directory, or - for standard input. A file is YAML with any number of documents, or JSON. A List and
// a CustomResourceDefinitionList are opened. A directory stands for all *.yaml, *.yml and *.json files in it, at any
// depth; a link to a file is followed, a link to a directory is not. Documents that are not CRDs are passed over and
// counted, and so are files in a directory that are not YAML and do not mention CustomResourceDefinition: most of them are
// templates of something else. A file that is named twice is read once. A pattern such as crds/*.yaml stands for the files
// that it matches, also in a go:generate directive, where no shell expands it.
//
// # Generate
//
//	prune-gen generate [--output-dir DIR] [--group GROUP] [--crd-version VERSION] [--kind KIND] [flags] CRD...
//
// Generate writes, for each kind, the functions
//
//	func PruneCronTab(obj map[string]any)                   // drop what the schema does not specify, in metadata too
//	func PruneCronTabReport(obj map[string]any) []string    // the same, and the dropped paths, sorted
//	func CheckCronTab(obj map[string]any) prunert.ErrorList // values of the wrong type; nil when there are none
//
// and the variable CronTabResource, which holds them. There is a file for each kind and pass:
//
//	zz_generated.prune.<kind>.go        the resource, pruning and its report
//	zz_generated.prune_check.<kind>.go  the check
//
// The functions change objects in place: copy what comes from a cache. They take objects of their own kind and version,
// which CronTabResource.Matches reports, as a JSON decoder of the Kubernetes API machinery makes them.
//
// Most users call it from go generate:
//
//	//go:generate go tool prune-gen generate ../../config/crd/bases
//
// The files go to the directory that --output-dir names, the current one by default. --group, --crd-version and --kind
// select groups, versions and kinds; all can be repeated, and a kind can be written GROUP/KIND. What they leave open, the Go
// package in the directory decides, if there is one, as controller-gen reads it: the group is that of its marker
//
//	// +groupName=apps.example.com
//
// and the version is its name, v1 for example, or that of its marker +versionName. A package of a group or version that no
// CRD has is an error, and so are CRDs of several groups for one package, unless --group or --kind GROUP/KIND asks for them.
//
// With --layout flat the files of one version go to the directory itself, with --layout versions those of each version to a
// subdirectory named after it. The default, auto, is flat for one version and versions for several: choose a layout if a
// version that is added must not move the others. Files that another layout has left behind are reported, not removed.
//
// The package has the name that --package gives it, else that of the Go package in the directory, else $GOPACKAGE, which go
// generate sets, else that of the version.
//
// --emit selects the functions: prune, report, check, normalize, default, fields, validate, update, status or metadata, by default
// all. The file with the resource is always written, that of another pass only if a function of it is selected. With --semantics kep-2332 preserved subtrees are read as in that
// document, not as in the API server. A kind has its functions for itself, so that a change to one kind leaves the files of
// the others alone; with --share-across-kinds the kinds of a package share what is equal, in files of its own
// (zz_generated.prune_shared.go), which takes less code where many kinds embed the same types. --register adds a file that makes the kinds known to prunert.Lookup in every program
// that imports the package. --header-file puts a text at the top of each file, as a comment, and --build-tag a build
// constraint.
//
// Nothing is written unless all is right, and then all of it: after a full disk or a signal the files are as they were, and
// what a run leaves behind that was killed is undone by the next one. The generated files are compiled, first by themselves, then together with the Go
// package in their directory. A name that both declare is an error, and so is a file of the same name that prune-gen did not
// make. The files are written, with a warning that says what to do, if the package does not compile for reasons of its own,
// if there is no module yet, or if the module does not require the runtime. The go command never downloads anything. Files
// that have not changed are not touched. Files from an earlier call in the same directory that this call does not make, for
// a kind that is gone or a pass that is not selected, are removed, unless --keep-stale is given. While go generate runs they
// are emptied instead, since it has listed them already and fails if it cannot read one: nothing but the package clause is
// left, under a build constraint that is never met. The next call removes them.
//
// What a CRD that was made to be large can ask for is refused: more than 20,000 functions, 100,000 fields or 16 MiB in a
// package, more than 100,000 functions, 500,000 fields or 64 MiB in all packages of a call, a property with a name of more
// than 1,000 bytes.
//
// --dry-run prints what would be done. --dump-plan prints the decisions behind the code: what is kept, dropped and walked
// for each kind.
//
// # Verify
//
//	prune-gen verify [--output-dir DIR] [--group GROUP] [--crd-version VERSION] [--kind KIND] [flags] CRD...
//
// Verify takes the flags of generate and compares what that would write with the files in the directory. If a file differs,
// is missing or is no longer wanted, verify prints a unified diff and exits with status 1; with --output json, sarif or
// github it prints a finding for each such file instead, of the rule files/stale. A file that generate has emptied is as
// good as removed.
//
// # Unchanged input
//
// Generate and verify keep the outcome of each run that succeeds and leaves nothing to do. A later run prints it again and does
// no work if nothing has changed that decides it: prune-gen itself, the command line, the names and contents of the CRDs, the Go
// files in the output directory and the directories in it, the current directory, and the environment variables of the go
// command. Findings are printed again, too. Outcomes are in the folder prune-gen of the user's caches, $XDG_CACHE_HOME or
// ~/.cache on Linux, and go away 30 days after their last use. The environment variable PRUNE_GEN_CACHE names another folder by
// its absolute path, or is off; a relative path is off, too. All files are in a folder prune-gen-outcomes below it. A folder that
// cannot be written to is as good as none.
//
// # Lint
//
//	prune-gen lint [--output text|json|sarif|github] [--strict] [--condition] [--quiet] CRD...
//
// Lint reads each version of each CRD. For a CRD without errors it prints a line: the name of the CRD, its kind, and for
// each version the number of fields, whether it is served and stored, and whether objects are pruned; and how many CEL rules
// the CRD has, which are not compiled. For the others it
// prints all errors, in the words of the API server, with the line of the file and, for most of them, a hint:
//
//	crd.yaml:18:11: error: …properties[spec].type: Required value: must not be empty for specified object fields
//	   |
//	18 |           spec:
//	   |           ^^^^
//	   = crontabs.stable.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].type
//	   = hint: add type: object
//
// With --output json the findings are
//
//	{"findings": [{"rule", "file", "line", "column", "crd", "version", "severity", "path", "message", "hint"}]}
//
// where rule identifies the kind of finding, line and column count from 1 and are 0 if only the file is known, severity is
// error or warning, message is the API server's whole text with the path first, and hint is absent if there is none. With
// --output sarif they are a SARIF 2.1.0 log, with --output github workflow commands that GitHub shows beside the lines of a
// pull request.
//
// --strict counts warnings as errors. --condition adds the NonStructuralSchema condition that Kubernetes puts into the
// status of such a CRD; in JSON it is under "conditions".
//
// # Skeleton
//
//	prune-gen skeleton [--format yaml|json] [--crd-version VERSION] CRD...
//
// Skeleton prints, for each version, the skeleton of its schema as KEP-24 defines it: the fields that the schema specifies,
// and nothing else. Schemas without a skeleton are reported on standard error, in the format that --output selects; the
// skeletons of the others are printed all the same.
//
// # Colour
//
// Text is coloured on a terminal, unless NO_COLOR is set or TERM is dumb. --color=always and --color=never override this.
// Characters that a terminal would act on are printed as escapes, wherever they come from.
//
// # Exit status
//
//	0  all is well
//	1  the input is at fault, or the output could not be written
//	2  the command line is at fault
//	3  prune-gen is at fault
//
// A signal that ends generate while it writes gives 128 and its number, as in a shell.
package main

import (
	"os"
	"runtime/debug"
)

// softMemory is how much memory the program takes before it collects garbage more often. CRDs can be large, and the machines
// that run it in CI are not.
const softMemory = 384 << 20

// lazyGC is by how much the heap may grow before garbage is collected, in percent. The program lives for a second, and most of
// what it makes lives as long; the limit above holds all the same.
const lazyGC = 400

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(lazyGC)
		}
	}
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
