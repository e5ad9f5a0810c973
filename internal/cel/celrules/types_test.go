package celrules_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

var update = flag.Bool("update", false, "write the recorded files")

// typedSchemas are schemas of values of every type, with limits and without.
var typedSchemas = []string{
	"{type: string}", "{type: string, maxLength: 0}", "{type: string, maxLength: -1}", "{type: string, maxLength: 10}", "{type: string, enum: [a, bcd, 1]}", "{type: string, enum: [a, bcd], maxLength: 1}", "{type: string, enum: [1]}",
	"{type: string, format: byte}", "{type: string, format: byte, maxLength: 5}", "{type: string, format: byte, maxLength: -5}", "{type: string, format: duration, maxLength: 5}", "{type: string, format: date}", "{type: string, format: date-time, maxLength: 3}", "{type: string, format: uuid}",
	"{type: boolean}", "{type: integer}", "{type: number}", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-int-or-string: true, maxLength: 3}", "{type: integer, x-kubernetes-int-or-string: true, x-kubernetes-embedded-resource: true}", "{x-kubernetes-preserve-unknown-fields: true}",
	"{type: object}", "{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object, additionalProperties: true}", "{type: object, additionalProperties: {type: boolean}}", "{type: object, maxProperties: 3, additionalProperties: {type: boolean}}", "{type: object, maxProperties: -3, additionalProperties: {type: boolean}}",
	"{type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}", "{type: object, properties: {}}", "{type: object, required: [a, b, c, z], properties: {a: {type: string}, b: {type: integer, default: 1}, c: {x-kubernetes-preserve-unknown-fields: true}, d: {type: boolean}}}",
	"{type: object, properties: {namespace: {type: string}, a.b-c/d__e: {type: string}, 1a: {type: string}, é: {type: string}, '': {type: string}, self: {type: string}}}",
	"{type: array}", "{type: array, items: {type: string}}", "{type: array, maxItems: 0, items: {type: string}}", "{type: array, maxItems: -1, items: {type: string}}", "{type: array, maxItems: 7, items: {type: object, required: [abc], properties: {abc: {type: boolean}}}}", "{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}",
	"{type: array, x-kubernetes-list-type: set, items: {type: integer}}", "{type: array, x-kubernetes-list-type: atomic, items: {type: integer}}", "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, a-b, 1c], items: {type: object, properties: {k: {type: string}, a-b: {type: string}, 1c: {type: string}}}}",
	"{type: array, x-kubernetes-list-type: map, items: {type: object}}", "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k]}", "{type: array, items: {type: array, maxItems: 2, items: {type: array, items: {type: number}}}}",
	"{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}", "{type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, nullable: true}, metadata: {type: object, properties: {name: {type: string, maxLength: 5}, generateName: {type: string, maxLength: 500}}}}}",
	"{type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: {type: string, maxLength: 7}, kind: {type: string}, metadata: {type: object, properties: {name: {type: string}, generateName: {type: string}, labels: {type: object, additionalProperties: {type: string}}}}}}",
	"{type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object, properties: {name: {type: string}}}}}", "{type: array, x-kubernetes-embedded-resource: true, items: {type: string}}",
}

// What rules know of values: their types, their sizes, and which correspond to older ones.
func TestTypesAreRecorded(t *testing.T) {
	var have strings.Builder
	for _, text := range typedSchemas {
		root := schema(t, "type: object\nproperties: {p: "+text+"}")
		s := root.Properties["p"]
		fmt.Fprintf(&have, "%s\n", text)
		for _, isResource := range []bool{false, true} {
			if isResource && !s.XEmbeddedResource {
				continue
			}
			if typ := celrules.NewType(s, isResource); typ == nil {
				have.WriteString("  not visible\n")
			} else {
				fmt.Fprintf(&have, "  %d fit into a request\n", typ.MaxCardinality())
				writeType(&have, typ, "  ")
			}
		}
		if shape := shapeText(resources.Shape(s)); shape != "" {
			fmt.Fprintf(&have, "  shape%s\n", shape)
		}
		// A rule that is about everything has the whole type.
		s.XValidations = schema(t, "{type: object, x-kubernetes-validations: [{rule: 'self == oldSelf', optionalOldSelf: false}]}").XValidations
		if table := celrules.Table(celrules.Check(root, celrules.Stored(0))); table != nil {
			for _, f := range table.Fields {
				writeTable(&have, f.Rules)
			}
		}
	}
	recorded.Compare(t, *update, "testdata/types.txt", have.String())
}

func writeType(b *strings.Builder, t *celrules.Type, indent string) {
	fmt.Fprintf(b, "%s%s", indent, t.Kind)
	if t.IsResource {
		b.WriteString(" resource")
	}
	if n := t.MaxElements(celrules.Stored(0)); n != 0 {
		fmt.Fprintf(b, ", at most %d", n)
	}
	fmt.Fprintf(b, ", at least %d bytes\n", t.MinSize)
	for _, name := range sorted.Keys(t.Fields) {
		f := t.Fields[name]
		fmt.Fprintf(b, "%s  %s %q required %t\n", indent, f.Escaped, f.Name, f.Required)
		writeType(b, f.Type, indent+"    ")
	}
	if t.Elem != nil {
		writeType(b, t.Elem, indent+"  of ")
	}
}

func shapeText(s *pruneimpl.Shape) string {
	text := ""
	for _, f := range s.Fields {
		text += " ." + f.Name + shapeText(f.Shape)
	}
	if s.Values != nil {
		text += " [*]" + shapeText(s.Values)
	}
	if s.Items != nil {
		text += fmt.Sprintf(" %q", s.Keys) + shapeText(s.Items)
	}
	return text
}

func writeTable(b *strings.Builder, r *prunecel.Rules) {
	if r.Problem != "" {
		fmt.Fprintf(b, "  problem %s\n", r.Problem)
	}
	for _, rule := range r.Rules {
		if rule.Problem != "" {
			fmt.Fprintf(b, "  problem %s\n", rule.Problem)
		}
	}
	if r.Self != "" {
		fmt.Fprintf(b, "  self %s\n", r.Self)
	}
}
