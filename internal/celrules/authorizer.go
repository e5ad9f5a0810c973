package celrules

import (
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
)

// authorizerFunctions returns the functions that the API server declares for the authorizers of admission policies. Rules of CRDs have
// no authorizer, so that a call of one of them fails: it does not compile, or, on a value of type dyn, has no overload to run.
func authorizerFunctions() []function {
	const (
		authorizer    = "kubernetes.authorization.Authorizer"
		pathCheck     = "kubernetes.authorization.PathCheck"
		groupCheck    = "kubernetes.authorization.GroupCheck"
		resourceCheck = "kubernetes.authorization.ResourceCheck"
		decision      = "kubernetes.authorization.Decision"
	)
	return []function{
		{"path", "authorizer_path", authorizer + ".path(string) " + pathCheck, 27},
		{"group", "authorizer_group", authorizer + ".group(string) " + groupCheck, 27},
		{"serviceAccount", "authorizer_serviceaccount", authorizer + ".serviceAccount(string, string) " + authorizer, 27},
		{"resource", "groupcheck_resource", groupCheck + ".resource(string) " + resourceCheck, 27},
		{"subresource", "resourcecheck_subresource", resourceCheck + ".subresource(string) " + resourceCheck, 27},
		{"namespace", "resourcecheck_namespace", resourceCheck + ".namespace(string) " + resourceCheck, 27},
		{"name", "resourcecheck_name", resourceCheck + ".name(string) " + resourceCheck, 27},
		{"check", "pathcheck_check", pathCheck + ".check(string) " + decision, 27},
		{"check", "resourcecheck_check", resourceCheck + ".check(string) " + decision, 27},
		{"errored", "decision_errored", decision + ".errored() bool", 27},
		{"error", "decision_error", decision + ".error() string", 27},
		{"allowed", "decision_allowed", decision + ".allowed() bool", 27},
		{"reason", "decision_reason", decision + ".reason() string", 27},
		{"fieldSelector", "authorizer_fieldselector", resourceCheck + ".fieldSelector(string) " + resourceCheck, 31},
		{"labelSelector", "authorizer_labelselector", resourceCheck + ".labelSelector(string) " + resourceCheck, 31},
	}
}

// authorizerCost estimates the cost of those functions, nil for others.
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
