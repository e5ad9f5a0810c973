// Prune-gen reads CustomResourceDefinitions and says what Kubernetes would make of them.
//
// Usage:
//
//	prune-gen <command> [flags] CRD...
//
// The commands are:
//
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
