package crdjudge

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
)

// schemaNode is a schema in the schema of a version, in which mutations happen.
type schemaNode struct {
	schema object
	around *schemaNode
	step   string // the name of a property, [] for the elements of a list, [*] for the values of a map
}

const (
	stepItems  = "[]"
	stepValues = "[*]"
)

func (n *schemaNode) isRoot() bool { return n.around == nil }

// path returns the steps that lead to n.
func (n *schemaNode) path() []string {
	if n.isRoot() {
		return nil
	}
	return append(n.around.path(), n.step)
}

// nodesOf returns a schema and all below it, without the metadata of the root.
func nodesOf(n *schemaNode) []*schemaNode {
	all := []*schemaNode{n}
	properties, _ := n.schema["properties"].(object)
	for _, k := range slices.Sorted(maps.Keys(properties)) {
		if s, ok := properties[k].(object); ok && !(n.isRoot() && (k == "metadata" || k == "kind" || k == "apiVersion")) {
			all = append(all, nodesOf(&schemaNode{s, n, k})...)
		}
	}
	if s, ok := n.schema["items"].(object); ok {
		all = append(all, nodesOf(&schemaNode{s, n, stepItems})...)
	}
	if s, ok := n.schema["additionalProperties"].(object); ok {
		all = append(all, nodesOf(&schemaNode{s, n, stepValues})...)
	}
	return all
}

// mutator changes the versions of CRDs at random.
type mutator struct {
	*rand.Rand
	version object
}

func (m *mutator) oneIn(n int) bool { return m.IntN(n) == 0 }

func choose[T any](m *mutator, all ...T) T { return all[m.IntN(len(all))] }

// mutate changes a copy of a version once. It returns the keyword that it has changed and the path of the schema, or false if there was nothing to change.
func mutate(r *rand.Rand, version object) (changed object, keyword string, path []string, ok bool) {
	m := &mutator{r, jsonvalue.Copy(version)}
	if m.oneIn(25) {
		keyword, path = m.subresources()
		return m.version, keyword, path, true
	}
	root := &schemaNode{schema: m.version["schema"].(object)}
	if m.oneIn(40) {
		m.rootMetadata(root.schema)
		return m.version, "metadata", nil, true
	}
	n := choose(m, nodesOf(root)...)
	keywords := slices.Sorted(maps.Keys(mutations))
	keyword = choose(m, keywords...)
	if m.oneIn(4) {
		keyword = "x-kubernetes-validations"
	}
	if !mutations[keyword](m, n) {
		return nil, "", nil, false
	}
	data, err := json.Marshal(m.version)
	if err != nil {
		panic(err)
	}
	changed, err = numbers.Decode(data)
	return changed, keyword, n.path(), err == nil
}

// mutations change a schema, by the keyword. They report whether they do.
var mutations = map[string]func(m *mutator, n *schemaNode) bool{
	"minimum":       about("minimum"),
	"maximum":       about("maximum"),
	"minLength":     about("minLength"),
	"maxLength":     about("maxLength"),
	"minItems":      about("minItems"),
	"maxItems":      about("maxItems"),
	"minProperties": about("minProperties"),
	"maxProperties": about("maxProperties"),
	"multipleOf":    about("multipleOf"),
	"pattern":       about("pattern"),
	"format":        about("format"),
	"enum":          about("enum"),
	"required":      about("required"),
	"allOf":         about("allOf"),
	"anyOf":         about("anyOf"),
	"oneOf":         about("oneOf"),
	"not":           about("not"),
	"exclusiveMinimum": func(m *mutator, n *schemaNode) bool {
		return n.schema["minimum"] != nil && m.toggle(n.schema, "exclusiveMinimum")
	},
	"exclusiveMaximum": func(m *mutator, n *schemaNode) bool {
		return n.schema["maximum"] != nil && m.toggle(n.schema, "exclusiveMaximum")
	},
	"type":                                 (*mutator).typ,
	"nullable":                             func(m *mutator, n *schemaNode) bool { return !n.isRoot() && m.toggle(n.schema, "nullable") },
	"default":                              (*mutator).defaultValue,
	"properties":                           (*mutator).properties,
	"additionalProperties":                 (*mutator).values,
	"items":                                (*mutator).items,
	"x-kubernetes-preserve-unknown-fields": (*mutator).preserve,
	"x-kubernetes-embedded-resource":       (*mutator).embedded,
	"x-kubernetes-int-or-string":           (*mutator).intOrString,
	"x-kubernetes-list-type":               (*mutator).listType,
	"x-kubernetes-map-type":                (*mutator).mapType,
	"x-kubernetes-validations":             (*mutator).rules,
}

// drop takes out a keyword, in one of two cases.
func (m *mutator) drop(s object, keyword string) bool {
	if s[keyword] == nil || !m.oneIn(2) {
		return false
	}
	delete(s, keyword)
	return true
}

func (m *mutator) toggle(s object, keyword string) bool {
	if s[keyword] == true {
		delete(s, keyword)
	} else {
		s[keyword] = true
	}
	return true
}

// about returns a mutation of a keyword of value validation: it is added or taken out, a number gets one of those beside it, and a list one element
// more or fewer.
func about(keyword string) func(*mutator, *schemaNode) bool {
	return func(m *mutator, n *schemaNode) bool {
		s := n.schema
		if m.drop(s, keyword) {
			return true
		}
		value := specimentest.Keyword(m.Rand, s, keyword)
		switch was := s[keyword].(type) {
		case int64:
			value = was + choose[int64](m, -1, 1)
		case []any:
			more, _ := value.([]any)
			if i := m.IntN(len(was)); len(was) > 1 && m.oneIn(2) {
				value = slices.Delete(slices.Clone(was), i, i+1)
			} else {
				value = append(slices.Clone(was), more...)
			}
		}
		if value == nil {
			return false
		}
		s[keyword] = value
		return true
	}
}

// small returns a small schema.
func (m *mutator) small() object {
	return specimentest.Schema(m.Uint64(), specimentest.SchemaOptions{Depth: m.IntN(3), Any: true, Values: m.oneIn(3)})
}

func (m *mutator) typ(n *schemaNode) bool {
	if n.isRoot() {
		return false
	}
	rules := n.schema["x-kubernetes-validations"]
	keep := m.oneIn(2)
	clear(n.schema)
	if maps.Copy(n.schema, m.small()); keep && rules != nil {
		n.schema["x-kubernetes-validations"] = rules
	}
	return true
}

func (m *mutator) defaultValue(n *schemaNode) bool {
	if n.isRoot() || n.step == stepItems {
		return false
	}
	if !m.drop(n.schema, "default") {
		n.schema["default"] = specimentest.Fitting(m.Rand, n.schema)
	}
	return true
}

// RandomVersion returns a version with a random schema.
func RandomVersion(seed uint64) object {
	s := specimentest.Schema(seed, specimentest.SchemaOptions{Depth: 3 + int(seed%2), Values: seed%4 > 1, Defaults: seed%4 == 0})
	v := object{"schema": s}
	if seed%3 == 0 {
		v["subresources"] = object{"status": object{}}
	}
	return v
}
