package meter

// The weights: what each thing costs that a run does or holds in memory. Each was measured where the thing is slowest
// or largest, so that a run which spends all of its Work stays below the time and the memory of the limits.
const (
	// Bytes for a unit.
	UnitBytes     = 16 // held in memory
	ScannedBytes  = 64 // searched, measured, or matched by one instruction of a pattern
	ComparedBytes = 16 // of a value in an enum

	// Units for each thing that is read.
	UnitsOfSeparator = 2    // a character that can separate values: it is looked for before a text is parsed
	UnitsOfTree      = 16   // such a character while the YAML parser holds its tree, which can have two nodes for it
	UnitsOfValue     = 5    // a value, and again for each alias of it
	UnitsOfScalar    = 40   // a scalar of YAML that the parser of Kubernetes is asked about
	UnitsOfNode      = 10   // a node that is held
	UnitsOfCRD       = 1000 // a CRD, however small
	UnitsOfSchema    = 80   // a schema of a CRD, which is held with what is made of it
	UnitsOfObject    = 50   // an object of a manifest, however small
	UnitsOfPrinted   = 12   // a value that is printed again, as YAML

	// Units for each thing that is validated.
	UnitsOfAnswer      = 4  // a value of an object: validating takes several times as long as reading
	UnitsOfError       = 6  // an error: a path, a function, and a place in lists
	UnitsOfEnum        = 3  // a value of an enum, which is converted to be compared
	UnitsOfInstruction = 16 // an instruction of a pattern that is compiled, for time and memory

	// Units for each thing that is compared.
	UnitsOfName       = 2  // a name of a kind, with one that is unknown
	UnitsOfPair       = 24 // a value of an object, which another CRD is asked about, and both about updates
	UnitsOfSchemaPair = 10 // a schema with its other version, keyword by keyword
	UnitsOfRuleByte   = 10 // a byte of a CEL rule that is parsed
	UnitsOfStored     = 5  // a field of the stored version with another version
	UnitsOfType       = 40 // a Go type with a schema, for time and memory

	// Units for each thing in a package that is generated. They are held until it is made; then one in HeldUnits stays spent.
	UnitsOfFunction = 600 // a function
	UnitsOfField    = 100 // a field that a function names
	UnitsOfLiteral  = 100 // a value in an enum, a default or a list of names
	HeldUnits       = 8

	// Units that are refunded for each byte of a JSON object after it, so that a stream can have any length. Anything
	// beyond them stays counted: the time for a stream stays proportional to its size.
	RefundedUnits = 8

	// Bytes that are held for each thing, and how often its text is copied.
	BytesOfChange     = 1000    // a change between CRDs, and what it is printed from
	BytesOfJSONSchema = 512     // a schema as JSON Schema
	BytesOfResource   = 8 << 10 // the fields of every resource, as JSON Schema
	BytesOfEnum       = 32      // a value of an enum in JSON Schema
	CopiesOfPath      = 2       // the path of a change: its text and its steps
	CopiesOfPlace     = 3       // the place of a change, to sort and print it
	CopiesOfFinding   = 8       // the texts of a finding, until it is printed
	CopiesOfDefault   = 2       // a default that is filled in: the object is written and read again
	CopiesOfJSON      = 4       // a JSON Schema, for the time to encode it
	CopiesOfPage      = 8       // the tree of a version in a page, which is encoded again and compressed
)
