package yamltext

import "fmt"

// The rules that a text can break. A report of a Problem or a Flaw has its rule.
const (
	RuleTooLarge     = "text/too-large"
	RuleTooDeep      = "text/too-deep"
	RuleSyntax       = "text/syntax"
	RuleTemplate     = "text/template"
	RuleKey          = "text/key-not-string"
	RuleTag          = "text/tag-mismatch"
	RuleNumber       = "text/not-in-json"
	RuleAnchor       = "text/unknown-anchor"
	RuleMerge        = "text/merge-not-map"
	RuleDuplicateKey = "text/duplicate-key"
	RuleReplacedKey  = "text/replaced-key"
)

// Problem is something wrong with the text of a document, before anything is known about its meaning.
type Problem struct {
	Rule    string
	Pos     Pos
	Message string
	Hint    string

	syntax bool // the syntax is wrong; otherwise the syntax is right, but something is refused
}

func (p *Problem) Error() string { return p.Message }

func problemf(rule string, at Pos, format string, args ...any) *Problem {
	return &Problem{Rule: rule, Pos: at, Message: fmt.Sprintf(format, args...), syntax: rule == RuleSyntax}
}

// Flaw is a key that is written twice in one map. The last one counts.
type Flaw struct {
	Rule  string // RuleDuplicateKey, or RuleReplacedKey if a merge key replaces a key that is written out above it
	Key   string
	Pos   Pos
	First Pos   // of the key before it, or of the map that is merged
	Value *Node // of the duplicate key before it
}
