package prunecel

import (
	"errors"
	"fmt"
	"math"
)

// attribute is a variable, another expression or a choice between two attributes, with the fields and elements that are read from
// it. Like the API server it is one step, whose parts cost 1 each.
type attribute struct {
	of         *Expr // without qualifiers
	name       string
	operand    node    // if it is not a variable
	choice     *choice // if it is c ? a : b
	qualifiers []*qualifier
}

// choice is c ? a : b.
type choice struct {
	cond node
	a, b *attribute
}

// qualifier reads a field or an element.
type qualifier struct {
	of       *Expr
	key      any        // if it is a constant
	by       *attribute // if it is not
	computed bool       // by is not an attribute by itself
	optional bool
	tests    bool // has()
}

// last returns the expression whose value is that of the attribute.
func (a *attribute) last() *Expr {
	if a.choice != nil {
		if e := a.choice.a.last(); e == a.choice.b.last() {
			return e
		}
		return a.of
	}
	if n := len(a.qualifiers); n > 0 {
		return a.qualifiers[n-1].of
	}
	return a.of
}

// add adds a qualifier.
func (a *attribute) add(q *qualifier) {
	if a.choice != nil {
		a.choice.a.add(q)
		a.choice.b.add(q)
		return
	}
	a.qualifiers = append(a.qualifiers, q)
}

// read is the evaluation of an attribute, or of has() with one.
type read struct {
	*attribute
	test *Expr // has()
}

func (n *read) id() *Expr {
	if n.test != nil {
		return n.test
	}
	return n.last()
}

func (n *read) exec(f *frame) any {
	v := n.resolve(f)
	if opt, ok := v.(Optional); ok && n.test != nil {
		v = opt.Present
	}
	if c := n.choice; c != nil {
		f.costs.drop(c.b.last(), c.a.last(), c.cond.id())
	} else {
		f.costs.drop(n.last())
		f.costs.sum++
	}
	if n.test != nil {
		f.costs.sum--
	}
	f.costs.observe(v, n.id())
	return v
}

// resolve returns the value of the attribute.
func (a *attribute) resolve(f *frame) any {
	var v any
	switch {
	case a.choice != nil:
		switch cond := a.choice.cond.exec(f); cond {
		case true:
			return a.choice.a.resolve(f)
		case false:
			return a.choice.b.resolve(f)
		default:
			if isError(cond) {
				return cond
			}
			return errNoSuchOverload
		}
	case a.operand != nil:
		v = a.operand.exec(f)
	default:
		var ok bool
		if v, ok = f.lookup(a.name); !ok {
			return errors.New("no such attribute(s): " + a.name)
		}
	}
	if isError(v) {
		return v
	}
	opt, isOptional := v.(Optional)
	if isOptional {
		if !opt.Present || len(a.qualifiers) == 0 {
			return v
		}
		v = opt.Value
	}
	for _, q := range a.qualifiers {
		isOptional = isOptional || q.optional
		found, present := q.qualify(f, v, isOptional)
		if isError(found) {
			return found
		}
		if isOptional && !present {
			return Optional{}
		}
		v = found
	}
	if isOptional {
		return Optional{v, true}
	}
	return v
}

// qualify returns the field or element of v. If it is optional, it may be missing; otherwise that is an error.
func (q *qualifier) qualify(f *frame, v any, optional bool) (any, bool) {
	key := q.key
	if q.by != nil {
		key = q.by.resolve(f)
		if isError(key) {
			q.observe(f, key)
			return key, false
		}
	}
	found, present := find(v, key, optional || q.tests)
	switch {
	case isError(found):
		q.observe(f, found)
	case q.tests && !optional:
		found = present
		q.observe(f, found)
	case present || q.tests:
		q.observe(f, found)
	}
	return found, present
}

// observe counts the cost of a qualifier, which is 1.
func (q *qualifier) observe(f *frame, v any) {
	if q.computed {
		f.costs.drop(q.of)
	}
	f.costs.sum++
	f.costs.observe(v, q.of)
}

// find returns what v has at a key or an index. What is missing is an error, unless it may be.
func find(v, key any, mayMiss bool) (any, bool) {
	if isError(v) {
		return v, false
	}
	if !isKey(key) {
		return fmt.Errorf("invalid qualifier type: %s", goType(key)), false
	}
	if _, lookup, ok := entries(v); ok {
		if found, ok := lookup(key); ok {
			return found, true
		}
		if mayMiss {
			return nil, false
		}
		return fmt.Errorf("no such key: %v", key), false
	}
	if n, at, ok := elements(v); ok {
		i, err := index(key)
		if err != nil {
			return err, false
		}
		if i >= 0 && i < int64(n) {
			if l, ok := v.(*List); ok && l.Elem != nil {
				if _, ok := key.(int64); !ok {
					return fmt.Errorf("unsupported index: %v", key), false
				}
			}
			return at(int(i)), true
		}
		if mayMiss {
			return nil, false
		}
		return fmt.Errorf("index out of bounds: %v", key), false
	}
	if mayMiss {
		return nil, false
	}
	return fmt.Errorf("no such key: %v", key), false
}

// isKey reports whether a value can be a key or an index.
func isKey(v any) bool { return isScalar(v) }

// index returns the index that a number stands for.
func index(key any) (int64, error) {
	switch k := key.(type) {
	case int64:
		return k, nil
	case float64:
		if k >= math.MinInt64 && k < math.MaxInt64 && float64(int64(k)) == k {
			return int64(k), nil
		}
		return 0, fmt.Errorf("unsupported index value %v in list", key)
	case uint64:
		if k <= math.MaxInt64 {
			return int64(k), nil
		}
		return 0, fmt.Errorf("unsupported index value %v in list", key)
	}
	return 0, fmt.Errorf("unsupported index type '%s' in list", TypeOf(key))
}
