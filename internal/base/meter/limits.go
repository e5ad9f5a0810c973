package meter

// The limits on untrusted input. They keep a command below 500 MB of memory and 10 seconds, whatever it reads. A stream of JSON objects has
// no limit on its length: it takes up to half a second more for each million bytes, twice as long in diff, and RefundedUnits ends one that
// takes much longer. The flag --limit N multiplies the first three by N.
//
//	Bytes          of a run               bytes of the texts that are read, or of what UTF-16 is decoded to
//	Documents      of a run               documents in these texts
//	Work           of a run               units of everything that is done with them; see Meter
//	MaxTimes       of the flag --limit    the highest N
//	Depth          of a document          levels of nesting
//	Name           of a property          bytes of its name in generated code
//	Request        of an API server       bytes of a request: it refuses larger objects and CRDs
//	Review         of a webhook           bytes of a request: an object, the old object, and what is around them
//	Config         of prune-gen.yaml      bytes
//	Header         of a licence           bytes of the text for the top of generated files
//	Generated      of a Go file           bytes of one that is read because it may have been generated
//	Rule           of a CEL rule          bytes of one that is analysed
//	RuleSteps      of a CEL rule          steps of analysing it
//	Pattern        of a pattern           instructions of one that is compared with another
//	PatternSteps   of a pattern           steps of comparing it with another, each at an instruction
//
// What is listed for people is bounded in package listed. Constants elsewhere refuse no input: they are rules of the API server, or say how
// much of something is shown, how long something is looked for, or what is kept to be used again. The packages of the runtime do not import this one; their limits are prunert.MaxReported,
// MaxDepth and DefaultMaxStreamObject, and in prunecel what a CEL rule may make.
const (
	Bytes        = 64 << 20
	Documents    = 50_000
	Work         = 20_000_000
	MaxTimes     = 65_535
	Depth        = 512
	Name         = 1000
	Request      = 3 << 20
	Review       = 8 << 20
	Config       = 1 << 20
	Header       = 64 << 10
	Generated    = 128 << 20
	Rule         = 10_000
	RuleSteps    = 20_000
	Pattern      = 4000
	PatternSteps = 2_000_000
)
