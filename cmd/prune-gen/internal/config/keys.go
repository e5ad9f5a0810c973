// Package config reads prune-gen.yaml, which gives values to flags that the command line does not set.
package config

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Key is a key of the file.
type Key struct {
	Name string
	Flag string // whose value it is, in every command that has it
	Kind Kind
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
	IDs        Kind = "a list of ids, each with a reason"
	Severities Kind = "a map from ids to error or warning"
)

// Keys returns all keys. Flags have none that belong to a run, such as --output, or to a package, such as --emit.
func Keys() []Key {
	return []Key{
		{"crds", "crd", Paths},
		{"kubernetes", "kubernetes", Text},
		{"exclude", "exclude", Texts},
		{"disable", "disable", IDs},
		{"severity", "severity", Severities},
		{"strict", "strict", Bool},
		{"limit", "limit", Number},
		{"types", "types", Paths},
		{"field-validation", "field-validation", Text},
		{"strict-kinds", "strict-kinds", Bool},
		{"skip", "skip", Texts},
		{"reject", "reject", Texts},
		{"level", "level", Text},
		{"coverage-min", "coverage-min", Number},
		{"header-file", "header-file", Path},
	}
}

// AsArguments are the annotations of a command that takes the CRDs of the file as its arguments if the command line has none. Generate
// does not because it writes, and verify because its arguments are those of generate.
var AsArguments = map[string]string{"arguments": "crds"}

// isArgument reports whether a command takes the values of the key as arguments.
func (k Key) isArgument(cmd *cobra.Command) bool { return cmd.Annotations["arguments"] == k.Name }

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
		if c.Flags().Lookup(k.Flag) != nil || k.isArgument(c) {
			names = append(names, c.Name())
		}
	}
	return names
}
