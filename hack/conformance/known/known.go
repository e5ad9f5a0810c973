// Package known lists the differences between the project and Kubernetes that are known and wanted, each with its reason.
// What is not listed here is a bug.
package known

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed known.json
var list []byte

// Difference is one entry of the list.
type Difference struct {
	Name   Name   `json:"name"`
	Reason string `json:"reason"`
}

// Name names a known difference.
type Name string

// The names that the comparisons use. Each is in the list, and there is none in the list that is not here.
const (
	UnknownFieldsBelow Name = "unknown-fields-below-items"
	KEPKeywords        Name = "keywords-of-the-proposals"
	ConversionReasons  Name = "conversion-names-every-reason"
	MetadataWords      Name = "metadata-in-the-words-of-a-schema"
	MetadataBeyond100  Name = "metadata-beyond-100-unknown-fields"
	MetadataAlikePaths Name = "metadata-paths-that-look-alike"
	TimesBeyond9999    Name = "times-beyond-the-year-9999"
)

// Names returns all names.
func Names() []Name {
	return []Name{
		UnknownFieldsBelow, KEPKeywords, ConversionReasons, MetadataWords, MetadataBeyond100, MetadataAlikePaths, TimesBeyond9999,
	}
}

// Differences returns the list.
func Differences() ([]Difference, error) {
	var all []Difference
	if err := json.Unmarshal(list, &all); err != nil {
		return nil, fmt.Errorf("read known.json: %w", err)
	}
	return all, nil
}
