package prunert

// NormalizeOptions says where an object comes from and what to report about it.
type NormalizeOptions struct {
	Source Source
	// ReportUnknown asks for the paths of the fields that were dropped because the schema does not specify them.
	ReportUnknown bool
}

// Source is where an object comes from. It decides how malformed metadata is treated.
type Source uint8

const (
	// FromRequest is an object that a client sends: malformed metadata is an error.
	FromRequest Source = iota
	// FromStorage is an object that was stored by an earlier version of the API server: malformed fields of metadata are dropped, and a
	// missing generation is 1.
	FromStorage
)
