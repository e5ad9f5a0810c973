package specimen

import (
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// Value returns a value for s, with what is required and little else. If aim is not nil, it is a value for the sake of what that says; its
// path does not matter.
func Value(s *structural.Schema, seed uint64, aim *Aim) any {
	s = orNone(s)
	m := &maker{rng: newRand(seed)}
	if aim != nil {
		at := *aim
		at.Path = []*structural.Schema{s}
		m.aimAt(&at)
	}
	v := m.value(s, 0).value()
	if m.aim != nil {
		m.aim.twins(m, v)
	}
	return v
}

// Violate returns a value for s that violates a keyword, or is at its border. Without the name of one, it is one of those of s and of its
// junctors. It reports false if there is none.
func Violate(s *structural.Schema, name string, seed uint64) (any, bool) {
	s = orNone(s)
	own := *s
	own.Properties, own.Items, own.AdditionalProperties = nil, nil, nil
	var all []keyword
	for _, k := range keywords(&own) {
		if name == "" || strings.HasSuffix(k.name, "."+name) {
			all = append(all, k)
		}
	}
	m := &maker{rng: newRand(seed)}
	n := m.value(s, 0)
	if len(all) == 0 {
		return nil, false
	}
	k := pick(m.rng, all...)
	at := k.at(m, n)
	if at == nil {
		return nil, false
	}
	if at.schema == nil || at.schema == &own {
		at.schema = s
	}
	k.violate(m, at)
	return n.value(), true
}
