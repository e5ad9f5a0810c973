// Package config reads prune-gen.yaml, which gives values to flags that the command line does not set.
package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/structural"
)

// Key is a key of the file.
type Key struct {
	Name string
	Flag string // whose value it is, in every command that has it
	Kind Kind
	// About describes the key if the usage of its flag depends on the command, else it is "".
	About string
}

// Kind is what the value of a key is.
type Kind string

const (
	Bool       Kind = "true or false"
	Number     Kind = "a number"
	Text       Kind = "a string"
	Path       Kind = "a path"
	Texts      Kind = "a list of strings"
	Paths      Kind = "a list of paths"
	Rules      Kind = "a list of rules, each with a reason"
	Severities Kind = "a map from rules to error or warning"
)

// Keys returns all keys. Flags have none that belong to a run, such as --output, or to a package, such as --emit.
func Keys() []Key {
	return []Key{
		{"crds", "crd", Paths, "the files and directories with CRDs"},
		{"kubernetes", "kubernetes", Text, "the version of Kubernetes to behave like, such as 1.34 (default: the newest)"},
		{"exclude", "exclude", Texts, ""},
		{"disable", "disable", Rules, "leave out findings of these rules"},
		{"severity", "severity", Severities, "report findings of these rules as errors or warnings"},
		{"strict", "strict", Bool, ""},
		{"limit", "limit", Number, ""},
		{"types", "types", Paths, ""},
		{"field-validation", "field-validation", Text, ""},
		{"strict-kinds", "strict-kinds", Bool, ""},
		{"skip", "skip", Texts, ""},
		{"reject", "reject", Texts, ""},
		{"level", "level", Text, ""},
		{"coverage-min", "coverage-min", Number, ""},
		{"header-file", "header-file", Path, ""},
	}
}

// argumentsOf returns the commands that take the values of a key as arguments if the command line has none. Generate is
// not among them because it writes, and verify because its arguments are those of generate.
func argumentsOf(key string) []string {
	if key == "crds" {
		return []string{"lint", "schema", "skeleton"}
	}
	return nil
}

// flags returns the flag of a key in each of the commands that have it.
func (k Key) flags(commands []*cobra.Command) (all []*pflag.Flag) {
	for _, c := range commands {
		if f := c.Flags().Lookup(k.Flag); f != nil {
			all = append(all, f)
		}
	}
	return all
}

// Commands returns the names of those of the commands that use the key.
func (k Key) Commands(commands []*cobra.Command) (names []string) {
	for _, c := range commands {
		if c.Flags().Lookup(k.Flag) != nil || slices.Contains(argumentsOf(k.Name), c.Name()) {
			names = append(names, c.Name())
		}
	}
	return names
}

// Schema returns the JSON Schema of the file, whose values are those of the flags of commands.
func Schema(commands []*cobra.Command) map[string]any {
	properties := map[string]any{}
	for _, k := range Keys() {
		flag := k.flags(commands)[0]
		s := k.Kind.schema()
		if _, ok := flag.Value.(*cli.Choice); ok {
			s["enum"] = strings.Split(flag.Value.Type(), "|")
		}
		_, usage := pflag.UnquoteUsage(flag)
		s["description"] = cmp.Or(k.About, strings.TrimSuffix(usage, "; can be repeated"))
		properties[k.Name] = s
	}
	return map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": Name,
		"type": "object", "properties": properties, "additionalProperties": false,
	}
}

// schema returns the JSON Schema of a value.
func (k Kind) schema() map[string]any {
	text := map[string]any{"type": "string"}
	var names []string
	for _, r := range findings.Rules() {
		names = append(names, string(r.ID))
	}
	slices.Sort(names)
	rule := map[string]any{"anyOf": []any{map[string]any{"enum": names}, map[string]any{"type": "string", "pattern": `[*?\[]`}}}
	switch k {
	case Bool:
		return map[string]any{"type": "boolean"}
	case Number:
		return map[string]any{"type": "number"}
	case Texts, Paths:
		return map[string]any{"type": "array", "items": text}
	case Rules:
		return map[string]any{"type": "array", "items": map[string]any{
			"type": "object", "required": []string{"rule", "reason"}, "additionalProperties": false,
			"properties": map[string]any{"rule": rule, "reason": map[string]any{"type": "string", "pattern": `\S`}},
		}}
	case Severities:
		return map[string]any{"type": "object", "propertyNames": rule,
			"additionalProperties": map[string]any{"enum": []structural.Severity{structural.SeverityError, structural.SeverityWarning}}}
	}
	return text
}
