package celrules

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Implies reports whether a rule evidently holds for all values for which the other ones hold, whatever the values: a || b holds where a
// does, and so does a where a && b does.
func Implies(others []string, rule string) bool {
	var given []ast.Expr
	for _, other := range others {
		if e := parseProvable(other); e != nil {
			given = append(given, e)
		}
	}
	e := parseProvable(rule)
	if e == nil {
		return false
	}
	p := &proof{keys: map[ast.Expr]string{}, known: map[[2]claim]bool{}}
	// Each part of the rule can follow from another one.
	return !slices.ContainsFunc(conjuncts(e), func(part ast.Expr) bool {
		return !slices.ContainsFunc(given, func(e ast.Expr) bool { return p.implies(claim{e, true}, claim{part, true}) })
	})
}

// parseProvable returns a rule as an expression, nil if it does not parse or nothing is proven about it: optional values have fields that
// are missing without an error, and of two variables it is not known what they stand for.
func parseProvable(rule string) ast.Expr {
	if len(rule) > meter.Rule {
		return nil
	}
	parsed, issues := Stored(kubeversion.Newest).Env().Parse(rule)
	if issues.Err() != nil {
		return nil
	}
	root := parsed.NativeRep().Expr()
	isHard := shadows(root)
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		isHard = isHard || isCall(e, operators.OptSelect) || isCall(e, operators.OptIndex) || e.Kind() == ast.IdentKind && e.AsIdent() == "optional" ||
			e.Kind() == ast.ComprehensionKind && e.AsComprehension().HasIterVar2()
	}))
	if isHard {
		return nil
	}
	return root
}

// shadows reports whether a variable of an expression hides self or oldSelf.
func shadows(root ast.Expr) (found bool) {
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.ComprehensionKind {
			c := e.AsComprehension()
			found = found || slices.ContainsFunc([]string{c.IterVar(), c.IterVar2(), c.AccuVar()}, isSelf)
		}
	}))
	return found
}

func isSelf(variable string) bool { return variable == Self || variable == OldSelf }

// claim is that an expression is true, or false, and not an error.
type claim struct {
	expr ast.Expr
	is   bool
}

// proof compares the claims of rules.
type proof struct {
	keys  map[ast.Expr]string
	known map[[2]claim]bool
	steps int
}

// key is keyOf, once for each expression.
func (p *proof) key(e ast.Expr) string {
	k, ok := p.keys[e]
	if !ok {
		k = keyOf(e)
		p.keys[e] = k
	}
	return k
}

// implies reports whether b follows from a.
func (p *proof) implies(a, b claim) bool {
	pair := [2]claim{a, b}
	if known, ok := p.known[pair]; ok {
		return known
	}
	if p.steps++; p.steps > meter.RuleSteps {
		return false
	}
	p.known[pair] = p.follows(a, b)
	return p.known[pair]
}

func (p *proof) follows(a, b claim) bool {
	switch {
	case a.is == b.is && p.key(a.expr) == p.key(b.expr), b.expr.Kind() == ast.LiteralKind && b.expr.AsLiteral() == types.Bool(b.is):
		return true
	case b.is && p.isRead(b.expr, a.expr):
		return true
	}
	if e, ok := negated(a.expr); ok {
		return p.implies(claim{e, !a.is}, b)
	}
	if e, ok := negated(b.expr); ok {
		return p.implies(a, claim{e, !b.is})
	}
	// What && and || say does not depend on an error on their other side.
	parts, all := b.parts()
	holds := func(part claim) bool { return p.implies(a, part) }
	if parts != nil && (all && holds(parts[0]) && holds(parts[1]) || !all && slices.ContainsFunc(parts, holds)) {
		return true
	}
	parts, all = a.parts()
	leads := func(part claim) bool { return p.implies(part, b) }
	if parts != nil && (!all && leads(parts[0]) && leads(parts[1]) || all && slices.ContainsFunc(parts, leads)) {
		return true
	}
	return p.chosen(a, b) || a.is == b.is && p.loops(a.expr, b.expr, func(x, y ast.Expr) bool { return p.implies(claim{x, a.is}, claim{y, b.is}) })
}

// parts returns the two claims that a claim about && or || stands for, and whether both must hold.
func (c claim) parts() (parts []claim, all bool) {
	isAnd := isCall(c.expr, operators.LogicalAnd)
	if !isAnd && !isCall(c.expr, operators.LogicalOr) {
		return nil, false
	}
	args := c.expr.AsCall().Args()
	return []claim{{args[0], c.is}, {args[1], c.is}}, isAnd == c.is
}

// chosen is implies for expressions of the form c ? x : y.
func (p *proof) chosen(a, b claim) bool {
	if isCall(a.expr, operators.Conditional) {
		from := a.expr.AsCall().Args()
		if p.implies(claim{from[1], a.is}, b) && p.implies(claim{from[2], a.is}, b) {
			return true
		}
	}
	if !isCall(b.expr, operators.Conditional) {
		return false
	}
	to := b.expr.AsCall().Args()
	either := func(from ast.Expr) bool {
		return p.implies(claim{from, a.is}, claim{to[1], b.is}) && p.implies(claim{from, a.is}, claim{to[2], b.is})
	}
	if isTotal(to[0], a.expr) && either(a.expr) {
		return true
	}
	if !isCall(a.expr, operators.Conditional) {
		return false
	}
	from := a.expr.AsCall().Args()
	if p.key(from[0]) == p.key(to[0]) {
		return p.implies(claim{from[1], a.is}, claim{to[1], b.is}) && p.implies(claim{from[2], a.is}, claim{to[2], b.is})
	}
	more, ok := p.more(from[0], to[0]) // the condition holds for fewer values
	return ok && !slices.ContainsFunc(more, func(e ast.Expr) bool { return !isTotal(e, from[0]) }) && either(from[1]) && p.implies(claim{from[2], a.is}, claim{to[2], b.is})
}

// loops compares two comprehensions that differ in what they say about an element: by holds if all or some elements decide, as in all
// and exists.
func (p *proof) loops(a, b ast.Expr, holds func(x, y ast.Expr) bool) bool {
	if a.Kind() != ast.ComprehensionKind || b.Kind() != ast.ComprehensionKind {
		return false
	}
	x, y := a.AsComprehension(), b.AsComprehension()
	if x.IterVar() != y.IterVar() || x.IterVar2() != y.IterVar2() || x.AccuVar() != y.AccuVar() || p.key(x.IterRange()) != p.key(y.IterRange()) ||
		p.key(x.AccuInit()) != p.key(y.AccuInit()) || p.key(x.LoopCondition()) != p.key(y.LoopCondition()) || p.key(x.Result()) != p.key(y.Result()) {
		return false
	}
	for _, op := range []string{operators.LogicalAnd, operators.LogicalOr} {
		if isCall(x.LoopStep(), op) && isCall(y.LoopStep(), op) {
			return holds(x.LoopStep().AsCall().Args()[1], y.LoopStep().AsCall().Args()[1])
		}
	}
	return p.same(x.LoopStep(), y.LoopStep())
}

// same reports whether b is the same as a wherever a is not an error: it can also ask with has for a field that a reads.
func (p *proof) same(a, b ast.Expr) bool {
	if p.steps++; p.steps > meter.RuleSteps {
		return false
	}
	if p.key(a) == p.key(b) {
		return true
	}
	more, ok := p.more(a, b)
	if ok && !slices.ContainsFunc(more, func(e ast.Expr) bool {
		return !slices.ContainsFunc(conjuncts(a), func(part ast.Expr) bool { return p.isRead(e, part) })
	}) {
		return true
	}
	if p.loops(a, b, p.same) {
		return true
	}
	if b.Kind() != ast.CallKind || !isCall(a, b.AsCall().FunctionName()) {
		return false
	}
	from, to := operands(a.AsCall()), operands(b.AsCall())
	return len(from) == len(to) && a.AsCall().IsMemberFunction() == b.AsCall().IsMemberFunction() && slices.EqualFunc(from, to, p.same)
}

// more returns the conjuncts of b that a does not have. It is not ok if a has others than b.
func (p *proof) more(a, b ast.Expr) (more []ast.Expr, ok bool) {
	from, more := conjuncts(a), conjuncts(b)
	if p.steps += len(from) * len(more); p.steps > meter.RuleSteps {
		return nil, false
	}
	for _, e := range from {
		n := len(more)
		if more = slices.DeleteFunc(more, func(other ast.Expr) bool { return p.key(e) == p.key(other) }); len(more) == n {
			return nil, false
		}
	}
	return more, true
}

// isRead reports whether has is a question for a field that an expression reads: it is an error without the field.
func (p *proof) isRead(has, e ast.Expr) bool {
	if has.Kind() != ast.SelectKind || !has.AsSelect().IsTestOnly() {
		return false
	}
	switch e.Kind() {
	case ast.SelectKind:
		field := has.AsSelect()
		isField := !e.AsSelect().IsTestOnly() && e.AsSelect().FieldName() == field.FieldName() && p.key(e.AsSelect().Operand()) == p.key(field.Operand())
		return isField || p.isRead(has, e.AsSelect().Operand())
	case ast.CallKind:
		switch e.AsCall().FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.Conditional, operators.NotStrictlyFalse, "or", "orValue": // may not look at all arguments
			return false
		}
		return slices.ContainsFunc(operands(e.AsCall()), func(arg ast.Expr) bool { return p.isRead(has, arg) })
	}
	return false
}

// isTotal reports whether an expression is never an error where another one is none.
func isTotal(e, other ast.Expr) bool {
	if inner, ok := negated(e); ok {
		return isTotal(inner, other)
	}
	if parts, _ := (claim{e, true}).parts(); parts != nil {
		return isTotal(parts[0].expr, other) && isTotal(parts[1].expr, other)
	}
	if e.Kind() != ast.SelectKind || !e.AsSelect().IsTestOnly() || e.AsSelect().Operand().Kind() != ast.IdentKind {
		return false
	}
	variable := e.AsSelect().Operand().AsIdent()
	return isSelf(variable) || failsForNull(other, variable)
}

// failsForNull reports whether an expression is an error where a variable is null, as the elements of a list can be.
func failsForNull(e ast.Expr, variable string) bool {
	fails := func(e ast.Expr) bool { return failsForNull(e, variable) }
	switch e.Kind() {
	case ast.SelectKind:
		return pathOf(e, variable) != nil
	case ast.CallKind:
		args := operands(e.AsCall())
		if parts, _ := (claim{e, true}).parts(); parts != nil {
			return fails(args[0]) && fails(args[1])
		}
		if isCall(e, operators.Conditional) {
			return fails(args[0])
		}
		return slices.ContainsFunc(args, fails)
	}
	return false
}

// conjuncts returns the parts of an expression a && b && c.
func conjuncts(e ast.Expr) []ast.Expr {
	if !isCall(e, operators.LogicalAnd) {
		return []ast.Expr{e}
	}
	args := e.AsCall().Args()
	return append(conjuncts(args[0]), conjuncts(args[1])...)
}

// operands returns all that a call is applied to.
func operands(c ast.CallExpr) []ast.Expr {
	if c.IsMemberFunction() {
		return append([]ast.Expr{c.Target()}, c.Args()...)
	}
	return c.Args()
}

func isCall(e ast.Expr, function string) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function
}

// negated returns what an expression negates.
func negated(e ast.Expr) (ast.Expr, bool) {
	if !isCall(e, operators.LogicalNot) {
		return nil, false
	}
	return e.AsCall().Args()[0], true
}
