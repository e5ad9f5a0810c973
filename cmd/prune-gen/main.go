// Prune-gen generates Go functions from CustomResourceDefinitions that treat objects as the Kubernetes API server does: they
// prune unknown fields, fill in defaults, and validate.
//
// Usage:
//
//	prune-gen <command> [flags] CRD...
//
// The commands are:
//
//	generate    write Go functions that prune, normalize and validate the objects of each kind
//	verify      compare the generated files with what generate would write
//	lint        report, with file and line, why the API server would refuse a CRD, and where it loses data
//	validate    report, with file and line, what the API server would drop and refuse in manifests
//	prune       print manifests without what the API server would drop, or as it would store them
//	explain     print the schema of a CRD as a tree, or as a page to try manifests on
//	diff        report what changes for users of a CRD, and whether it breaks them
//	test        test CRDs with suites and fixtures, without an API server
//	schema      print or write JSON Schemas, for editors and other validators
//	skeleton    print the skeleton of each schema
//	project     write a function that drops from objects in a cache what a list does not keep
//	lsp         answer in editors while people type: a language server
//	version     print the version of prune-gen and of the Kubernetes it mirrors
//	completion  print a script that completes command lines in bash, zsh, fish or PowerShell
//	help        print the manual of a command
//
// A CRD is a file, a directory, or - for standard input. A file is YAML with any number of documents, or JSON. CRDs in lists, of
// kind List or CustomResourceDefinitionList, are read too. A directory stands for all *.yaml, *.yml and *.json files in it, at any
// depth; links to files are followed, links to directories are not. Documents that are not CRDs are skipped and counted. So
// are files in a directory that are not YAML and do not mention CustomResourceDefinition: most of them are templates of
// something else. A file that is named twice is read once. A pattern such as crds/*.yaml stands for the files that it
// matches, also in a go:generate directive, where no shell expands it. A file or directory in a Go module can be named by its import
// path, such as github.com/cert-manager/cert-manager/deploy/crds: in the version that the current module requires, or in the version
// after an @, as in github.com/cert-manager/cert-manager@v1.21.2/deploy/crds, if it is in the module cache. Nothing is downloaded.
//
// prune-gen help COMMAND prints the manual of a command, with all its flags. This page has what commands have in common, and the
// details that the manuals leave out. The pages in docs are for people who have a job to do: docs/operator.md generates code, docs/crds.md
// lints, compares and explains CRDs, docs/manifests.md validates and prunes manifests and has what JSON Schemas leave out, and docs/output.md
// has the formats, the streams, the exit status and the ids of findings.
//
// # Generate and verify
//
// The files go to the directory that --output-dir names, by default the current one. --group, --crd-version and --kind select
// groups, versions and kinds. All three can be repeated, and a kind can be written as GROUP/KIND. If a flag is missing, the Go
// package in the directory decides, if there is one, as for controller-gen: its group is that of its marker
//
//	// +groupName=apps.example.com
//
// and its version is its name, for example v1, or that of its marker +versionName. It is an error if no CRD has that group or
// version, or if CRDs of several groups would go into one package, unless --group or --kind GROUP/KIND asks for them.
//
// With --layout flat, the files of one version go to the directory itself. With --layout versions, the files of each version go
// to a subdirectory named after it. With --layout groups, they go to GROUP/VERSION; so they do with --layout versions if there are
// several groups and no package has a marker. The default, auto, is flat for one version and versions for several: choose a
// layout if adding a version or a group must not move the files of the others. Files that another layout has left are reported,
// not removed.
//
// Only kinds with a status subresource get the function status, and only kinds with CEL rules get rules. With --semantics kep-2332,
// preserved subtrees are read as in that document, not as in the API server. With --share-across-kinds, the kinds of a package share
// equal functions, in files such as zz_generated.prune_shared.go. --register makes the kinds known to prunert.Lookup in every program
// that imports the package.
//
// Generate writes nothing if there is an error. It writes all new contents to temporary files, .prune-gen-*, and then renames
// these: each file is whole or untouched, and if a rename fails, the error says which files were replaced. The generated files
// are compiled first, by themselves, then together with the Go package in their directory. It is an error if both declare the same
// name, or if a file to be replaced was not made by prune-gen. The files are written, with a warning that says what to do, if the package does not
// compile for other reasons, if there is no go command or no module yet, or if the module does not require the runtime. The go command never
// downloads anything. Files that have not changed are not touched. Files of an earlier run in the same directory that this run does not make, for a
// kind that is gone or a function that is not selected, are removed, unless --keep-stale is given. Under go generate they are emptied instead,
// because it fails if a file that it has listed is gone: only the package clause stays, under a build constraint that is never met. Delete the
// emptied files; no run removes or changes them. If no CRD is left for a package, generate reports an error and changes nothing: remove the call and
// the files.
//
// With --output json, sarif or github, verify prints a finding with the id files/stale for each file that differs, instead of a
// diff. A file that generate has emptied counts as removed. A directive that cannot be checked is a finding with the id
// package/directive. If the package in the directory has the Go types of the kinds, both commands warn where they differ from the
// schemas, as lint --types does.
//
// # Project
//
// The function goes to zz_generated.project.NAME.go in the output directory, which is compiled with the package there before anything is written. The
// package need not compile without it. docs/memory.md says what is in a list, and what to do before one is needed.
// A list that --init has written promises nothing but what its heading says; --init replaces no file, and writes nothing if there is an error.
//
// # Lint
//
// For a CRD without errors, lint prints a line: its name, its kind, for each version the number of fields, whether it is served and
// stored, and whether objects are pruned, and the number of CEL rules. For other CRDs it prints all errors, with the API server's own
// text.
//
// # Validate
//
// Unknown and duplicate fields are errors, as for kubectl. The server refuses such an object without validating it; this command
// validates it anyway. With --field-validation Warn they are warnings, with Ignore they are not reported.
//
// The CRDs are those that --crd names. Without it they are those among the manifests, wherever they are: each file is then read twice, and
// counts twice against the limits. With --crd - and -, both come from standard input.
//
// If the CRDs have the group of an object but not its kind or version, that is an error. Objects of other kinds without a CRD are
// counted, and their kinds are named at the end; with --strict-kinds the first object of each such kind is an error. Objects of
// built-in kinds are counted apart. In a directory, documents without apiVersion and kind are skipped, and so are files that are not
// YAML and do not mention a group of the CRDs: templates, for example.
//
// The server refuses to create an object with a resourceVersion. The output of kubectl get has one in each object, and most people who
// validate it ask about the rest: the first one in a file is a warning, and the objects are validated without it. An old object of
// another version is converted by changing its apiVersion, as for CRDs without a conversion webhook. Objects of more than 3 MiB as JSON
// are refused, as by the server.
//
// # Prune
//
// The comments of a field are removed with it: those beside it, those below it that are indented deeper, and those directly above it.
// The result is read again and compared with the objects that the API server would store.
//
// An anchor cannot be removed while it is used: it is an error if an anchor is in a field that is dropped and an alias elsewhere is
// kept, or if a map has an anchor and loses fields in one place that it keeps in another. Write the value out then. If a key
// appears twice, the last one stays, with a warning.
//
// A JSON list that is larger than 16 MiB is read one item at a time, and no item can be larger than that. With -w, links are followed, a
// file that would not change is not touched, and each file is replaced whole; if one cannot be replaced, the error says which were.
//
// # Explain and diff
//
// Elements of lists and values of maps are part of the field that has them; what explain says about them begins with "each". The
// engine in an HTML page is this program as WebAssembly. Releases have it built in. Any other build compiles it with the go command, from
// the sources of prune-gen in a checkout or in the module cache; the first page takes a minute, others a second or two. Nothing is
// downloaded. Diff does not list fields below a removed field. Lines are those of the new file; the hint has the line in the old one.
//
// # Leaving out
//
// --exclude keeps files and directories from being read, such as the templates of a Helm chart. Its pattern is compared with the
// consecutive names in a path: charts matches every file or directory of that name, and charts/*/templates/*.yaml matches such paths
// below any directory. * matches a part of a name, ** any number of names.
//
// --disable leaves out findings by their ids, --severity changes their severity, and a comment in the YAML leaves out a finding on its line:
// see docs/output.md. The file prune-gen.yaml gives values to flags that the command line does not set: see docs/config.md.
//
// # Limits
//
// The limits keep a command below 500 MB of memory and 10 seconds, whatever it reads. A stream of JSON objects can have any length,
// and takes up to half a second for each million bytes, twice as long in diff:
//
//	64 MiB of text           of a run
//	50,000 documents         of a run
//	20,000,000 units         of a run: the work on what it reads
//	512 levels               of nesting in a document
//	1,000 findings           of a file are shown, or fewer if their texts are long
//	1,000 bytes              of the name of a property, in generated code
//	1 MiB                    of prune-gen.yaml
//	64 KiB                   of a header
//
// A unit of work is a step that takes less than a microsecond, such as applying a keyword to a value; or 16 bytes of memory; or a unit in
// which the API server counts the cost of CEL rules. Exceeding a limit of the run is an error about the file, the CRD or the object, and
// nothing more is read or answered:
//
//	crd.yaml:1:1: error: too large: the run exceeds the limit of 20000000 units of work; raise it with --limit 2 [text/too-large]
//
// --limit N raises the limits of a run to N times as much, up to 65,535. Memory and time grow with them. The error names an N that is
// enough for the text and the documents; how much work is left can only be estimated. For comparison: the CRDs of Argo Workflows, 7.4 MB,
// take 6,000,000 units to lint, and an HTTPRoute of Gateway API with 50 values takes 1,500 to validate.
//
// With patterns for packages, the CRDs of all directives that verify checks are one run. JSON is read
// as a stream, object by object, unless prune normalizes it or shows a diff: its bytes and units are refunded after
// each object, so that a list can have any size. An object can have 16 MiB, and so can YAML that begins like JSON.
//
// # Colour
//
// Text is coloured on a terminal, unless NO_COLOR is set or TERM is dumb. --color=always and --color=never override this.
// Characters that a terminal would act on are printed as escapes.
package main

import (
	"os"
	"runtime/debug"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/interrupt"
)

// softMemory is the amount of memory above which garbage is collected more often. CRDs can be large, and the machines that
// run prune-gen in CI are small. The limits on what is read keep the rest below it. An allocation can exceed it once, by its size: by 80 MB
// when the YAML parser appends to a string of 64 MB.
const softMemory = 400 << 20

// lazyGC is how much the heap grows, in percent, before garbage is collected below softMemory: most runs end before.
const lazyGC = 400

func main() {
	limitMemory()
	interrupt.Watch()
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// limitMemory sets how much memory the process uses, unless the environment says so.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(lazyGC)
	}
}
