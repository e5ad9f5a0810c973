package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/lint"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// refusalOf returns why a server refuses a CRD, nil if it does not.
func refusalOf(text []byte, version kubeversion.Version) *prunert.Refusal {
	crds, err := load.CRDs(bytes.NewReader(text), load.Options{})
	var found []structural.Finding
	if unreadable := (*load.Error)(nil); errors.As(err, &unreadable) {
		found = unreadable.Findings
	}
	for _, crd := range crds {
		crd.Kubernetes = version
		found = append(found, lint.CRD(crd)...)
	}
	var crd struct {
		Metadata struct{ Name string }
		Spec     struct{ Versions []json.RawMessage }
	}
	json.Unmarshal(text, &crd)
	refusal := &prunert.Refusal{Code: 422, Reason: "Invalid"}
	var texts []string
	for _, f := range found {
		if f.Severity != structural.SeverityError {
			continue
		}
		text := f.Message
		for _, p := range places {
			if len(crd.Spec.Versions) == 1 || p.always {
				text = p.from.ReplaceAllString(text, p.to)
			}
		}
		cause := prunert.Cause{}
		cause.Field, cause.Message, _ = strings.Cut(text, ": ")
		kind, _, _ := strings.Cut(cause.Message, ":")
		if cause.Reason = reasons[kind]; strings.Contains(text, "in body must be of type ") {
			cause.Reason = "FieldValueTypeInvalid"
		}
		refusal.Causes = append(refusal.Causes, cause)
		texts = append(texts, text)
	}
	if texts == nil {
		return nil
	}
	all := strings.Join(texts, ", ")
	if len(texts) > 1 {
		all = "[" + all + "]"
	}
	refusal.Message = fmt.Sprintf("CustomResourceDefinition.apiextensions.k8s.io %q is invalid: %s", crd.Metadata.Name, all)
	return refusal
}

// places rewrites paths: a server validates its own form of a CRD, in which what all versions have in common stands beside them.
var places = []struct {
	from   *regexp.Regexp
	to     string
	always bool
}{
	{regexp.MustCompile(`spec\.versions\[0\]\.schema\.openAPIV3Schema`), "spec.validation.openAPIV3Schema", false},
	{regexp.MustCompile(`^spec\.versions\[0\]\.(additionalPrinterColumns|subresources|selectableFields)`), "spec.$1", false},
	{regexp.MustCompile(`^(spec\.(?:versions\[\d+\]\.)?additionalPrinterColumns\[\d+\])\.jsonPath`), "$1.JSONPath", true},
	{regexp.MustCompile(`^spec\.conversion\.webhook\.clientConfig`), "spec.conversion.webhookClientConfig", true},
	{regexp.MustCompile(`^spec\.conversion\.webhook\.conversionReviewVersions`), "spec.conversion.conversionReviewVersions", true},
}

// reasons are those of causes, by the words with which they begin.
var reasons = map[string]string{
	"Required value": "FieldValueRequired", "Invalid value": "FieldValueInvalid", "Unsupported value": "FieldValueNotSupported",
	"Duplicate value": "FieldValueDuplicate", "Forbidden": "FieldValueForbidden", "Too long": "FieldValueTooLong", "Too many": "FieldValueTooMany",
	"Not found": "FieldValueNotFound", "Internal error": "InternalError",
}
