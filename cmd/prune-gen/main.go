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
//	skeleton    print the skeleton of each schema
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
// # Generate
//
//	prune-gen generate [--output-dir DIR] [--group GROUP] [--crd-version VERSION] [--kind KIND] [flags] CRD...
//
// Generate writes functions for each kind and a variable, CronTabResource for example, that holds them. The functions are
//
//	prune        PruneCronTab             drop the fields that the schema does not specify, in metadata too
//	report       PruneCronTabReport       prune, and return the dropped paths, sorted
//	check        CheckCronTab             report values of the wrong type
//	normalize    NormalizeCronTab         do all that the API server does before it validates
//	default      DefaultCronTab           fill in defaults
//	fields       FieldsCronTab            list the fields that pruning keeps
//	json-prune   PruneCronTabJSON         append the pruned document to dst
//	json-report  PruneCronTabJSONReport   the same, and report what was dropped, and duplicate keys
//	json-stream  PruneCronTabStream       prune many documents, or lists of any length
//	json-decode  DecodeCronTabJSON        decode and prune in one pass
//	validate     ValidateCronTab          report what the schema does not allow
//	update       ValidateCronTabUpdate    the same for an update; errors in unchanged values are ignored
//	status       ValidateCronTabStatus    the same for an update of the status subresource
//	metadata     ValidateCronTabMetadata  report invalid values in metadata
//	rules        ValidateCronTabRules     evaluate CEL rules
//
// By default a kind gets prune, report, normalize, validate, update, status, metadata, rules. Only kinds with a status subresource get
// status, and only kinds with CEL rules get rules. --emit adds the functions that it names: json for the four on JSON, all for every
// function. --emit-only generates only the functions that it names and those that they need.
// There is a file for each kind and subject:
//
//	zz_generated.prune.<kind>.go            the resource, prune, report and fields
//	zz_generated.prune_check.<kind>.go      check
//	zz_generated.prune_normalize.<kind>.go  normalize and default
//	zz_generated.prune_json.<kind>.go       the functions on JSON
//	zz_generated.prune_validate.<kind>.go   validate, update, status and metadata
//	zz_generated.prune_rules.<kind>.go      rules
//
// The first is always written, the others only for the functions that are chosen.
//
// The functions change objects in place: copy objects that come from a cache. They take objects of their own kind and version,
// as CronTabResource.Matches reports, in the form that the JSON decoders of the Kubernetes API machinery return.
//
// Most users call generate from go generate, by a directive in a file of the package. Paths are relative to that file: this one is
// for kubebuilder's api/v1; in api/apps/v1 the path is ../../../config/crd/bases.
//
//	//go:generate go tool prune-gen generate ../../config/crd/bases
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
// The package has the name that --package gives it, else that of the Go package in the directory, else $GOPACKAGE, which go
// generate sets, else that of the version.
//
// With --semantics kep-2332, preserved subtrees are read as in that document, not as in the API server. Each kind has its own
// functions, so a change to one kind does not change the files of others; with --share-across-kinds, the kinds of a package
// share equal functions, in files such as zz_generated.prune_shared.go, which is less code if many kinds embed the same types.
// --register adds a file that makes the kinds known to prunert.Lookup in every program that imports the package. --header-file
// puts a text at the top of each file, as a comment, and --build-tag a build constraint.
//
// Generate writes nothing if there is an error. It writes all new contents to temporary files, .prune-gen-*, and then renames
// these: each file is whole or untouched, and if a rename fails, the error says which files were replaced. The generated files
// are compiled first, by themselves, then together with the Go package in their directory. It is an error if both declare the same name, or if prune-gen did not make a file that it would replace. The files
// are written, with a warning that says what to do, if the package does not compile for other reasons, if there is no module
// yet, or if the module does not require the runtime. The go command never downloads anything. Files that have not changed are
// not touched. Files of an earlier run in the same directory that this run does not make, for a kind that is gone or a function
// that is not selected, are removed, unless --keep-stale is given. Under go generate they are emptied instead, because it
// fails if a file that it has listed is gone: only the package clause stays, under a build constraint that is never met. Delete
// the emptied files; no run removes or changes them. If no CRD is left for a package, generate reports an error and changes nothing:
// remove the call and the files.
//
// If the package in the directory has the Go types of the kinds, generate warns where they differ from the schemas, by the rules
// of lint --types.
//
// Generate refuses CRDs that would become too much code, and names of properties of more than 1,000 bytes: see Limits.
//
// --dry-run prints what would be done. --dump-plan prints the decisions that the code follows: what is kept, dropped and walked
// for each kind.
//
// # Verify
//
//	prune-gen verify [--output-dir DIR] [--group GROUP] [--crd-version VERSION] [--kind KIND] [flags] CRD...
//	prune-gen verify [flags] PACKAGES...
//
// Verify takes the flags of generate and compares what generate would write with the files in the directory. It prints a unified
// diff for a file that differs, and a line for one that is missing or no longer wanted, and exits with status 1; with --output
// json, sarif, github or junit it prints a finding of the rule files/stale for each such file instead. A file that generate has
// emptied counts as removed. Like generate, verify warns where Go types differ from the schemas; with --strict such a warning is an
// error.
//
// The second form takes patterns for packages, such as ./..., and checks what every go:generate directive in them that calls
// prune-gen generate would write, with the flags of the directive. A directive that cannot be checked is a finding of the rule
// package/directive.
//
// # Lint
//
//	prune-gen lint [--types DIR] [--output text|json|sarif|github|junit] [--strict] [--condition] [--quiet] [--disable RULE] [--exclude GLOB] CRD...
//
// Lint reads each version of each CRD. For a CRD without errors it prints a line: its name, its kind, for each version the
// number of fields, whether it is served and stored, and whether objects are pruned, and the number of CEL rules. For other CRDs it
// prints all errors, with the API server's own text, the line of the file and, for most of them, a hint:
//
//	crd.yaml:18:11: error: …properties[spec].type: Required value: must not be empty for specified object fields [structural/type-required]
//	   |
//	18 |           spec:
//	   |           ^^^^
//	   = crontabs.stable.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].type
//	   = hint: add type: object
//
// With --output json the findings are
//
//	{"version": 1, "findings": [{"rule", "file", "line", "column", "crd", "version", "severity", "path", "message", "hint"}]}
//
// The version is that of the format. The rule identifies the kind of finding. Line and column count from 1 and are 0 if only the file
// is known. The severity is error, warning or note. The message is the API server's whole text with the path first. The hint is absent if
// there is none. With --output sarif the findings are a SARIF 2.1.0 log, with --output github workflow commands that GitHub shows
// beside the lines of a pull request, with --output junit a JUnit report.
//
// With --types, lint also compares the CRDs with the types in a Go package, in JSON, field by field. The flag can be repeated. The
// type of a kind has its name and the fields apiVersion, kind and metadata; nothing is reported about kinds without one. A package
// is compared with the CRDs of the group that its marker +groupName names, and with the version that its name or its marker
// +versionName is. The rules are
//
//	types/dropped   error    the schema does not have a field of the Go type: the API server drops it
//	types/mismatch  error    the schema does not accept the JSON of a Go field: int and string, for example
//	types/lost      warning  the Go type does not have a field of the schema: programs that use the type lose it
//	types/narrow    warning  the schema accepts values that a Go field cannot hold: such an object cannot be read
//
// Types with their own MarshalJSON or UnmarshalJSON can be anything, except those of Kubernetes that are known. The package need
// not compile; what is unknown because of that is not compared. The go command loads what it imports, and never downloads anything.
//
// --strict counts warnings as errors. --condition adds the NonStructuralSchema condition that Kubernetes puts into the status
// of such a CRD; in JSON it is under "conditions".
//
// # Validate
//
//	prune-gen validate --crd CRD... [--strict] [--strict-kinds] [--old FILE] [--old-dir DIR] [flags] FILE...
//
// Validate reports what the API server would answer if the objects in manifests were created. A manifest is a file with any number
// of YAML documents, JSON, or lists, of kind List or of the list kind of a CRD; a directory; or - for standard input, which
// must not be empty. The output of kubectl get -o yaml and helm template can be read as it is. --crd names the CRDs,
// as arguments of lint do; it can be repeated.
//
// What the API server warns of is a warning, such as a field that the schema does not specify and that would be dropped. What it
// refuses is an error for each cause, with its own text. Each finding has the place of the field and, where possible, a hint: the
// field or the value that was probably meant, or what to write.
//
//	crontab.yaml:11:3: warning: unknown field "spec.replica" [object/unknown-field]
//	   |
//	11 |   replica: 2
//	   |   ^^^^^^^
//	   = crontabs.stable.example.com v1: CronTab nightly-backup
//	   = hint: did you mean replicas?
//
// With --strict, unknown and duplicate fields are errors, as with kubectl --validate=strict, and other warnings make the command
// fail. A strict server refuses such an object without validating it; this command validates it anyway.
//
// Objects without a CRD are counted, and their kinds are named at the end. With --strict-kinds the first object of each such kind is
// an error. In a directory, documents without apiVersion and kind are skipped, and so are files that are not YAML and do not mention
// a group of the CRDs: templates, for example. A version that the CRD does not serve is an error.
//
// Fields that only the server sets, such as uid, creationTimestamp, managedFields and, in a kind with that subresource, status, are
// dropped, as the server does. The server refuses to create an object with a resourceVersion. The output of kubectl get has one in each
// object, and most people who validate it ask about the rest: the first one in a file is a warning, and the objects are validated
// without it.
//
// --old and --old-dir name manifests with objects that exist. An object with the group, kind, namespace and name of one of them is
// validated as an update of it, and errors in unchanged values are ignored, as on the server. Other objects are validated as new. An
// object without a resourceVersion gets that of the old object, as with kubectl replace. An old object of another version is converted
// by changing its apiVersion, as for CRDs without a conversion webhook.
//
// A CRD is read when an object of its kind comes; lint checks the others. No cluster is asked, so admission and other objects are not
// taken into account. Objects of more than 3 MiB as JSON are refused, as
// by the server. The limits of a run are listed below.
//
// # Prune
//
//	prune-gen prune --crd CRD... [--diff] [--normalize] [--write] [flags] FILE...
//
// Prune reads manifests as validate does, and prints them without the fields that the API server would drop. It removes these
// fields from the text and leaves every other byte as it is: comments, order, anchors, quotes, styles and line breaks. The comments of
// a field are removed with it: those beside it, those below it that are indented deeper, and those directly above it. A map that loses
// all its fields becomes {}. Objects without a CRD are printed as they are. The result is read again and compared with the objects that
// the API server would store.
//
// An anchor cannot be removed while it is used: it is an error if an anchor is in a field that is dropped and an alias elsewhere is
// kept, or if a map has an anchor and loses fields in one place that it keeps in another. Write the value out then. Of a key
// that is there twice, the last one stays, with a warning.
//
// JSON is pruned while it is read, byte for byte. A list that is larger than 16 MiB is read one item at a time, and no item can be
// larger than that. On a terminal a bar shows the progress.
//
// --diff prints unified diffs instead. --normalize prints the objects as they would be stored if they were created, with defaults
// filled in, in YAML, or in JSON if they were read from JSON; comments are lost, and it is an error if the API server would refuse
// one of the objects. -w, or --write, writes the result back to the files and prints their names; a file that would not
// change is not touched. Links are followed. If there is an error in one file, no file is written. Each file is replaced whole; if one
// cannot be replaced, the error says which were.
//
// # Explain
//
//	prune-gen explain [--kind KIND] [--crd-version VERSION] [--depth N | --recursive] [--descriptions] [--output text|json|html] CRD [PATH]
//
// Explain prints the schema of a CRD as a tree of fields, with types, defaults, enums, limits and CEL rules. It says where the API
// server keeps unknown fields, where it drops them again below such a place, where it drops everything in an object, and where it
// rewrites metadata. Elements of lists and values of maps are part of the field that has them; what is said about them begins with
// "each". A PATH such as spec.rules[].host or .spec shows one field, with its description. A large schema is printed to the depth that
// fits on a page or two; --depth prints a number of levels, --recursive all of them. --descriptions prints all
// descriptions, wrapped. --kind and --crd-version choose among several CRDs and versions; the default is the version in which
// objects are stored.
//
// With --output html, explain writes one page to standard output, which needs no network: the tree, and beside it an editor. Paste or
// drop a manifest, and each line shows what the API server would drop, fill in, change and refuse, as you type. The engine in the page
// is this program, compiled to WebAssembly by the go command, which must be on the path; the first page takes a minute, others a
// second or two. It is built from the sources of prune-gen itself, in a checkout or in the module cache; nothing is downloaded.
// --tree-only leaves out the engine and the editor, and needs no go command.
//
// # Diff
//
//	prune-gen diff [--breaking] [--output text|json|sarif|github|junit] [flags] OLD NEW [MANIFEST...]
//
// Diff compares CRDs with the same name in two files or directories, version by version, and says of each change whether it breaks
// something and why: fields that are dropped and fields that are kept, types, defaults, null, enums, bounds, patterns,
// formats, required fields, alternatives, CEL rules, list types and keys, embedded resources, subresources, the scope, and which
// versions are served and stored. A change is breaking if objects or clients that were fine are refused, lose data, or get other
// answers. Breaking changes are errors, so that the status is 1; other changes are notes, which --breaking leaves out. Fields below a
// field that is gone are not listed. Lines are those of the new file; the hint has the line in the old one.
//
// With manifests, diff validates each object by both CRDs, and reports what only the new one drops or refuses, and which defaults
// differ. Objects of other kinds are skipped.
//
// # Completion
//
//	prune-gen completion bash|zsh|fish|powershell
//
// Completion prints a script for a shell that completes commands, flags and their values. In bash, which needs the package
// bash-completion for it, load it with
//
//	source <(prune-gen completion bash)
//
// prune-gen completion zsh --help, for example, says how to load the script for every session of zsh. For those who make packages,
// prune-gen man DIR writes a man page for each command to a directory.
//
// # Leaving out
//
// --exclude keeps files and directories from being read, such as the templates of a Helm chart. Its pattern is compared with the
// consecutive names in a path: charts matches every file or directory of that name, and charts/*/templates/*.yaml matches such paths
// below any directory. * matches a part of a name, ** any number of names.
//
// --disable leaves out the findings of a rule, loss/object for example, or of all rules that a pattern matches, such as loss/*. A
// comment in the YAML does the same for its line, or, if it has a line for itself, for the line below it:
//
//	field: {type: object} # prune-gen:ignore loss/object the controller fills it in
//
// Rules are separated by commas; the text after them is a comment. Lint, validate and diff leave out errors, too. Generate, verify, prune
// and skeleton leave out warnings only: an error explains why they did not do their work.
//
// # Limits
//
// The limits keep a command below 500 MB of memory and 10 seconds, whatever it reads:
//
//	64 MiB of text           of a run
//	50,000 documents         of a run
//	20,000,000 units         of a run: the work on what it reads
//	512 levels               of nesting in a document
//	1,000 findings           of a file are shown, or fewer if their texts are long
//	1,000 bytes              of the name of a property, in generated code
//
// A unit of work is a step that takes less than a microsecond, such as applying a keyword to a value; or 16 bytes of memory; or a unit in
// which the API server counts the cost of CEL rules. What exceeds a limit of the run is an error about the file, the CRD or the object, and
// nothing more is read or answered:
//
//	crd.yaml:1:1: error: too large: the run exceeds the limit of 20000000 units of work; raise it with --limit 2 [text/too-large]
//
// --limit N raises the limits of a run to N times as much. Memory and time grow with them. For comparison: the CRDs of Argo Workflows, 7.4 MB,
// take 6,000,000 units to lint, and an HTTPRoute of Gateway API with 50 values takes 1,500 to validate.
//
// With patterns for packages, the CRDs of all directives that verify checks are one run. Prune reads JSON as a stream, unless it
// normalizes it: only the limits on depth and on items apply there.
//
// # Skeleton
//
//	prune-gen skeleton [--format yaml|json] [--crd-version VERSION] CRD...
//
// Skeleton prints, for each version, the skeleton of its schema as KEP-24 defines it: the fields that the schema specifies,
// and nothing else. Schemas without a skeleton are reported on standard error, in the format that --output selects; the
// skeletons of the others are still printed.
//
// # Streams
//
// Standard output has only what was asked for: the findings of lint, validate and diff, the manifests and diffs of prune,
// the diffs of verify, skeletons, schemas and pages of explain, plans, and for every command what --output json, sarif, github or junit
// prints. Messages, progress and errors are on standard error, and so are the findings of generate, verify, prune, skeleton and explain
// for people. The findings of skeleton, prune and generate --dump-plan are always there.
// The lines that say what generate wrote, and that verify found nothing, are on standard output for people, and on standard error
// beside what machines read.
//
// # Colour
//
// Text is coloured on a terminal, unless NO_COLOR is set or TERM is dumb. --color=always and --color=never override this.
// Characters that a terminal would act on are printed as escapes.
//
// # Exit status
//
//	0  success
//	1  an error in the input, or the output could not be written
//	2  an error in the command line
//	3  a bug in prune-gen
package main

import (
	"os"
	"runtime/debug"
)

// softMemory is the amount of memory above which garbage is collected more often. CRDs can be large, and the machines that
// run prune-gen in CI are small. The limits on what is read keep the rest below it.
const softMemory = 440 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
