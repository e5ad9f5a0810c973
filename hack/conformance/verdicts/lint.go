package verdicts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/prune-gen/prune-gen/hack/conformance/known"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Verdict compares what reading and linting say about a CRD with why the API server refuses it: whether it does, and every
// text. It returns whether the API server takes the CRD.
func Verdict(raw json.RawMessage) (accepted bool, diffs []Difference) {
	read, said := linted(raw, kube.Version())
	k, err := kube.DecodeCRD(raw)
	if err != nil {
		if !hasError(said) {
			diffs = append(diffs, Difference{About: "lint", Text: fmt.Sprintf("nothing is said, but Kubernetes cannot read it: %v", err)})
		}
		return false, diffs
	}
	refusals := k.Create()
	if len(read) == 0 {
		return false, unloaded(said, refusals)
	}
	return len(refusals) == 0, lintDifferences(raw, read[0], said, refusals)
}

// linted returns the CRDs of a file, and what reading and linting say about them if a version of Kubernetes is meant.
func linted(raw []byte, by kubeversion.Version) ([]*structural.CRD, []structural.Finding) {
	f := crdread.Load("crd", bytes.NewReader(raw))
	read := append(slices.Clone(f.CRDs), f.Refused...)
	for _, c := range read {
		c.Kubernetes = by
	}
	lint.Refused(f)
	said := f.Findings
	for _, c := range f.CRDs {
		said = append(said, lint.CRD(c)...)
	}
	return read, said
}

func hasError(all []structural.Finding) bool {
	return slices.ContainsFunc(all, func(f structural.Finding) bool { return f.Severity == structural.SeverityError })
}

// unloaded compares the verdicts on a CRD that cannot be read. Not everything is said about it.
func unloaded(said []structural.Finding, refusals field.ErrorList) []Difference {
	if len(refusals) == 0 {
		return []Difference{{About: "lint", Text: fmt.Sprintf("Kubernetes accepts the CRD: %v", said)}}
	}
	theirs := theirTexts(refusals)
	for _, f := range said {
		if f.Severity == structural.SeverityError && theirs[canonicalText(f.Message)] != "" {
			return nil
		}
	}
	return []Difference{{About: "lint", Text: fmt.Sprintf("Kubernetes says none of %v", said)}}
}

// lintDifferences compares both ways.
func lintDifferences(raw json.RawMessage, c *structural.CRD, said []structural.Finding, refusals field.ErrorList) []Difference {
	var diffs []Difference
	e := known.Evidence{Schema: string(raw)}
	theirs := theirTexts(refusals)
	ours := map[string]string{}
	more := conversionGoesOn(c)
	for _, f := range said {
		if f.Severity != structural.SeverityError {
			if f.ID == structural.IDMore {
				return diffs // the texts are not complete
			}
			continue
		}
		text := canonicalText(f.Message)
		ours[text] = f.Message
		switch {
		case theirs[text] != "":
		case len(refusals) == 0:
			e.Ours = append(e.Ours, text)
			diffs = append(diffs, Difference{About: "lint", Version: f.Version, Text: "Kubernetes accepts the CRD: " + f.Message})
		case more[text]:
			diffs = append(diffs, Difference{About: "lint", Known: known.ConversionReasons})
		default:
			e.Ours = append(e.Ours, text)
			diffs = append(diffs, Difference{About: "lint", Version: f.Version, Text: "Kubernetes does not say: " + f.Message})
		}
	}
	for _, text := range slices.Sorted(maps.Keys(theirs)) {
		if ours[text] != "" {
			continue
		}
		e.Theirs = append(e.Theirs, text)
		diffs = append(diffs, Difference{About: "lint", Text: "missing: " + theirs[text]})
	}
	return named(diffs, e)
}

// named returns differences with the name that they have for an older version of Kubernetes, if they have one.
func named(diffs []Difference, e known.Evidence) []Difference {
	name := known.Older(kube.Version(), e)
	for i, d := range diffs {
		if d.Known == "" {
			diffs[i].Known = name
		}
	}
	return diffs
}

// conversionGoesOn returns the texts that Kubernetes does not come to, because it stops at the first keyword that the
// conversion refuses.
func conversionGoesOn(c *structural.CRD) map[string]bool {
	all := map[string]bool{}
	for _, v := range c.Versions {
		s, refused := c.Converted(v)
		if len(refused) == 0 {
			continue
		}
		for _, e := range append(refused, structural.Validate(s, v.SchemaPath)...) {
			all[canonicalText(e.Error())] = true
		}
	}
	return all
}

// theirTexts returns Kubernetes' texts by what they are compared as.
func theirTexts(errs field.ErrorList) map[string]string {
	all := map[string]string{}
	for _, e := range errs {
		if strings.HasPrefix(e.Field, "status.storedVersions") {
			continue // the API server writes it, and says of the versions what is wrong with it
		}
		text := e.Error()
		if isOmitted(e) {
			text = e.Field + ": " + e.Type.String() + ": <value omitted>: " + e.Detail
		}
		all[canonicalText(text)] = e.Error()
	}
	return all
}

// isOmitted reports whether the value of an error is a part of the CRD that is too large to print.
func isOmitted(e *field.Error) bool {
	switch {
	case e.Field == "spec.versions":
		return e.Type == field.ErrorTypeInvalid
	case strings.HasSuffix(e.Field, "openAPIV3Schema"):
		return strings.HasPrefix(e.Detail, "only [")
	case strings.HasSuffix(e.Field, ".items"):
		return strings.HasPrefix(e.Detail, "must only have a single schema")
	}
	return false
}

// places rewrites paths. Kubernetes validates a form of the CRD that is neither v1 nor v1beta1: what is the same in all versions
// stands beside them, and some fields have other names.
var places = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`spec\.versions\[\d+\]\.schema\.openAPIV3Schema`), "spec.validation.openAPIV3Schema"},
	{regexp.MustCompile(`^spec\.versions\[\d+\]\.(additionalPrinterColumns|subresources|selectableFields)`), "spec.$1"},
	{regexp.MustCompile(`^(spec\.additionalPrinterColumns\[\d+\])\.jsonPath`), "$1.JSONPath"},
	{regexp.MustCompile(`^spec\.conversion\.webhook\.clientConfig`), "spec.conversion.webhookClientConfig"},
	{regexp.MustCompile(`^spec\.conversion\.webhook\.conversionReviewVersions`), "spec.conversion.conversionReviewVersions"},
	{regexp.MustCompile(`^spec\.schema\.openAPIV3Schema`), "spec.validation.openAPIV3Schema"},
	// Kubernetes has the name of the first version twice.
	{regexp.MustCompile(`^spec\.version: `), "spec.versions[0].name: "},
	// One name is at fault; Kubernetes prints all versions.
	{regexp.MustCompile(`^spec\.versions\[\d+\]\.name: Invalid value: ".*": must contain unique`), "spec.versions: Invalid value: <value omitted>: must contain unique"},
	// The conversion does not say where.
	{regexp.MustCompile(`^spec\.validation\.openAPIV3Schema.*: (OpenAPIV3Schema '|internal error: ')`), `spec.validation.openAPIV3Schema: Invalid value: "": $1`},
	// Kubernetes names the type of self by the time of day.
	{regexp.MustCompile(`\bselfType\d+`), "selfType"},
	// Decoding metadata, Kubernetes passes on what the decoder says of its Go types.
	{regexp.MustCompile(`(metadata: Invalid value: .*): (json: |\.?[^ ]* in body must be of type ).*`), "$1: wrong type"},
}

func canonicalText(text string) string {
	for _, p := range places {
		text = p.from.ReplaceAllString(text, p.to)
	}
	return text
}
