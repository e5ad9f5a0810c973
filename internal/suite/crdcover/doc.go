// Package crdcover says which constraints of a CRD the requests of a test suite have seen satisfied and violated, and by which cases.
//
// The constraints of a version are its CEL rules, each name in required, list types of sets and maps, defaults, and the keywords enum,
// format, pattern, minimum, maximum, multipleOf, minLength, maxLength, minItems, maxItems, minProperties, maxProperties, allOf, anyOf, oneOf and
// not. A junctor is one constraint of its node, whatever is in it. These are not counted: types, formats that the API server does not check,
// keywords that every value of the type satisfies, such as the format int64 and minLength 0, and junctors that only repeat the types of
// x-kubernetes-int-or-string.
//
// A constraint is satisfied by a case with an accepted request that stored a value at its place, of a type that the constraint is about.
// A rule about updates needs an old value there, too. An update does not satisfy what it violates with values that have not changed,
// which the API server tolerates.
//
// A constraint is violated by a case with a refused request that had an error of this constraint. Errors that the API server does not
// report, because another one comes first, do not count.
//
// A default is violated, in this sense, if it was applied: the request had no value there. It is satisfied if it was overridden: the
// request had another value.
//
// Where the status is a subresource, an update of the status counts for what is below status and for the rules of the root, and every
// other request for everything except what is below status.
package crdcover
