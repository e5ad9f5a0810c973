package meter

// The limits on untrusted input. They keep a command below 500 MB of memory and 10 seconds, whatever it reads. The flag --limit N
// multiplies those of a run by N.
//
//	Bytes      of a run       bytes of the texts that are read
//	Documents  of a run       documents in these texts
//	Work       of a run       units of everything that is done with them; see Meter
//	UnitBytes  of a unit      bytes of memory that count as one unit of work
//	Depth      of a document  levels of nesting
//	Findings   of a file      findings that are listed, and of a schema; see List
//	Name       of a property  bytes of its name in generated code
const (
	Bytes     = 64 << 20
	Documents = 50_000
	Work      = 20_000_000
	UnitBytes = 16
	Depth     = 512
	Findings  = 1000
	Name      = 1000
)
