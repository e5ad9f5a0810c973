package prunecel

import (
	"errors"
	"fmt"
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
	v, _ := n.resolve(f)
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
	return f.costs.observe(v, n.id())
}

// resolve returns the value of the attribute. It reports false if it failed, with the error; a value can be an error, too.
func (a *attribute) resolve(f *frame) (any, bool) {
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
				return cond, false
			}
			return errNoSuchOverload, false
		}
	case a.operand != nil:
		v = a.operand.exec(f)
	default:
		var ok bool
		if v, ok = f.lookup(a.name); !ok {
			return errors.New("no such attribute(s): " + a.name), false
		}
	}
	if isError(v) {
		return v, false
	}
	opt, isOptional := v.(Optional)
	if isOptional {
		if !opt.Present || len(a.qualifiers) == 0 {
			return v, true
		}
		v = opt.Value
	}
	for _, q := range a.qualifiers {
		isOptional = isOptional || q.optional
		found, result := q.qualify(f, v, isOptional)
		switch {
		case result == qualifyFailed:
			return found, false
		case isOptional && result == qualifyMissing:
			return Optional{}, true
		}
		v = found
	}
	if isOptional {
		return Optional{v, true}, true
	}
	return v, true
}

// qualified is the outcome of a qualifier.
type qualified uint8

const (
	qualifyFailed qualified = iota // with an error
	qualifyMissing
	qualifyFound
)

// qualify returns the field or element of v. If it is optional, it may be missing; otherwise that is an error.
func (q *qualifier) qualify(f *frame, v any, optional bool) (found any, result qualified) {
	key, ok := q.key, true
	if q.by != nil {
		key, ok = q.by.resolve(f)
	}
	if ok {
		found, result = find(v, key, optional || q.tests)
	} else {
		found = key
	}
	if q.tests && !optional && result != qualifyFailed {
		found, result = result == qualifyFound, qualifyFound
	}
	if !optional || result == qualifyFound {
		q.observe(f, found)
	}
	return found, result
}

// observe counts the cost of a qualifier, which is 1.
func (q *qualifier) observe(f *frame, v any) {
	if q.computed {
		f.costs.drop(q.of)
	}
	f.costs.sum++
	f.costs.observe(v, q.of)
}

// find returns the value at a key or an index of v. A missing value is an error, unless it may be missing.
func find(v, key any, mayMiss bool) (any, qualified) {
	if !isScalar(key) {
		return fmt.Errorf("invalid qualifier type: %s", goType(key)), qualifyFailed
	}
	if isError(v) {
		return v, qualifyFailed
	}
	if _, lookup, ok := entries(v); ok {
		found, ok := lookup(key)
		switch {
		case isError(found):
			return found, qualifyFailed
		case ok:
			return found, qualifyFound
		case mayMiss:
			return nil, qualifyMissing
		}
		return fmt.Errorf("no such key: %v", key), qualifyFailed
	}
	if n, at, ok := elements(v); ok {
		i, err := index(key)
		if err != nil {
			return err, qualifyFailed
		}
		if i >= 0 && i < int64(n) {
			if l, ok := v.(*listValue); ok && l.Elem != nil {
				if _, ok := key.(int64); !ok {
					return fmt.Errorf("unsupported index: %v", key), qualifyFound
				}
			}
			return at(int(i)), qualifyFound
		}
		if mayMiss {
			return nil, qualifyMissing
		}
		return fmt.Errorf("index out of bounds: %v", key), qualifyFailed
	}
	if mayMiss {
		return nil, qualifyMissing
	}
	return fmt.Errorf("no such key: %v", key), qualifyFailed
}

// index returns the index that a number stands for.
func index(key any) (int64, error) {
	switch k := key.(type) {
	case int64:
		return k, nil
	case float64, uint64:
		if same := sameNumbers(k); len(same) > 0 {
			if i, ok := same[0].(int64); ok {
				return i, nil
			}
		}
		return 0, fmt.Errorf("unsupported index value %v in list", key)
	}
	return 0, fmt.Errorf("unsupported index type '%s' in list", typeOf(key))
}
