package meter

// The limits on untrusted input. They keep a command below 500 MB of memory and 10 seconds, whatever it reads. The flag --limit N
// multiplies those of a run by N.
//
//	Bytes      of a run       bytes of the texts that are read
//	Documents  of a run       documents in these texts
//	Work       of a run       units of everything that is done with them; see Meter
//	Depth      of a document  levels of nesting
//	Nodes      of a document  characters of YAML that can separate two values
//	Name       in a schema    bytes of the name of a property, in generated code
//	Findings   of a file      findings that are listed
//	UnitBytes                 bytes of memory that count as one unit of work
const (
	Bytes     = 64 << 20
	Documents = 50_000
	Work      = 16_000_000
	Depth     = 512
	Nodes     = 400_000
	Name      = 1000
	Findings  = 1000
	UnitBytes = 16
)
