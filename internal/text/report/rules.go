package report

import (
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// rules has the rule ids of texts.
var rules structural.RuleTable

var (
	_ = rules.Add(yamltext.RuleTooLarge, "The files of the run are too large.")
	_ = rules.Add(yamltext.RuleTooDeep, "The document is nested too deeply.")
	_ = rules.Add(yamltext.RuleSyntax, "The text is neither YAML nor JSON.")
	_ = rules.Add(yamltext.RuleTemplate, "The text is a template, which has to be rendered first.")
	_ = rules.Add(yamltext.RuleKey, "The keys of a map are strings.")
	_ = rules.Add(yamltext.RuleTag, "A value fits its YAML tag.")
	_ = rules.Add(yamltext.RuleNumber, "A number can be written in JSON.")
	_ = rules.Add(yamltext.RuleAnchor, "An alias refers to an anchor before it.")
	_ = rules.Add(yamltext.RuleMerge, "A merge key has a map or a list of maps.")
	_ = rules.Add(yamltext.RuleDuplicateKey, "A map has a key only once.")
	_ = rules.Add(yamltext.RuleReplacedKey, "A merge key does not replace a key above it.")
)

// Rules returns every rule id of texts with what is said about it.
func Rules() []structural.RuleInfo { return rules }
