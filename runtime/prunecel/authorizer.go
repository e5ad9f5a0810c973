package prunecel

import "math"

// authorizerFunctions returns the functions for the authorizers of admission policies. Rules of CRDs have no authorizer, so no value has
// the type of a receiver: a call on a value of type dyn fails at the same cost.
func authorizerFunctions() []Function {
	const (
		authorizer = "kubernetes.authorization.Authorizer"
		pathCheck  = "kubernetes.authorization.PathCheck"
		groupCheck = "kubernetes.authorization.GroupCheck"
		decision   = "kubernetes.authorization.Decision"
	)
	row := func(signature, overload string, cost ...costFunc) Function {
		return kubernetes(signature, overload, caller{fails: true}, cost...)
	}
	check := func([]any, any) uint64 { return 350_000 }
	return []Function{
		row(authorizer+".path(string) "+pathCheck, "authorizer_path"),
		row(authorizer+".group(string) "+groupCheck, "authorizer_group"),
		row(authorizer+".serviceAccount(string, string) "+authorizer, "authorizer_serviceaccount"),
		row(groupCheck+".resource(string) "+resourceCheck, "groupcheck_resource"),
		row(resourceCheck+".subresource(string) "+resourceCheck, "resourcecheck_subresource"),
		row(resourceCheck+".namespace(string) "+resourceCheck, "resourcecheck_namespace"),
		row(resourceCheck+".name(string) "+resourceCheck, "resourcecheck_name"),
		row(pathCheck+".check(string) "+decision, "pathcheck_check", check),
		row(resourceCheck+".check(string) "+decision, "resourcecheck_check", check),
		row(decision+".errored() bool", "decision_errored"),
		row(decision+".error() string", "decision_error"),
		row(decision+".allowed() bool", "decision_allowed"),
		row(decision+".reason() string", "decision_reason"),
	}
}

// selectorFunctions returns the functions for the selectors of authorizers.
func selectorFunctions() []Function {
	row := func(signature, overload string) Function {
		return kubernetes(signature, overload, caller{fails: true}, costSelector)
	}
	return []Function{
		row(resourceCheck+".fieldSelector(string) "+resourceCheck, "authorizer_fieldselector"),
		row(resourceCheck+".labelSelector(string) "+resourceCheck, "authorizer_labelselector"),
	}
}

const resourceCheck = "kubernetes.authorization.ResourceCheck"

// costSelector is the cost of reading a selector: a list with a requirement for every two characters.
func costSelector(args []any, _ any) uint64 {
	size := costSize(args[1])
	return listCost + traversal(size) + uint64(math.Ceil(float64(size)/2))*(listCost+40)
}
