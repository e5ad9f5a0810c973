package specimentest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/structural"
)

type object = map[string]any

// SchemaOptions says what a schema is like.
type SchemaOptions struct {
	// Depth is how many levels it has at most.
	Depth int
	// Values adds value validation, and Defaults adds defaults.
	Values, Defaults bool
	// Loose allows what structural schemas must not have: values without a type, structure and types below junctors, fields of
	// lists, keys of lists that their elements do not have.
	Loose bool
	// Any is for the schema of any value, not of a resource.
	Any bool
}

// Schema returns a schema as JSON. The same seed and options give the same schema on every machine.
func Schema(seed uint64, opts SchemaOptions) map[string]any {
	m := newSchemaMaker(seed, opts)
	if !opts.Any {
		return m.root()
	}
	s := m.value(opts.Depth)
	if opts.Values {
		m.addValues(s, false)
	}
	return s
}

type schemaMaker struct {
	rng  *rand.Rand
	opts SchemaOptions
	// left is how many nodes the schema may still get.
	left int
}

func newSchemaMaker(seed uint64, opts SchemaOptions) *schemaMaker {
	rng := rand.New(rand.NewPCG(seed, 0x736368656d6173))
	return &schemaMaker{rng: rng, opts: opts, left: 5 + rng.IntN(60)}
}

func (m *schemaMaker) oneIn(n int) bool { return m.rng.IntN(n) == 0 }

// names are those that properties get. Few of them are used often, so that they meet; the others need care in paths, in Go source and
// in JSON.
var names = []string{
	"a", "b", "c", "spec", "status", "name", "metadata", "apiVersion", "kind", "labels", "x.y", "", "items", "list", "value", "template",
	"foo-bar", "fooBar", "type", "func", "$ref", "x/y", "é", "日本", "\"", "\n", "%s", "0",
}

func (m *schemaMaker) name() string {
	if m.oneIn(3) {
		return pick(m.rng, names...)
	}
	return pick(m.rng, names[:12]...)
}

// root returns the schema of a resource.
func (m *schemaMaker) root() object {
	m.left = 5 + m.rng.IntN(60)
	s := m.object(m.opts.Depth, true)
	delete(s, "additionalProperties") // not at the root
	if m.oneIn(12) {
		s["x-kubernetes-embedded-resource"] = true
		if s["properties"] == nil {
			s["x-kubernetes-preserve-unknown-fields"] = true
		}
	}
	if m.opts.Values {
		m.addValues(s, true)
	}
	return s
}

// value returns the schema of any value.
func (m *schemaMaker) value(depth int) object {
	m.left--
	if depth <= 0 || m.left <= 0 {
		return m.scalar()
	}
	var s object
	switch m.rng.IntN(10) {
	case 0, 1:
		s = m.scalar()
	case 2:
		s = object{"x-kubernetes-int-or-string": true}
		if m.oneIn(2) {
			s["anyOf"] = []any{object{"type": "integer"}, object{"type": "string"}}
		}
	case 3:
		s = object{"x-kubernetes-preserve-unknown-fields": true}
		if m.oneIn(3) {
			s["type"] = pick(m.rng, "object", "string", "integer")
		}
	case 4, 5:
		s = object{"type": "array", "items": m.value(depth - 1)}
		if m.oneIn(4) {
			s["x-kubernetes-preserve-unknown-fields"] = true
		}
	case 6:
		s = m.object(depth, true)
		delete(s, "additionalProperties")
		s["x-kubernetes-embedded-resource"] = true
		if s["properties"] == nil || m.oneIn(3) {
			s["x-kubernetes-preserve-unknown-fields"] = true
		}
	default:
		s = m.object(depth, false)
	}
	if m.oneIn(8) {
		s["nullable"] = true
	}
	// Nobody writes fields and elements of something that is neither an object nor a list, but pruning follows the value all the same.
	if m.oneIn(10) && s["properties"] == nil && s["x-kubernetes-embedded-resource"] == nil {
		s["properties"] = object{"a": m.value(depth - 1), "b": m.scalar()}
	}
	if m.oneIn(10) && s["items"] == nil {
		s["items"] = m.value(depth - 1)
	}
	if m.opts.Loose && m.oneIn(6) {
		delete(s, "type")
	}
	if m.opts.Defaults && m.oneIn(6) {
		s["default"] = m.fitting(s)
	}
	return s
}

// fitting returns a value that the schema s allows, nearly always: now and then it is null, or has an unknown field.
func (m *schemaMaker) fitting(s object) any {
	if m.oneIn(20) {
		return nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("specimen: a schema is not JSON: %v", err))
	}
	written, _ := crdread.ParseSchema("schema", data)
	schema, _ := structural.NewSchema(written, nil)
	v := (&specimen.Maker{Rand: m.rng}).Value(schema, 60).Value()
	if obj, ok := v.(object); ok && m.oneIn(5) {
		obj["unspecified"] = object{"a": 1}
	}
	return v
}

func (m *schemaMaker) scalar() object {
	s := object{"type": pick(m.rng, "string", "integer", "number", "boolean", "object")}
	if m.oneIn(8) {
		s["nullable"] = true
	}
	return s
}

// object returns a schema for maps: with named fields, with any, with both, with neither. In a resource, apiVersion, kind
// and metadata have the schemas they must have.
func (m *schemaMaker) object(depth int, resource bool) object {
	s := object{"type": "object"}
	kind := m.rng.IntN(8)
	if kind < 6 {
		properties := object{}
		for range 1 + m.rng.IntN(5) {
			switch k := m.name(); {
			case resource && k == "metadata":
				properties[k] = object{"type": "object"}
			case resource && (k == "apiVersion" || k == "kind"):
				properties[k] = object{"type": "string"}
			default:
				properties[k] = m.value(depth - 1)
			}
		}
		if m.oneIn(12) { // generated code goes through an object with many fields in another way
			for i := range 12 {
				properties[fmt.Sprintf("more%d", i)] = m.scalar()
			}
		}
		s["properties"] = properties
	}
	if kind == 5 || kind == 6 {
		s["additionalProperties"] = pick[any](m.rng, true, false, m.value(depth-1), m.value(depth-1))
	}
	if m.oneIn(5) {
		s["x-kubernetes-preserve-unknown-fields"] = true
	}
	return s
}
