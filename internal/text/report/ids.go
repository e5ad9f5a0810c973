package report

import (
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// ids has the ids of texts.
var ids structural.IDTable

var (
	_ = ids.Add(yamltext.IDTooLarge, "The files of the run are too large.")
	_ = ids.Add(yamltext.IDTooDeep, "The document is nested too deeply.")
	_ = ids.Add(yamltext.IDSyntax, "The text is neither YAML nor JSON.")
	_ = ids.Add(yamltext.IDTemplate, "The text is a template, which has to be rendered first.")
	_ = ids.Add(yamltext.IDKey, "The keys of a map are strings.")
	_ = ids.Add(yamltext.IDTag, "A value fits its YAML tag.")
	_ = ids.Add(yamltext.IDNumber, "A number can be written in JSON.")
	_ = ids.Add(yamltext.IDAnchor, "An alias refers to an anchor before it.")
	_ = ids.Add(yamltext.IDMerge, "A merge key has a map or a list of maps.")
	_ = ids.Add(yamltext.IDDuplicateKey, "A map has a key only once.")
	_ = ids.Add(yamltext.IDReplacedKey, "A merge key does not replace a key above it.")
)

// IDs returns every id of texts with what is said about it.
func IDs() []structural.IDInfo { return ids }
