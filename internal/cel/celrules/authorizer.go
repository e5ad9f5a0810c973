package celrules

import (
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
)

// authorizerCost estimates the cost of functions for authorizers, which CEL rules of CRDs do not have. It is nil for other functions.
func (e *estimator) authorizerCost(function string, args []checker.AstNode) *checker.CallEstimate {
	switch function {
	case "path", "group", "serviceAccount", "resource", "subresource", "namespace", "name", "allowed", "reason", "error", "errored":
		return callCost(once())
	case "check":
		return callCost(checker.CostEstimate{Min: 350_000, Max: 350_000})
	case "fieldSelector", "labelSelector":
		if len(args) == 1 {
			// A selector has at most one requirement for every two characters, and a list of them.
			const requirement = common.ListCreateBaseCost + common.StructCreateBaseCost
			size := e.size(args[0])
			requirements := size.MultiplyByCostFactor(0.5).MultiplyByCostFactor(requirement)
			list := checker.CostEstimate{Min: common.ListCreateBaseCost, Max: common.ListCreateBaseCost}
			return callCost(list.Add(traversal(size)).Add(requirements))
		}
	}
	return nil
}
