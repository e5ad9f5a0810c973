package schemacases

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
)

// Mutate changes s, a schema as JSON, in n places: keywords are added, removed, moved below junctors, copied from
// elsewhere, and given values of the wrong type. The same schema and seed give the same result.
func Mutate(s Object, seed uint64, n int) {
	m := &mutator{rng: rand.New(rand.NewPCG(seed, 0x7665726469637473)), root: s}
	for range n {
		m.collect(s)
		m.mutate(m.nodes[m.rng.IntN(len(m.nodes))])
	}
}

type mutator struct {
	rng   *rand.Rand
	root  Object
	nodes []Object // every schema in root
}

// collect lists the schemas in s, in the order of their paths.
func (m *mutator) collect(s Object) {
	m.nodes = m.nodes[:0]
	m.add(s, 0)
}

func (m *mutator) add(v any, depth int) {
	s, ok := v.(Object)
	if !ok || depth > 200 {
		return
	}
	m.nodes = append(m.nodes, s)
	for _, k := range slices.Sorted(maps.Keys(s)) {
		switch k {
		case "items", "not", "additionalProperties", "additionalItems":
			m.add(s[k], depth+1)
			fallthrough
		case "allOf", "anyOf", "oneOf":
			if list, ok := s[k].([]any); ok {
				for _, e := range list {
					m.add(e, depth+1)
				}
			}
		case "properties", "patternProperties", "definitions":
			if p, ok := s[k].(Object); ok {
				for _, name := range slices.Sorted(maps.Keys(p)) {
					m.add(p[name], depth+1)
				}
			}
		}
	}
}

func (m *mutator) mutate(s Object) {
	switch m.rng.IntN(12) {
	case 0, 1: // remove a keyword
		if keys := slices.Sorted(maps.Keys(s)); len(keys) > 0 {
			delete(s, keys[m.rng.IntN(len(keys))])
		}
	case 2, 3, 4: // add a keyword
		k := m.keyword()
		s[k] = jsonvalue.Copy(keywords[k])
	case 5: // another type
		s["type"] = []string{"", "object", "array", "string", "integer", "number", "boolean", "null", "any"}[m.rng.IntN(9)]
	case 6: // a keyword without content
		s[m.keyword()] = []any{nil, "", false, int64(0), []any{}, Object{}}[m.rng.IntN(6)]
	case 7, 8: // a copy of another schema, or of this one, below a junctor
		other := m.nodes[m.rng.IntN(len(m.nodes))]
		if m.rng.IntN(2) == 0 {
			other = s
		}
		if jsonvalue.Size(other) < 5000 { // so that copies of copies stay small
			with(s, []string{"allOf", "anyOf", "oneOf", "not"}[m.rng.IntN(4)], jsonvalue.Copy(other))
		}
	case 9: // one of the patterns of int-or-string
		s["x-kubernetes-int-or-string"] = m.rng.IntN(4) > 0
		if m.rng.IntN(2) == 0 {
			s["anyOf"] = intOrString()
		} else {
			s["allOf"] = []any{Object{"anyOf": intOrString()}, Object{"minimum": int64(1)}}
		}
	case 10: // a property that means something at the root
		p, ok := s["properties"].(Object)
		if !ok {
			p = Object{}
			s["properties"] = p
		}
		p[[]string{"metadata", "kind", "apiVersion", "", "a.b"}[m.rng.IntN(5)]] =
			[]any{Object{}, Object{"type": "object"}, Object{"type": "string"}, Object{"type": "object", "properties": Object{"name": Object{}}}}[m.rng.IntN(4)]
	case 11: // a resource
		s["x-kubernetes-embedded-resource"] = true
	}
}

func (m *mutator) keyword() string {
	all := slices.Sorted(maps.Keys(keywords))
	return all[m.rng.IntN(len(all))]
}
