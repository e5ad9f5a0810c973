package prunecel

import (
	"errors"
	"fmt"
)

// program is an expression that can be evaluated.
type program struct{ root node }

// CostLimit is what one evaluation may cost.
const CostLimit = 1_000_000

// errCostLimit is the error of an evaluation that costs more than CostLimit.
var errCostLimit error = errors.New("operation cancelled: actual cost limit exceeded")

// costLimitError ends an evaluation that costs too much.
type costLimitError struct{}

// internalError ends an evaluation in which the API server panics and recovers. It is the text of the panic.
type internalError string

func (e internalError) Error() string { return "internal error: " + string(e) }

// variables are what a rule can refer to. HasOld says whether there is a value OldSelf.
type variables struct {
	Self, OldSelf any
	HasOld        bool
}

// evaluate returns the value of the expression and its cost, which equals that of the API server. The limit bounds the cost.
func (p *program) evaluate(vars variables, limit int64) (value any, cost uint64, err error) {
	f := &frame{costs: &costs{limit: uint64(limit)}, vars: &vars}
	defer func() {
		cost = f.costs.sum
		switch r := recover().(type) {
		case nil:
		case costLimitError:
			value, err = nil, errCostLimit
		case internalError:
			value, err = nil, r
		default:
			panic(r)
		}
	}()
	value = p.root.exec(f)
	if e, ok := value.(error); ok {
		return nil, 0, e
	}
	return value, 0, nil
}

// frame holds the variables of an evaluation. Each comprehension has one of its own.
type frame struct {
	costs  *costs
	vars   *variables
	parent *frame

	fold        *fold
	accu        any
	hasAccu     bool
	isResult    bool // the variables of the comprehension are gone
	first, next any
}

// lookup returns the value of a variable.
func (f *frame) lookup(name string) (any, bool) {
	for ; f.fold != nil; f = f.parent {
		switch {
		case name == f.fold.accuVar:
			if !f.hasAccu {
				f.hasAccu = true
				f.accu = f.fold.start.exec(f.parent)
				switch v := f.accu.(type) { // the steps change it
				case *Map:
					if len(v.keys) == 0 {
						f.accu = newMap()
					}
				case []any:
					if len(v) == 0 {
						f.accu = newList(0)
					}
				}
			}
			return f.accu, true
		case f.isResult:
		case name == f.fold.var1:
			return f.first, true
		case name == f.fold.var2 && name != "":
			return f.next, true
		}
	}
	switch name {
	case "self":
		return f.vars.Self, true
	case "oldSelf":
		return f.vars.OldSelf, f.vars.HasOld
	}
	return nil, false
}

// costs counts what an evaluation costs. The cost of a call depends on its arguments, so it remembers the values of expressions until the
// call that uses them. Like the API server it forgets a value together with all later ones, and finds values that were left over.
type costs struct {
	sum   uint64
	limit uint64
	stack []seen
	// none has, for expressions that were not found, the number of values at the bottom of the stack that are known not to be theirs.
	// Errors leave values on the stack, and each expression would search all of them again and again.
	none map[*Expr]int
	// most is the largest number in none.
	most int
}

type seen struct {
	value any
	of    *Expr
}

// observe remembers the value of an expression, and returns it.
func (c *costs) observe(v any, of *Expr) any {
	c.stack = append(c.stack, seen{v, of})
	if c.sum > c.limit {
		panic(costLimitError{})
	}
	return v
}

// forget forgets the last value of an expression and all values after it, and returns it. It reports false if there is none.
func (c *costs) forget(of *Expr) (any, bool) {
	none := c.none[of]
	for i := len(c.stack) - 1; i >= none; i-- {
		if c.stack[i].of == of {
			v := c.stack[i].value
			c.stack = c.stack[:i]
			if i < c.most {
				for e, n := range c.none {
					c.none[e] = min(n, i)
				}
				c.most = i
			}
			return v, true
		}
	}
	if c.none == nil {
		c.none = map[*Expr]int{}
	}
	c.none[of], c.most = len(c.stack), len(c.stack)
	return nil, false
}

// drop forgets the values of some expressions.
func (c *costs) drop(of ...*Expr) {
	for _, e := range of {
		c.forget(e)
	}
}

// take forgets the values of some expressions and returns them. It reports false if one is missing.
func (c *costs) take(of []node) ([]any, bool) {
	values := make([]any, len(of))
	for n := len(of) - 1; n >= 0; n-- {
		v, ok := c.forget(of[n].id())
		if !ok {
			return nil, false
		}
		values[n] = v
	}
	return values, true
}

// node is an expression that is ready to be evaluated.
type node interface {
	id() *Expr
	exec(f *frame) any // a value, or an error
}

// origin is the expression of a node.
type origin struct{ of *Expr }

func (o origin) id() *Expr { return o.of }

// isError reports whether a value is an error.
func isError(v any) bool {
	_, ok := v.(error)
	return ok
}

// constant is a constant, or an expression whose value was computed ahead.
type constant struct {
	origin
	value any
}

func (n *constant) exec(f *frame) any { return f.costs.observe(n.value, n.of) }

// junction is && or ||. Its value is that of the first operand that decides, or else the first error.
type junction struct {
	origin
	terms   []node
	decides bool
}

func (n *junction) exec(f *frame) any {
	v := n.eval(f)
	for _, t := range n.terms {
		f.costs.drop(t.id())
	}
	return f.costs.observe(v, n.of)
}

func (n *junction) eval(f *frame) any {
	var failed any
	for _, t := range n.terms {
		v := t.exec(f)
		switch b, ok := v.(bool); {
		case ok && b == n.decides:
			return b
		case !ok && failed == nil:
			failed = v
			if !isError(v) {
				failed = errNoSuchOverload
			}
		}
	}
	if failed != nil {
		return failed
	}
	return !n.decides
}

// call is a call of a function whose arguments are all evaluated.
type call struct {
	origin
	args []node
	// fn is the function of the only overload; for several the arguments decide.
	fn func(args []any) (any, error)
	// cost is what a call costs, nil for 1.
	cost func(args []any, result any) uint64
	// inOrder says that an error in an argument ends the call.
	inOrder bool
	// takesErrors says that the function is called with errors, too.
	takesErrors bool
}

func (n *call) exec(f *frame) any {
	v := n.eval(f)
	if args, ok := f.costs.take(n.args); ok {
		if n.cost == nil {
			f.costs.sum++
		} else {
			f.costs.sum += n.cost(args, v)
		}
	}
	return f.costs.observe(v, n.of)
}

func (n *call) eval(f *frame) any {
	values := make([]any, len(n.args))
	var failed any
	for i, a := range n.args {
		values[i] = a.exec(f)
		if !n.takesErrors && isError(values[i]) {
			if n.inOrder {
				return values[i]
			}
			if failed == nil {
				failed = values[i]
			}
		}
	}
	if failed != nil {
		return failed
	}
	v, err := n.fn(values)
	if err != nil {
		return err
	}
	return v
}

// membership is in with a list of constants.
type membership struct {
	origin
	arg node
	set map[any]bool
}

func (n *membership) exec(f *frame) any {
	v := n.arg.exec(f)
	if !isError(v) {
		v = isScalar(v) && n.set[v]
	}
	return f.costs.observe(v, n.of)
}

// otherwise is or and orValue of optionals, which evaluate their argument only where it is needed.
type otherwise struct {
	origin
	opt, rest node
	unwraps   bool
}

func (n *otherwise) exec(f *frame) any {
	v := n.opt.exec(f)
	if !isError(v) {
		switch opt, ok := v.(Optional); {
		case !ok:
			v = errNoSuchOverload
		case !opt.Present:
			v = n.rest.exec(f)
		case n.unwraps:
			v = opt.Value
		}
	}
	return f.costs.observe(v, n.of)
}

// literal makes a list, a map or a message.
type literal struct {
	origin
	args  []node
	cost  uint64
	value func(n *literal, f *frame) any
}

func (n *literal) exec(f *frame) any {
	v := n.value(n, f)
	f.costs.take(n.args)
	f.costs.sum += n.cost
	return f.costs.observe(v, n.of)
}

// element returns the value of element i, which has a key unless it is in a list. It reports false for an optional without a value.
func (n *literal) element(f *frame, i int, key any, arg node) (v any, present bool) {
	v = arg.exec(f)
	if isError(v) || n.of.Optional == nil || !n.of.Optional[i] {
		return v, true
	}
	opt, ok := v.(Optional)
	switch {
	case ok:
		return opt.Value, opt.Present
	case n.of.Op == OpList:
		return fmt.Errorf("cannot initialize optional list element from non-optional value %v", printed(v)), true
	}
	return fmt.Errorf("cannot initialize optional entry '%v' from non-optional value %v", printed(key), printed(v)), true
}

func (n *literal) list(f *frame) any {
	list := newList(len(n.args))
	for i, arg := range n.args {
		v, ok := n.element(f, i, nil, arg)
		switch {
		case isError(v):
			return v
		case ok:
			list = append(list, v)
		}
	}
	return list
}

// entries is for a map, whose args are keys and values in turn.
func (n *literal) entries(f *frame) any {
	m := newMap()
	for i := 0; i < len(n.args); i += 2 {
		k := n.args[i].exec(f)
		if isError(k) {
			return k
		}
		v, ok := n.element(f, i/2, k, n.args[i+1])
		switch {
		case isError(v):
			return v
		case ok:
			m.set(k, v)
		default:
			m.remove(k)
		}
	}
	return m
}

// fold is a comprehension.
type fold struct {
	origin
	var1, var2, accuVar            string
	over, start, cond, step, yield node
}

func (n *fold) exec(f *frame) any {
	v := n.eval(f)
	f.costs.drop(n.over.id())
	return f.costs.observe(v, n.of)
}

func (n *fold) eval(f *frame) any {
	over := n.over.exec(f)
	if isError(over) {
		return over
	}
	inner := &frame{costs: f.costs, vars: f.vars, parent: f, fold: n}
	if !n.each(inner, over) {
		if n.var2 != "" {
			return fmt.Errorf("unsupported comprehension range type: %s", goType(over))
		}
		return fmt.Errorf("got '%s', expected iterable type", goType(over))
	}
	inner.isResult = true
	return n.yield.exec(inner)
}

// each takes the step for each element of a list, or for each key of a map; with two variables for each index and element, or key and
// value. It reports whether over is one of them.
func (n *fold) each(f *frame, over any) bool {
	switch over := over.(type) {
	case *Map:
		for i, k := range over.keys {
			if !n.goOn(f, k, over.values[i]) {
				break
			}
		}
		return true
	case *objectValue:
		for _, k := range over.iterated() {
			var v any
			if n.var2 != "" {
				var ok bool
				if v, ok = over.find(k); !ok {
					v = fmt.Errorf("no such key: %v", k)
				}
			}
			if !n.goOn(f, k, v) {
				break
			}
		}
		return true
	}
	size, at, ok := elements(over)
	for i := range size {
		first, next := at(i), any(nil)
		if n.var2 != "" {
			first, next = int64(i), first
		}
		if !n.goOn(f, first, next) {
			break
		}
	}
	return ok
}

// goOn takes a step, and reports whether the loop may go on.
func (n *fold) goOn(f *frame, first, next any) bool {
	f.first, f.next = first, next
	if n.cond.exec(f) == false {
		return false
	}
	f.accu = n.step.exec(f)
	f.hasAccu = true
	return true
}
