package yamltext

import "fmt"

// The rules that a text can break. A report of a Problem or a Flaw has its rule.
const (
	IDTooLarge     = "text/too-large"
	IDTooDeep      = "text/too-deep"
	IDSyntax       = "text/syntax"
	IDTemplate     = "text/template"
	IDKey          = "text/key-not-string"
	IDTag          = "text/tag-mismatch"
	IDNumber       = "text/not-in-json"
	IDAnchor       = "text/unknown-anchor"
	IDMerge        = "text/merge-not-map"
	IDDuplicateKey = "text/duplicate-key"
	IDReplacedKey  = "text/replaced-key"
)

// Problem is something wrong with the text of a document, before anything is known about its meaning.
type Problem struct {
	ID      string
	Pos     Pos
	Message string
	Hint    string

	syntax bool // the syntax is wrong; otherwise the syntax is right, but something is refused
}

func (p *Problem) Error() string { return p.Message }

func problemf(id string, at Pos, format string, args ...any) *Problem {
	return &Problem{ID: id, Pos: at, Message: fmt.Sprintf(format, args...), syntax: id == IDSyntax}
}

// Flaw is a key that is written twice in one map. The last one counts.
type Flaw struct {
	ID    string // RuleDuplicateKey, or RuleReplacedKey if a merge key replaces a key that is written out above it
	Key   string
	Pos   Pos
	First Pos   // of the key before it, or of the map that is merged
	Value *Node // of the duplicate key before it
}
