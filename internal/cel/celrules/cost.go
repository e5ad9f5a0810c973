package celrules

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

const (
	// maxFormatSize bounds the name of a format.
	maxFormatSize = 64
	// maxFormatPattern is the assumed length of a pattern that checks a format.
	maxFormatPattern = 128
)

// estimator estimates sizes from the limits of a schema, and costs of the functions that cel-go does not know. The API server
// decides with the same numbers which rules a CRD may have.
type estimator struct {
	environment Environment
	root        *Type        // of self
	asked       []sizeAnswer // the answers about sizes
}

// sizeAnswer is the answer about the size of the value at a path.
type sizeAnswer struct {
	path []string
	max  uint64
	ok   bool
}

// EstimateSize returns the bounds of the size of a value that is part of self or oldSelf, nil for others.
func (e *estimator) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	a := sizeAnswer{path: element.Path()}
	a.max, a.ok = e.maxElements(a.path)
	e.asked = append(e.asked, a)
	if !a.ok {
		return nil
	}
	return &checker.SizeEstimate{Max: a.max}
}

// maxElements returns the limit of the size of the value at a path. The boolean is false for what is not part of self or oldSelf.
func (e *estimator) maxElements(path []string) (uint64, bool) {
	if len(path) == 0 {
		return 0, false
	}
	t := e.root
	for _, step := range path[1:] {
		switch step {
		case "@items", "@values":
			if t = t.Elem; t == nil {
				return 0, false
			}
		case "@keys":
			if t.Kind != KindMap {
				return 0, false
			}
			t = &Type{Kind: KindString} // without a size, as in the server
		default:
			f := t.Fields[step]
			if f == nil {
				return 0, false
			}
			t = f.Type
		}
	}
	return uint64(t.MaxElements(e.environment)), true
}

// size returns the bounds of the size of a value, the widest ones if nothing is known about it.
func (e *estimator) size(n checker.AstNode) checker.SizeEstimate {
	if s := n.ComputedSize(); s != nil {
		return *s
	}
	if s := e.EstimateSize(n); s != nil {
		return *s
	}
	return checker.SizeEstimate{Max: math.MaxUint64}
}

// EstimateCallCost returns the bounds of the cost of a call, nil if cel-go is to estimate it.
func (e *estimator) EstimateCallCost(function, overload string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	if target != nil && *target == nil { // as older versions of cel-go have it for a function that has none
		target = nil
	}
	if overload == overloads.Matches && !e.environment.Has(kubeversion.GlobalMatches) {
		return callCost(once())
	}
	if f := prunecel.Lookup(overload); f != nil && f.Estimate != prunecel.EstimateElse {
		return e.operandCost(f.Estimate, target, args)
	}
	switch function {
	case "replace":
		if target != nil && len(args) >= 2 {
			size := e.size(*target)
			result := replacedSize(size, e.size(args[0]), e.size(args[1]))
			return &checker.CallEstimate{CostEstimate: size.MultiplyByCostFactor(2 * common.StringTraversalCostFactor), ResultSize: &result}
		}
	case "split":
		if target != nil {
			return e.splitCost(*target, args)
		}
	case "join":
		if target != nil {
			size := e.joinedSize(*target, args)
			return &checker.CallEstimate{CostEstimate: traversal(size), ResultSize: &size}
		}
	case "find", "findAll":
		if target != nil && len(args) >= 1 {
			size := e.size(*target)
			text := traversal(size.Add(checker.SizeEstimate{Min: 1, Max: 1})) // an empty text costs as much as its pattern
			pattern := e.size(args[0]).MultiplyByCostFactor(common.RegexStringLengthCostFactor)
			return &checker.CallEstimate{CostEstimate: text.Multiply(pattern), ResultSize: &checker.SizeEstimate{Max: size.Max}}
		}
	case "containsIP":
		if len(args) >= 1 {
			return callCost(e.containsCost(overload == "cidr_contains_ip_string", args[0], addressCost(2)))
		}
	case "containsCIDR":
		if len(args) >= 1 {
			base := addressCost(2).Add(addressCost(1)).Add(once())
			return callCost(e.containsCost(overload == "cidr_contains_cidr_string", args[0], base))
		}
	case "validate":
		if len(args) >= 1 {
			return callCost(traversal(e.size(args[0])).MultiplyByCostFactor(maxFormatPattern * common.RegexStringLengthCostFactor))
		}
	case "_==_":
		if len(args) == 2 {
			return equalityCost(args[0], args[1])
		}
	}
	return e.authorizerCost(function, args)
}

// operandCost returns the bounds of the cost of a call that depends on its first operand.
func (e *estimator) operandCost(by prunecel.Estimate, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	if target == nil {
		if len(args) == 0 {
			return nil
		}
		target = &args[0]
	}
	size := e.size(*target)
	switch by {
	case prunecel.EstimateRead:
		return callCost(traversal(size))
	case prunecel.EstimateReadTwice:
		return callCost(size.MultiplyByCostFactor(2 * common.StringTraversalCostFactor))
	case prunecel.EstimateCopy:
		return &checker.CallEstimate{CostEstimate: traversal(size), ResultSize: &size}
	}
	each := once()
	elem := elementNode(*target)
	switch {
	case elem != nil:
		if k := elem.Type().Kind(); k == types.StringKind || k == types.BytesKind {
			each = each.Add(traversal(e.size(elem)))
		}
	case by == prunecel.EstimateSearch: // a text
		return callCost(traversal(size))
	}
	return callCost(size.MultiplyByCost(each))
}

// replacedSize returns the bounds of the size of a text after replacing old by new.
func replacedSize(text, old, new checker.SizeEstimate) checker.SizeEstimate {
	var count, kept checker.SizeEstimate
	switch {
	case old.Min == 0: // an empty text is replaced around every character
		count.Max, kept.Max = increment(text.Max), text.Max
	case new.Max <= old.Min:
		kept.Max = text.Max
	default:
		count.Max = uint64(math.Ceil(float64(text.Max) / float64(old.Min)))
	}
	switch {
	case old.Max == 0:
		count.Min, kept.Min = increment(text.Min), text.Min
	case old.Max <= new.Min:
		kept.Min = text.Min
	default:
		count.Min = uint64(math.Ceil(float64(text.Min) / float64(old.Max)))
	}
	return count.Multiply(new).Add(kept)
}

func increment(n uint64) uint64 {
	if n == math.MaxUint64 {
		return n
	}
	return n + 1
}

func (e *estimator) splitCost(text checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	size := e.size(text)
	parts := size.Max // each character, if the separator is empty
	if len(args) > 1 {
		if limit := args[1].Expr().AsLiteral(); limit != nil {
			if n, ok := limit.Value().(int64); ok {
				parts = uint64(n)
			}
		}
	}
	return &checker.CallEstimate{
		CostEstimate: size.MultiplyByCostFactor(2 * common.StringTraversalCostFactor),
		ResultSize:   &checker.SizeEstimate{Max: parts},
	}
}

func (e *estimator) joinedSize(list checker.AstNode, args []checker.AstNode) checker.SizeEstimate {
	var size checker.SizeEstimate
	count := e.size(list)
	if elem := elementNode(list); elem != nil {
		size = count.Multiply(e.size(elem))
	}
	if len(args) > 0 {
		separators := checker.SizeEstimate{Min: max(count.Min, 1) - 1, Max: max(count.Max, 1) - 1}
		size = size.Add(e.size(args[0]).Multiply(separators))
	}
	return size
}

// containsCost adds to base the cost of parsing other if it is a text.
func (e *estimator) containsCost(isText bool, other checker.AstNode, base checker.CostEstimate) checker.CostEstimate {
	if !isText {
		return base
	}
	return base.Add(checker.CostEstimate(e.size(other)).MultiplyByCostFactor(common.StringTraversalCostFactor))
}

// addressCost is the cost of traversing n IP addresses.
func addressCost(n uint64) checker.CostEstimate {
	return traversal(checker.SizeEstimate{Min: 4 * n, Max: 16 * n})
}

// equalityCost is the cost of comparing values of Kubernetes' own types.
func equalityCost(a, b checker.AstNode) *checker.CallEstimate {
	if a.Type().Equal(b.Type()) != types.True {
		return nil
	}
	switch a.Type().TypeName() {
	case "net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver",
		"kubernetes.authorization.Authorizer", "kubernetes.authorization.PathCheck", "kubernetes.authorization.GroupCheck",
		"kubernetes.authorization.ResourceCheck", "kubernetes.authorization.Decision":
		return callCost(once())
	case "kubernetes.NamedFormat":
		return callCost(checker.CostEstimate{Min: 1, Max: maxFormatSize}.MultiplyByCostFactor(common.StringTraversalCostFactor))
	case "kubernetes.URL":
		// The server uses the size of the right side for the left one, too.
		size := checker.SizeEstimate{Min: 1, Max: 1}
		if s := b.ComputedSize(); s != nil {
			size = *s
		}
		return callCost(checker.CostEstimate{Min: 1, Max: size.Max}.MultiplyByCostFactor(common.StringTraversalCostFactor))
	}
	return nil
}

func once() checker.CostEstimate { return checker.CostEstimate{Min: 1, Max: 1} }

func callCost(c checker.CostEstimate) *checker.CallEstimate {
	return &checker.CallEstimate{CostEstimate: c}
}

// traversal is the cost of reading a text once.
func traversal(size checker.SizeEstimate) checker.CostEstimate {
	return size.MultiplyByCostFactor(common.StringTraversalCostFactor)
}

// elementNode returns the elements of a list as a node, nil if the type has no elements.
func elementNode(list checker.AstNode) checker.AstNode {
	params := list.Type().Parameters()
	if len(params) == 0 {
		return nil
	}
	var path []string
	if p := list.Path(); p != nil {
		path = append(path[:0:0], p...)
		path = append(path, "@items")
	}
	return &elements{path: path, typ: params[0]}
}

// elements are the elements of a list that a call looks at.
type elements struct {
	path []string
	typ  *types.Type
}

func (e *elements) Path() []string                      { return e.path }
func (e *elements) Type() *types.Type                   { return e.typ }
func (e *elements) Expr() ast.Expr                      { return nil }
func (e *elements) ComputedSize() *checker.SizeEstimate { return nil }
