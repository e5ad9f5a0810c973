package interpret

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// correlation is a value together with the one in its place before an update. The nil correlation is a
// value without a known predecessor.
type correlation struct {
	new, old any
	schema   *structural.JSONSchema

	fields map[string]*correlation
	// items are the elements of a list map before the update.
	items     map[int]*correlation
	byKey     map[any]any // the elements of the old list
	isKeyed   bool        // byKey is made
	equal     bool
	isDecided bool // equal is
}

// field returns the field k of an object at a path. A field is known if the schema has a place for it. The API server
// leaves out apiVersion and kind of the root, where it cannot see a change.
func (c *correlation) field(k string, at *structural.Path) *correlation {
	if at.InBody() == "" && (k == "apiVersion" || k == "kind") {
		return nil
	}
	return c.key(k)
}

// key is field for all fields.
func (c *correlation) key(k string) *correlation {
	if c == nil || c.schema == nil {
		return nil
	}
	if below, ok := c.fields[k]; ok {
		return below
	}
	before, _ := c.old.(map[string]any)
	after, _ := c.new.(map[string]any)
	was, hadIt := before[k]
	is, hasIt := after[k]
	if !hadIt || !hasIt {
		return nil
	}
	schema := c.schema.Field(k)
	if schema == nil {
		return nil
	}
	below := &correlation{new: is, old: was, schema: schema}
	if c.fields == nil {
		c.fields = map[string]*correlation{}
	}
	c.fields[k] = below
	return below
}

// index returns element i of a list map. The elements of other lists are not known by themselves.
func (c *correlation) index(i int) *correlation {
	if !c.isListMap() {
		return nil
	}
	if below, ok := c.items[i]; ok {
		return below
	}
	is := c.new.([]any)[i]
	was := c.before(is)
	schema := c.schema.Elements()
	if was == nil || schema == nil {
		return nil
	}
	below := &correlation{new: is, old: was, schema: schema}
	if c.items == nil {
		c.items = map[int]*correlation{}
	}
	c.items[i] = below
	return below
}

// isListMap reports whether c is a list whose elements have keys, and was one before.
func (c *correlation) isListMap() bool {
	if c == nil || c.schema == nil || c.schema.XListType == nil || *c.schema.XListType != "map" {
		return false
	}
	_, isList := c.new.([]any)
	_, wasList := c.old.([]any)
	return isList && wasList
}

// before returns the first element of the old list that has the key of an element, nil for none.
func (c *correlation) before(element any) any {
	keys := c.schema.XListMapKeys
	if c.schema.Type != "array" || len(keys) == 0 {
		return nil
	}
	if !c.isKeyed {
		c.isKeyed = true
		c.byKey = map[any]any{}
		for _, e := range c.old.([]any) {
			if key, ok := elementKey(e, keys); ok {
				if _, taken := c.byKey[key]; !taken {
					c.byKey[key] = e
				}
			}
		}
	}
	if key, ok := elementKey(element, keys); ok {
		return c.byKey[key]
	}
	return nil
}

// elementKey returns what identifies an element of a list map: the value of its key, or a text of the values if there are several keys.
// All of them must be scalars.
func elementKey(element any, keys []string) (any, bool) {
	m, ok := element.(map[string]any)
	if !ok {
		return nil, false
	}
	var texts []string
	for _, k := range keys {
		v := m[k]
		format := ""
		switch v.(type) {
		case bool:
			format = "%t"
		case float64:
			format = "%f"
		case int64:
			format = "%d"
		case string:
			format = "%q"
		default:
			return nil, false
		}
		if len(keys) == 1 {
			return v, true
		}
		texts = append(texts, fmt.Sprintf(format, v))
	}
	return strings.Join(texts, "\x00"), true
}

// isEqual reports whether the value is unchanged; the nil correlation is not. A map with fields that the schema does not specify counts
// as changed, and the order of a list map does not matter.
func (c *correlation) isEqual() bool {
	if c == nil {
		return false
	}
	if !c.isDecided {
		c.equal, c.isDecided = c.compare(), true
	}
	return c.equal
}

func (c *correlation) compare() bool {
	switch is := c.new.(type) {
	case []any:
		was, ok := c.old.([]any)
		if !ok || len(is) != len(was) {
			return false
		}
		if !c.isListMap() {
			return reflect.DeepEqual(is, was)
		}
		for i := range is {
			if !c.index(i).isEqual() {
				return false
			}
		}
		return true
	case map[string]any:
		was, ok := c.old.(map[string]any)
		if !ok || len(is) != len(was) {
			return false
		}
		for k := range is {
			if !c.key(k).isEqual() {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(c.new, c.old)
}
