package gosource

// The packages of the runtime that generated code imports: the one that its users call, and those that only it calls.
const (
	RuntimePath = "github.com/prune-gen/prune-gen/runtime"
	ImplPath    = RuntimePath + "/pruneimpl"
	JSONPath    = RuntimePath + "/prunejson"
	CELPath     = RuntimePath + "/prunecel"
	// What some of it imports: regular expressions, and what needs Go's network.
	FormatPath = ImplPath + "/pruneformat"
	NetPath    = FormatPath + "/prunenet"
)

// IOPath is the package of the standard library that generated code imports.
const IOPath = "io"
