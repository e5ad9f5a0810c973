package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/config"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/structural"
)

// The JSON Schema of prune-gen.yaml has its keys, with the values that flags take. A key is described as its flag is.
func TestSchemaOfConfiguration(t *testing.T) {
	about := map[string]string{ // where the usage of the flag depends on the command
		"crds":       "the files and directories with CRDs",
		"kubernetes": "the version of Kubernetes to behave like, such as 1.34 (default: the newest)",
		"disable":    "leave out findings with these ids",
		"severity":   "report findings with these ids as errors or warnings",
	}
	commands := newRoot(&cli.Environment{}).Commands()
	properties := map[string]any{}
	for _, k := range config.Keys() {
		s := schemaOfKind(k.Kind)
		usages := map[string]bool{}
		for _, c := range commands {
			flag := c.Flags().Lookup(k.Flag)
			if flag == nil {
				continue
			}
			if _, ok := flag.Value.(*cli.Choice); ok {
				s["enum"] = strings.Split(flag.Value.Type(), "|")
			}
			usages[flag.Usage] = true
			_, usage := pflag.UnquoteUsage(flag)
			s["description"] = strings.TrimSuffix(usage, "; can be repeated")
		}
		if (len(usages) > 1) != (about[k.Name] != "") {
			t.Errorf("%s is described as %q, and its flags have %d texts", k.Name, about[k.Name], len(usages))
		}
		if text := about[k.Name]; text != "" {
			s["description"] = text
		}
		properties[k.Name] = s
	}
	var text bytes.Buffer
	if err := terminal.WriteJSON(&text, map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": config.Name,
		"type": "object", "properties": properties, "additionalProperties": false,
	}); err != nil {
		t.Fatal(err)
	}
	compare(t, filepath.Join(repository, "docs", "schemas", "config.json"), text.String())
}

// schemaOfKind returns the JSON Schema of a value.
func schemaOfKind(k config.Kind) map[string]any {
	text := map[string]any{"type": "string"}
	var names []string
	for _, r := range findings.IDs() {
		names = append(names, string(r.ID))
	}
	slices.Sort(names)
	id := map[string]any{"anyOf": []any{map[string]any{"enum": names}, map[string]any{"type": "string", "pattern": `[*?\[]`}}}
	switch k {
	case config.Bool:
		return map[string]any{"type": "boolean"}
	case config.Number:
		return map[string]any{"type": "number"}
	case config.Texts, config.Paths:
		return map[string]any{"type": "array", "items": text}
	case config.IDs:
		return map[string]any{"type": "array", "items": map[string]any{
			"type": "object", "required": []string{"id", "reason"}, "additionalProperties": false,
			"properties": map[string]any{"id": id, "reason": map[string]any{"type": "string", "pattern": `\S`}},
		}}
	case config.Severities:
		return map[string]any{"type": "object", "propertyNames": id,
			"additionalProperties": map[string]any{"enum": []structural.Severity{structural.SeverityError, structural.SeverityWarning}}}
	}
	return text
}
