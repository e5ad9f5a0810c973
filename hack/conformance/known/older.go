package known

import (
	"regexp"
	"slices"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Evidence is what the two sides differ on, for an older version of Kubernetes.
type Evidence struct {
	// Ours and Theirs are the texts that only one side has.
	Ours, Theirs []string
	// Schema is the schema or the CRD as JSON.
	Schema string
	// Expression has the programs of a CEL rule and of its message, on which the sides differ alone.
	Expression string
	// Cost says that only what the expression costs differs.
	Cost bool
}

// Since is what the names of differences from older versions begin with.
const Since = "since "

// Row returns the name of the differences that follow from a change that older versions are not mirrored in.
func Row(c kubeversion.Change) Name { return Name(Since + c.Since().String() + ", " + c.What()) }

// Older returns the name of the change that explains a difference from a version of Kubernetes which does not have it, "" if none does.
func Older(by kubeversion.Version, e Evidence) Name {
	for _, o := range older {
		if !by.Has(o.change) && o.explains(e) {
			return Row(o.change)
		}
	}
	return ""
}

var older = []struct {
	change   kubeversion.Change
	explains func(Evidence) bool
}{
	{kubeversion.RunTimeCosts, func(e Evidence) bool { return e.Cost && costly.MatchString(e.Expression) }},
	{kubeversion.CheckedArguments, func(e Evidence) bool { return checkedArguments.MatchString(e.Expression) }},
	{kubeversion.CopiedQuantities, func(e Evidence) bool { return !e.Cost && copiedQuantities.MatchString(e.Expression) }},
	{kubeversion.CollectionEquality, func(e Evidence) bool {
		return sums.MatchString(e.Expression) || comparisons.MatchString(e.Expression) && collections.MatchString(e.Schema)
	}},
	{kubeversion.RoundedIntegers, func(e Evidence) bool {
		texts := slices.Concat(e.Ours, e.Theirs)
		return len(texts) > 0 && !slices.ContainsFunc(texts, func(text string) bool { return !integers.MatchString(text) })
	}},
	{kubeversion.SchemaExamples, func(e Evidence) bool {
		return examples.MatchString(e.Schema) && len(e.Ours) > 0 && !slices.ContainsFunc(e.Ours, func(text string) bool { return !specified.MatchString(text) })
	}},
	{kubeversion.MetadataValues, func(e Evidence) bool {
		return len(e.Ours) > 0 && !slices.ContainsFunc(e.Ours, func(text string) bool { return !metadataValue.MatchString(text) }) && slices.Equal(headings(e.Ours), headings(e.Theirs))
	}},
	{kubeversion.CRDTexts, func(e Evidence) bool {
		return e.Expression == "" && e.Schema != "" && len(e.Ours) > 0 && slices.Equal(headings(e.Ours), headings(e.Theirs))
	}},
}

var (
	costly           = regexp.MustCompile(`\b(startsWith|endsWith|matches|flatten)\b`)
	checkedArguments = regexp.MustCompile(`\b(or|orValue|indexOf|lastIndexOf|lists\.range)\b`)
	copiedQuantities = regexp.MustCompile(`\b(add|sub)\b`)
	sums             = regexp.MustCompile(`_\+_ (#add_list )?[^#@]`)
	comparisons      = regexp.MustCompile(`_==_|_!=_|@in|\b(indexOf|lastIndexOf|sets\.\w+|distinct)\b`)
	collections      = regexp.MustCompile(`"x-kubernetes-list-type":"(set|map)"`)
	integers         = regexp.MustCompile(`should be a multiple of|must be of type integer|must be of type int(32|64)`)
	examples         = regexp.MustCompile(`"(example|externalDocs)":`)
	specified        = regexp.MustCompile(`must not specify anything other than name and generateName|must be empty to be structural`)
	metadataValue    = regexp.MustCompile(`\bmetadata\.\S+: Invalid value: `)
	heading          = regexp.MustCompile(`^.*?: (Invalid value|Required value|Unsupported value|Duplicate value|Forbidden|Too many|Too long)\b`)
)

// headings returns the fields and the types of errors, sorted, each once.
func headings(texts []string) []string {
	var all []string
	for _, t := range texts {
		all = append(all, heading.FindString(t))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
