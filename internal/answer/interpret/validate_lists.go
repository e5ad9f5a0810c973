package interpret

import (
	"encoding/json"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// lists adds the duplicate elements of list sets and list maps.
func (c *objectErrors) lists(v any, s *structural.JSONSchema, at *structural.Path) {
	if s == nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sorted.Keys(v) {
			c.lists(v[k], s.Values(), at.Key(k)) // also if it is a property
			c.lists(v[k], s.Properties[k], at.Child(k))
		}
	case []any:
		if s.XListType != nil {
			switch *s.XListType {
			case "set":
				c.set(v, at, func(i int) any { return v[i] })
			case "map":
				c.listMap(v, s.XListMapKeys, at)
			}
		}
		for i, e := range v {
			c.lists(e, s.Elements(), at.Index(i))
		}
	}
}

// noKey stands for a missing key, which differs from null.
type noKey struct{}

// listMap adds the elements of a list map whose keys are those of another. Its elements can only be objects and nulls.
func (c *objectErrors) listMap(v []any, keys []string, at *structural.Path) {
	elements := make([]any, len(v))
	for i, e := range v {
		m, ok := e.(map[string]any)
		if !ok && e != nil {
			c.add(prunert.ErrorTypeInvalid, at.Index(i), e, "must be an object for an array of list-type map")
			return
		}
		if len(keys) == 1 {
			if elements[i], ok = m[keys[0]]; !ok {
				elements[i] = noKey{}
			}
			continue
		}
		key := map[string]any{}
		for _, k := range keys {
			if value, ok := m[k]; ok {
				key[k] = value
			}
		}
		elements[i] = key
	}
	c.set(elements, at, func(i int) any {
		switch {
		case len(keys) != 1:
			return elements[i]
		case elements[i] == any(noKey{}):
			return map[string]any{}
		}
		return map[string]any{keys[0]: elements[i]}
	})
}

// set adds the duplicate elements, each at its second place. Lists and objects are equal if their JSON is. The
// bad value of the element at i is value(i).
func (c *objectErrors) set(elements []any, at *structural.Path, value func(i int) any) {
	if len(elements) <= 1 {
		return
	}
	type text string // no scalar has this type
	times := make(map[any]int, len(elements))
	var twice []int
	for i, e := range elements {
		if isForeign(e) && e != any(noKey{}) {
			continue
		}
		switch e.(type) {
		case map[string]any, []any:
			data, err := json.Marshal(e)
			if err != nil {
				continue // it contains what no decoder makes: infinity, for example
			}
			e = text(data)
		}
		if times[e]++; times[e] == 2 {
			twice = append(twice, i)
		}
	}
	for _, i := range twice {
		c.add(prunert.ErrorTypeDuplicate, at.Index(i), value(i), "")
	}
}
