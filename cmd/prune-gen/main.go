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
//	lint       say, with file and line, why a schema is not structural
//	skeleton   print the skeleton of each schema
//	version    print the version of prune-gen and of the Kubernetes it mirrors
//	help       print the manual of a command
//
// A CRD is a file, a directory, or - for standard input. A file is YAML with any number of documents, or JSON; a List and
// a CustomResourceDefinitionList are opened. In a directory every *.yaml, *.yml and *.json file is read, at any depth; a
// link to a file is followed, a link to a directory is not. Documents that are not CRDs are passed over and counted, and
// so is a file in a directory that cannot be read as YAML and does not mention CustomResourceDefinition, which is mostly
// the template of something else. A file that is named twice is read once.
//
// # Generate
//
//	prune-gen generate [--output-dir DIR] [--crd-version VERSION] [--kind KIND] [flags] CRD...
//
// Generate writes a file for each kind, zz_generated.prune.<kind>.go, with the functions
//
//	func PruneCronTab(obj map[string]any)                   // drop what the schema does not specify, in metadata too
//	func PruneCronTabReport(obj map[string]any) []string    // the same, and the dropped paths, sorted
//	func CheckCronTab(obj map[string]any) prunert.ErrorList // values of the wrong type; nil when there are none
//
// and the variable CronTabResource, which holds them. It is mostly called by go generate:
//
//	//go:generate go tool prune-gen generate --crd-version v1 ../../config/crd/bases
//
// The files go to the directory that --output-dir names, which is the current one by default; where several versions are
// chosen, to one of its subdirectories each, named after the version. With --crd-version only some versions are chosen,
// with --kind only some kinds; both can be repeated. The package is called like the Go package that is there already, else
// like $GOPACKAGE, which go generate sets, else like the version, unless --package has a name for it.
//
// With --emit only some of the functions are generated: prune, report or check. With --semantics kep-2332 preserved
// subtrees are read as in that document, and not as in the API server. With --register there is one more file, which makes
// the kinds known to prunert.Lookup as soon as a program imports the package. With --header-file a text is put at the top
// of each file as a comment, with --build-tag a build constraint.
//
// Nothing is written unless all is right. What was generated is type-checked, first by itself, then together with the Go
// package that is there. A name that both declare is an error, and so is a file of that name that prune-gen did not make.
// Where the package does not compile for reasons of its own, there is no module yet, or the module does not require the
// runtime, the files are written all the same, and a warning says what to do. The go command is never allowed to download
// anything. Files that have not changed are not touched. Files that an earlier call has generated into the same directory
// and this one has not are removed, unless --keep-stale is given.
//
// With --dry-run the command says what it would do, with --dump-plan it prints the decisions that the code follows from:
// what is kept, dropped and walked for each kind.
//
// # Verify
//
//	prune-gen verify [--output-dir DIR] [--crd-version VERSION] [--kind KIND] [flags] CRD...
//
// Verify takes the flags of generate and compares what that would write with what is there. Where a file differs, is
// missing or is no longer wanted, it prints a unified diff and exits with status 1; with --output json, sarif or github
// there is a finding for each such file instead.
//
// # Lint
//
//	prune-gen lint [--output text|json|sarif|github] [--strict] [--condition] [--quiet] CRD...
//
// Lint checks each version of each CRD. For one that is in order it prints a line: the CRD's name, its kind, and for each
// version the number of fields, whether it is served and stored, and whether objects are pruned. For one that is not it
// prints every reason, in the words of the API server, with the line of the file and, where there is something to say, a
// hint how to put it right:
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
//	{"findings": [{"file", "line", "column", "crd", "version", "severity", "path", "message", "hint"}]}
//
// where line and column count from 1 and are 0 where only the file is known, severity is error or warning, message is the
// API server's whole text with the path first, and hint is absent where there is none. With --output sarif they are a
// SARIF 2.1.0 log, with --output github workflow commands that GitHub shows beside the lines of a pull request.
//
// With --strict a warning counts as an error. With --condition the NonStructuralSchema condition is added that Kubernetes
// puts into the status of such a CRD; in JSON it is under "conditions".
//
// # Skeleton
//
//	prune-gen skeleton [--format yaml|json] [--crd-version VERSION] CRD...
//
// Skeleton prints, for each version, the skeleton of its schema as KEP-24 defines it: what is left of the schema when
// only the fields that it specifies matter. A schema that has none is refused; the reasons go to standard error in the
// form that --output asks for, and the skeletons of the others are printed all the same.
//
// # Colour
//
// Text is coloured on a terminal, unless NO_COLOR is set or TERM is dumb; --color=always and --color=never decide it.
// Characters that would act on a terminal are printed as escapes, wherever they come from.
//
// # Exit status
//
//	0  all is well
//	1  the input is at fault
//	2  the command line is at fault
//	3  prune-gen is at fault, or its output could not be written
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
