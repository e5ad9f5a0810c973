package kubeversion

import "slices"

// Change is a change of the API server in a version. The zero value is none: what was always there.
type Change uint8

const (
	none Change = iota

	// Answers.
	NumericFormats

	// Changes that are known, and of which older versions are not mirrored.
	EmptyTimestamps
	MetadataValues
	CRDTexts
	SchemaExamples
	CollectionEquality
	CheckedArguments
	RoundedIntegers
	CopiedQuantities
	IntegerDurations
	RunTimeCosts

	// Texts of errors.
	OneOfAKind
	JSONValues
	PlainTexts
	RuleValues
	LabelKeys
	DeclaredMetadata

	// Functions and syntax of CEL rules.
	Authorizer
	Quantities
	OptionalTypes
	MixedNumbers
	Sets
	MoreStrings
	CheckedLiterals
	Addresses
	NamedFormats
	AuthorizerSelector
	TwoVariables
	Semver
	MoreOptionals
	MoreLists
	Includes
	QuotedNames

	// Costs of CEL rules.
	BoundedIntOrString
	GlobalMatches
	NameLengths

	// Fields of CRDs.
	MessageExpression
	Reason
	FieldPath
	OptionalOldSelf
	SelectableFields

	// Formats of strings.
	KubernetesNames
)

// fact is what is known about a change.
type fact struct {
	since Version
	kind  Kind
	what  string
	link  string
	// olderToo says that prune-gen answers for older versions as if they had the change.
	olderToo bool
}

// Kind is what a change is about.
type Kind string

const (
	// Answer is a change of what an API server accepts or stores.
	Answer Kind = "answer"
	// Text is a change of the text of an error.
	Text Kind = "text"
	// Function is functions or syntax that CEL rules may use. New rules may use it one version later: see TakenBy.
	Function Kind = "function"
	// Syntax is functions or syntax of CEL's library. New rules may use it at once.
	Syntax Kind = "syntax"
	// Cost is a change of what CEL rules are estimated to cost, which decides whether a CRD is accepted.
	Cost Kind = "cost"
	// Field is a field of a CRD. Servers without it drop it.
	Field Kind = "field"
	// Format is a format of strings. Like functions, it counts one version later. Servers without it ignore it.
	Format Kind = "format"
)

// Since returns the version that made the change.
func (c Change) Since() Version { return facts[c].since }

// Kind returns what the change is about.
func (c Change) Kind() Kind { return facts[c].kind }

// What says what has changed.
func (c Change) What() string { return facts[c].what }

// Link returns where the change was made or is described.
func (c Change) Link() string { return facts[c].link }

// Mirrored reports whether prune-gen answers for older versions without the change as they do.
func (c Change) Mirrored() bool { return !facts[c].olderToo }

// TakenBy returns the first version that accepts new CRDs that use what the change brought. For functions and formats that is the one after
// Since: an API server refuses new CRDs that the version before it cannot evaluate.
func (c Change) TakenBy() Version {
	if c.Kind() == Function || c.Kind() == Format {
		return c.Since() + 1
	}
	return c.Since()
}

// Changes returns all changes, oldest first.
func Changes() []Change {
	var all []Change
	for c := range facts {
		if c := Change(c); c != none {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int { return int(a.Since() - b.Since()) })
	return all
}

const (
	pulls = "https://github.com/kubernetes/kubernetes/pull/"
	base  = "https://github.com/kubernetes/apiserver/blob/master/pkg/cel/environment/base.go"
	celgo = "https://github.com/google/cel-go/releases/tag/"
	// The history of a file, where no pull request is known.
	fieldErrors = "https://github.com/kubernetes/apimachinery/commits/v0.34.0/pkg/util/validation/field/errors.go"
	library     = "https://github.com/kubernetes/apiserver/blob/master/pkg/cel/library/quantity.go"
	gates       = "https://github.com/kubernetes/apiextensions-apiserver/blob/master/pkg/features/kube_features.go"
)

func since(v Version, kind Kind, what, link string) fact { return fact{v, kind, what, link, false} }

func notMirrored(v Version, kind Kind, what, link string) fact {
	return fact{v, kind, what, link, true}
}

var facts = [...]fact{
	NumericFormats:     since(36, Answer, "the formats int32, int64, float and double are checked", pulls+"136582"),
	EmptyTimestamps:    notMirrored(34, Answer, "a creationTimestamp that is not set is left out of metadata, and not null", pulls+"130989"),
	MetadataValues:     notMirrored(34, Text, "values in errors of metadata are written as JSON, not as Go", pulls+"132314"),
	CRDTexts:           notMirrored(34, Text, "errors of CRDs show values as JSON and do not repeat the field", pulls+"132314"),
	SchemaExamples:     notMirrored(36, Answer, "example and externalDocs count where a schema must not specify anything else", "https://github.com/kubernetes/apiextensions-apiserver/blob/v0.36.0/pkg/apiserver/schema/structural.go"),
	CollectionEquality: notMirrored(37, Function, "sets and list maps are compared in both directions, and the sum of lists is a list", "https://github.com/kubernetes/apiserver/blob/v0.37.0/pkg/cel/common/valuesunstructured.go"),
	CheckedArguments:   notMirrored(37, Function, "or, orValue, lists.range, indexOf and lastIndexOf refuse arguments that are out of range or of another type", celgo+"v0.29.0"),
	RoundedIntegers:    notMirrored(37, Text, "a float just below an integer counts as one for multipleOf and for integers", "https://github.com/go-openapi/swag"),
	CopiedQuantities:   notMirrored(37, Function, "add and sub do not change the quantity that they are called on", library),
	IntegerDurations:   notMirrored(37, Function, "duration of an integer, which never had a value, is refused", celgo+"v0.29.0"),
	RunTimeCosts:       notMirrored(37, Cost, "at run time, startsWith and endsWith cost what their argument costs, matches(text, pattern) what text.matches(pattern) costs, and flatten what it makes", celgo+"v0.29.0"),
	OneOfAKind:         since(34, Text, `limits of one are in the singular: "1 byte", "1 item"`, fieldErrors),
	JSONValues:         since(34, Text, "values are written as JSON, not as Go", pulls+"132314"),
	PlainTexts:         since(34, Text, "errors no longer repeat what the type and the field of the error say", "https://github.com/kubernetes/kubernetes/issues/111698"),
	RuleValues:         since(35, Text, "errors of CEL rules show the value of a scalar, not the type", pulls+"133832"),
	LabelKeys:          since(35, Text, "the keys and values of labels and annotations are measured in bytes, and label keys are called so", "https://github.com/kubernetes/apimachinery/blob/v0.35.0/pkg/api/validate/content/kube.go"),
	DeclaredMetadata:   since(37, Text, "errors of owner references name their index; missing and unsupported values in metadata are errors of these types", pulls+"140381"),
	Authorizer:         since(27, Function, "authorizers", base),
	Quantities:         since(28, Function, "quantity", base),
	OptionalTypes:      since(28, Function, "optional types: ?., optional.of", base),
	MixedNumbers:       since(28, Function, "comparisons of numbers of different types", base),
	Sets:               since(29, Function, "sets", base),
	MoreStrings:        since(29, Function, "strings: format, strings.quote", base),
	CheckedLiterals:    since(29, Function, "constants of durations, timestamps and patterns are checked", base),
	Addresses:          since(30, Function, "ip and cidr", base),
	NamedFormats:       since(31, Function, "format", base),
	AuthorizerSelector: since(31, Function, "selectors of authorizers", base),
	TwoVariables:       since(32, Function, "comprehensions with two variables", base),
	Semver:             since(33, Function, "semver", base),
	MoreOptionals:      since(33, Syntax, "optional types: first, last, optional.unwrap, unwrapOpt", celgo+"v0.23.0"),
	MoreLists:          since(34, Function, "lists: slice, sort, flatten, distinct, reverse, lists.range", pulls+"131700"),
	Includes:           since(37, Function, "includes of lists", pulls+"140016"),
	QuotedNames:        since(37, Syntax, "fields in backquotes: self.`a-b`", celgo+"v0.29.0"),
	BoundedIntOrString: since(34, Cost, "maxLength bounds the cost of an integer or string", pulls+"132837"),
	GlobalMatches:      since(37, Cost, "matches(text, pattern) is estimated like text.matches(pattern)", celgo+"v0.29.0"),
	NameLengths:        since(37, Cost, "the length of metadata.name and metadata.generateName is bounded", pulls+"139573"),
	MessageExpression:  since(27, Field, "messageExpression of CEL rules", gates),
	Reason:             since(28, Field, "reason of CEL rules", gates),
	FieldPath:          since(28, Field, "fieldPath of CEL rules", gates),
	OptionalOldSelf:    since(30, Field, "optionalOldSelf of CEL rules", gates),
	SelectableFields:   since(31, Field, "selectableFields", gates),
	KubernetesNames:    since(34, Format, "k8s-short-name and k8s-long-name", pulls+"132504"),
}
