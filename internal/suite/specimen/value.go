package specimen

import (
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// Value returns a value for s, with what is required and little else. If aim is not nil, the value is made for it; its path does not
// matter.
func Value(s *structural.Schema, seed uint64, aim *Aim) any {
	s = orNone(s)
	m := &Maker{Rand: newRand(seed)}
	if aim != nil {
		at := *aim
		at.Path = []*structural.Schema{s}
		m.aimAt(&at)
	}
	v := m.Value(s, 0).Value()
	if m.aim != nil {
		m.aim.twins(m, v)
	}
	return v
}

// Violate returns a value for s that violates a keyword, or is at its border. If no keyword is named, it is one of those of s and its
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
	m := &Maker{Rand: newRand(seed)}
	n := m.Value(s, 0)
	if len(all) == 0 {
		return nil, false
	}
	k := pick(m.Rand, all...)
	at := k.at(m, n)
	if at == nil {
		return nil, false
	}
	if at.Schema == nil || at.Schema == &own {
		at.Schema = s
	}
	k.violate(m, at)
	return n.Value(), true
}
