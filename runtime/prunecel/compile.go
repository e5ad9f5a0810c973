package prunecel

import (
	"fmt"
	"math"
	"regexp"
)

// newProgram makes the text of an expression ready to be evaluated. It fails where the API server does: on a conversion of a constant that fails, or a
// pattern that does not compile.
func newProgram(text string) (p *program, err error) {
	defer func() {
		if r := recover(); r != nil {
			internal, ok := r.(internalError)
			if !ok {
				panic(r)
			}
			p, err = nil, internal
		}
	}()
	e, err := ParseExpr(text)
	if err != nil {
		return nil, err
	}
	root, err := compile(e)
	if err != nil {
		return nil, err
	}
	return &program{root}, nil
}

// compile returns the node of an expression.
func compile(e *Expr) (node, error) {
	switch e.Op {
	case OpConst:
		return &constant{origin{e}, e.Const}, nil
	case OpIdent:
		return &read{attribute: &attribute{of: e, name: e.Name}}, nil
	case OpSelect, OpHas:
		return compileSelect(e)
	case OpList:
		return compileLiteral(e, 10, (*literal).list)
	case OpMap:
		return compileLiteral(e, 30, (*literal).entries)
	case OpFold:
		return compileFold(e)
	case OpMessage:
		return compileMessage(e)
	}
	args, err := compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	return compileCall(e, args)
}

func compileAll(exprs []*Expr) ([]node, error) {
	all := make([]node, len(exprs))
	for i, e := range exprs {
		n, err := compile(e)
		if err != nil {
			return nil, err
		}
		all[i] = n
	}
	return all, nil
}

// attributeOf returns the attribute that a node reads, or one that is the value of the node.
func attributeOf(n node, of *Expr) *attribute {
	if r, ok := n.(*read); ok && r.test == nil {
		return r.attribute
	}
	return &attribute{of: of, operand: n}
}

func compileSelect(e *Expr) (node, error) {
	operand, err := compile(e.Args[0])
	if err != nil {
		return nil, err
	}
	a := attributeOf(operand, operand.id())
	a.add(&qualifier{of: e, key: e.Name, tests: e.Op == OpHas})
	r := &read{attribute: a}
	if e.Op == OpHas {
		r.test = e
	}
	return r, nil
}

func compileIndex(e *Expr, args []node, optional bool) node {
	a := attributeOf(args[0], args[0].id())
	q := &qualifier{of: e, optional: optional}
	switch by := args[1].(type) {
	case *constant:
		q.key = by.value
	case *read:
		q.by = by.attribute
		if by.test != nil {
			q.by, q.computed = &attribute{of: e, operand: by}, true
		}
	default:
		q.by, q.computed = &attribute{of: e, operand: by}, true
	}
	a.add(q)
	return &read{attribute: a}
}

func compileChoice(e *Expr, args []node) node {
	return &read{attribute: &attribute{of: e, choice: &choice{
		cond: args[0], a: attributeOf(args[1], args[1].id()), b: attributeOf(args[2], args[2].id()),
	}}}
}

// compileLiteral returns the node of a list or a map, a constant if all its elements are.
func compileLiteral(e *Expr, cost uint64, value func(*literal, *frame) any) (node, error) {
	args, err := compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	n := &literal{origin{e}, args, cost, value}
	if !allConstant(args) {
		return n, nil
	}
	return fold1(e, n.value(n, newScratch()))
}

// newScratch returns a frame for expressions without variables whose cost does not matter.
func newScratch() *frame {
	return &frame{costs: &costs{limit: math.MaxUint64}, vars: &variables{}}
}

// fold1 returns the constant value of e. The API server does not make a program if a constant is an error.
func fold1(e *Expr, v any) (node, error) {
	if err, ok := v.(error); ok {
		return nil, err
	}
	return &constant{origin{e}, v}, nil
}

func allConstant(nodes []node) bool {
	for _, n := range nodes {
		if _, ok := n.(*constant); !ok {
			return false
		}
	}
	return true
}

func compileFold(e *Expr) (node, error) {
	args, err := compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	n := &fold{
		origin: origin{e}, var1: e.Var, var2: e.Var2, accuVar: e.Accu,
		over: args[FoldRange], start: args[FoldStart], cond: args[FoldCondition], step: args[FoldStep], yield: args[FoldResult],
	}
	n.growsList()
	return n, nil
}

// growsList makes a step that adds an element to the list so far do so in place: nothing else refers to that list.
func (n *fold) growsList() {
	step := n.step
	if r, ok := step.(*read); ok && r.choice != nil {
		step = r.choice.a.operand
	}
	c, ok := step.(*call)
	if !ok || c.of.Name != "_+_" {
		return
	}
	accu, ok := c.args[0].(*read)
	if !ok || accu.attribute.name != n.accuVar || len(accu.qualifiers) > 0 {
		return
	}
	add := c.fn
	c.fn = func(args []any) (any, error) {
		list, ok := args[0].([]any)
		more, ok2 := args[1].([]any)
		if !ok || !ok2 {
			return add(args)
		}
		return append(list[:len(list):cap(list)], more...), nil
	}
}

func compileCall(e *Expr, args []node) (node, error) {
	switch e.Name {
	case "_&&_":
		return &junction{origin{e}, args, false}, nil
	case "_||_":
		return &junction{origin{e}, args, true}, nil
	case "_?_:_":
		return compileChoice(e, args), nil
	case "_[_]":
		return compileIndex(e, args, false), nil
	case "_?._", "_[?_]":
		return compileIndex(e, args, true), nil
	case "or", "orValue":
		if len(args) == 2 && (e.Overload == "" || e.Overload == "optional_or_optional" || e.Overload == "optional_orValue_value") {
			return &otherwise{origin{e}, args[0], args[1], e.Name == "orValue"}, nil
		}
	case "@in":
		if c, ok := args[1].(*constant); ok && e.Overload == "in_list" {
			if n := newMembership(e, args[0], c.value); n != nil {
				return n, nil
			}
		}
	}
	n := &call{origin: origin{e}, args: args}
	if err := n.find(e); err != nil {
		return nil, err
	}
	if isConversion(e.Name) && len(args) == 1 && allConstant(args) {
		return fold1(e, n.eval(newScratch()))
	}
	return n, nil
}

// isConversion reports whether a function converts to another type.
func isConversion(name string) bool {
	switch name {
	case "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint":
		return true
	}
	return false
}

// newMembership returns a test for elements of a list of constants, or nil where some are not scalars.
func newMembership(e *Expr, arg node, list any) node {
	items, err := itemsOf(list)
	if err != nil {
		return nil
	}
	if len(items) == 0 {
		return &constant{origin{e}, false}
	}
	set := map[any]bool{}
	for _, v := range items {
		if !isScalar(v) {
			return nil
		}
		set[v] = true
		for _, other := range sameNumbers(v) {
			set[other] = true
		}
		switch v := v.(type) {
		case int64:
			set[float64(v)] = true
		case uint64:
			set[float64(v)] = true
		}
	}
	return &membership{origin{e}, arg, set}
}

// find sets the function and the cost of a call.
func (n *call) find(e *Expr) error {
	n.inOrder = len(e.Args) > 2
	switch e.Name {
	case "_==_":
		n.fn, n.cost = func(args []any) (any, error) { return isEqual(args[0], args[1]) }, costOfEqual
		return nil
	case "_!=_":
		n.fn, n.cost = func(args []any) (any, error) { return equal(args[0], args[1]) != any(true), nil }, costOfNotEqual
		return nil
	case "!_":
		n.fn = func(args []any) (any, error) {
			b, ok := args[0].(bool)
			if !ok {
				return nil, errNoSuchOverload
			}
			return !b, nil
		}
		return nil
	case "@not_strictly_false", "__not_strictly_false__":
		n.takesErrors = true
		n.fn = func(args []any) (any, error) {
			if isError(args[0]) {
				return true, nil
			}
			return args[0], nil
		}
		return nil
	case "@in":
		n.fn = func(args []any) (any, error) { return contains(args[1], args[0]) }
		if e.Overload == "in_list" {
			n.cost = func(args []any, _ any) uint64 { return costSize(args[1]) }
		}
		return nil
	case "size":
		n.fn = func(args []any) (any, error) { return sizeCall(args[0]) }
		return nil
	case "cel.@mapInsert":
		n.fn = mapInsert
		return nil
	}
	return n.findInTable(e)
}

// findInTable is find for the functions in the table.
func (n *call) findInTable(e *Expr) error {
	f := Lookup(e.Overload)
	if f == nil {
		n.inOrder = n.inOrder || dispatchesInOrder(e.Name)
		n.fn = func(args []any) (any, error) { return Dispatch(e.Name, args) }
		n.cost = func(args []any, result any) uint64 { return DispatchCost(e.Name, args, result) }
	} else {
		n.fn, n.cost = f.Call, f.Cost
		n.inOrder = n.inOrder || e.Overload == "string_format"
	}
	switch e.Name {
	case "matches", "find", "findAll":
		// A constant pattern is compiled once, and the call is evaluated as one of many arguments.
		if pattern, ok := n.args[1].(*constant); ok {
			text, ok := pattern.value.(string)
			if !ok {
				return nil
			}
			n.inOrder = true
			re, err := regexp.Compile(text)
			if err != nil {
				return err
			}
			n.fn = withPattern(e.Name, re)
		}
	}
	return nil
}

// dispatchesInOrder reports whether the arguments of a function with several overloads are evaluated up to the first error: the
// overload decides about the function then. Operators and some others have one function for all overloads.
func dispatchesInOrder(name string) bool {
	overloads := table().names[name]
	return len(overloads) > 1 && overloads[0].guard != guardOperator && overloads[0].guard != guardOperand
}

// withPattern returns a function of regular expressions with a constant pattern.
func withPattern(name string, re *regexp.Regexp) func([]any) (any, error) {
	return func(args []any) (any, error) {
		s, ok := args[0].(string)
		if !ok {
			return nil, errNoSuchOverload
		}
		switch name {
		case "matches":
			return re.MatchString(s), nil
		case "find":
			return re.FindString(s), nil
		}
		if len(args) == 3 {
			n, ok := args[2].(int64)
			if !ok {
				return nil, errNoSuchOverload
			}
			return findAll(re, s, n), nil
		}
		return findAll(re, s, -1), nil
	}
}

// contains is the operator in, for a list or a map.
func contains(in, v any) (bool, error) {
	switch in := in.(type) {
	case []any:
		for _, e := range in {
			if equalValues(v, e) == true {
				return true, nil
			}
		}
		return false, nil
	case *listValue:
		return in.contains(v)
	case *Map:
		_, ok := in.find(v)
		return ok, nil
	case *objectValue:
		found, ok := in.find(v)
		if err, failed := found.(error); failed {
			return false, err
		}
		return ok, nil
	}
	return false, errNoSuchOverload
}

// contains reports whether an element equals v. An element that cannot be compared is an error only where no other is equal.
func (l *listValue) contains(v any) (bool, error) {
	var failed error
	for i := range l.size() {
		var eq any
		if l.Elem == nil {
			eq = equalValues(v, l.at(i))
		} else {
			eq = equalValues(l.at(i), v)
		}
		if eq == true {
			return true, nil
		}
		if err, ok := eq.(error); ok && failed == nil && l.Elem != nil {
			failed = err
		}
	}
	return false, failed
}

// mapInsert adds entries to the map of a comprehension, to which nothing else refers.
func mapInsert(args []any) (any, error) {
	m, ok := args[0].(*Map)
	if !ok {
		return nil, errNoSuchOverload
	}
	insert := func(k, v any) error {
		if _, ok := m.find(k); ok {
			return fmt.Errorf("insert failed: key %v already exists", printed(k))
		}
		m.set(k, v)
		return nil
	}
	if len(args) == 3 {
		return m, insert(args[1], args[2])
	}
	more, ok := args[1].(*Map)
	if !ok {
		return nil, errNoSuchOverload
	}
	for i, k := range more.keys {
		if err := insert(k, more.values[i]); err != nil {
			return nil, err
		}
	}
	return m, nil
}
