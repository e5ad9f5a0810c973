package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/lint"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// answerToCRD returns why a server refuses a CRD, nil if it does not, and its warnings.
func answerToCRD(text []byte, version kubeversion.Version, validation prunert.FieldValidation) (*prunert.Refusal, []string) {
	var unknown []string
	for _, f := range lint.Text("", bytes.NewReader(text)) {
		if (f.ID == "crd/unknown-field" || f.ID == "schema/unknown-keyword") && validation != prunert.FieldValidationIgnore {
			unknown = append(unknown, f.Message)
		}
	}
	if unknown != nil && validation == prunert.FieldValidationStrict {
		return &prunert.Refusal{Code: 400, Reason: "BadRequest", Message: `CustomResourceDefinition in version "v1" cannot be handled as a ` +
			"CustomResourceDefinition: strict decoding error: " + strings.Join(unknown, ", ")}, nil
	}
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
		Spec     struct{ Versions []map[string]any }
	}
	json.Unmarshal(text, &crd)
	isStored := func(v map[string]any) bool { return v["storage"] == true }
	var texts []string
	warnings := slices.Clone(unknown)
	for _, f := range found {
		_, text, _ := strings.Cut(f.Message, ": ")
		switch {
		case f.Severity == structural.SeverityError && strings.HasPrefix(string(f.ID), "structural/") && slices.ContainsFunc(found, preventsConversion(f.Version)):
		case f.Severity == structural.SeverityError:
			if texts = append(texts, f.Message); f.ID == "crd/storage-version" && !slices.ContainsFunc(crd.Spec.Versions, isStored) {
				texts = append(texts, "status.storedVersions: Invalid value: null: must have at least one stored version")
			}
		case f.ID == "schema/unknown-format" && warnsOfFormat(text, version) && !slices.Contains(warnings, text):
			warnings = append(warnings, text)
		}
	}
	if texts == nil {
		return nil, warnings
	}
	refusal := &prunert.Refusal{Code: 422, Reason: "Invalid", Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition", Name: crd.Metadata.Name}
	var different []string
	for _, text := range asServer(texts, crd.Spec.Versions) {
		cause := prunert.Cause{}
		cause.Field, cause.Message, _ = strings.Cut(text, ": ")
		kind, _, _ := strings.Cut(cause.Message, ":")
		if cause.Reason = reasons[kind]; strings.Contains(text, "in body must be of type ") {
			cause.Reason = "FieldValueTypeInvalid"
		}
		refusal.Causes = append(refusal.Causes, cause)
		if !slices.Contains(different, text) {
			different = append(different, text)
		}
	}
	all := strings.Join(different, ", ")
	if len(different) > 1 {
		all = "[" + all + "]"
	}
	refusal.Message = fmt.Sprintf("CustomResourceDefinition.apiextensions.k8s.io %q is invalid: %s", crd.Metadata.Name, all)
	return refusal, unknown
}

// preventsConversion reports whether a server cannot convert the schema of a version, of which it then does not say that it is not structural.
func preventsConversion(version string) func(structural.Finding) bool {
	return func(f structural.Finding) bool {
		return f.Version == version && (f.ID == structural.IDUnsupportedKeyword || f.ID == structural.IDItemsArray || f.ID == structural.IDPreserveFalse)
	}
}

// warnsOfFormat reports whether a server has a warning of lint: none before 1.34, and one of formats of another type since 1.36.
func warnsOfFormat(text string, version kubeversion.Version) bool {
	_, name, _ := strings.Cut(text, `"`)
	return version >= 36 || version >= 34 && formats.Find(strings.TrimSuffix(name, `"`)) == nil
}

// asServer rewrites errors: a server validates its own form of a CRD, in which what all versions have in common stands beside them, and so does
// the name of the first. It does not say where a schema cannot be converted, and nothing of it if there are other errors in the schema.
func asServer(texts []string, versions []map[string]any) []string {
	var all []string
	for _, text := range texts {
		if wrong := unconvertible.FindStringSubmatch(text); wrong != nil {
			isOther := func(other string) bool {
				return strings.HasPrefix(other, wrong[1]+".") && !unconvertible.MatchString(other)
			}
			if slices.ContainsFunc(texts, isOther) {
				continue
			}
			text = wrong[1] + `: Invalid value: "": ` + wrong[2]
		}
		for _, p := range places {
			if p.common == "" || len(versions) > 0 && versions[0][p.common] != nil &&
				!slices.ContainsFunc(versions, func(v map[string]any) bool { return !reflect.DeepEqual(v[p.common], versions[0][p.common]) }) {
				text = p.from.ReplaceAllString(text, p.to)
			}
		}
		all = append(all, text)
		if wrong, ok := strings.CutPrefix(text, "spec.versions[0].name: Invalid value"); ok && versions[0]["name"] != "" && versions[0] != nil {
			all = append(all, "spec.version: Invalid value"+wrong)
		}
	}
	return all
}

var unconvertible = regexp.MustCompile(`^(.*\.openAPIV3Schema)\S*: (OpenAPIV3Schema '.*' is not supported)$`)

// places has the paths that are different if the versions have the field in common.
var places = []struct {
	common string
	from   *regexp.Regexp
	to     string
}{
	{"selectableFields", regexp.MustCompile(`^spec\.versions\[0\](\.schema\.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema)`), "spec$1"},
	{"schema", regexp.MustCompile(`spec\.versions\[0\]\.schema\.openAPIV3Schema`), "spec.validation.openAPIV3Schema"},
	{"additionalPrinterColumns", regexp.MustCompile(`^spec\.versions\[0\]\.(additionalPrinterColumns)`), "spec.$1"},
	{"subresources", regexp.MustCompile(`^spec\.versions\[0\]\.(subresources)`), "spec.$1"},
	{"selectableFields", regexp.MustCompile(`^spec\.versions\[0\]\.(selectableFields)`), "spec.$1"},
	{"", regexp.MustCompile(`^(spec\.(?:versions\[\d+\]\.)?additionalPrinterColumns\[\d+\])\.jsonPath`), "$1.JSONPath"},
	{"", regexp.MustCompile(`^spec\.conversion\.webhook\.clientConfig`), "spec.conversion.webhookClientConfig"},
	{"", regexp.MustCompile(`^spec\.conversion\.webhook\.conversionReviewVersions`), "spec.conversion.conversionReviewVersions"},
	{"", regexp.MustCompile(`^(spec\.versions)\[\d+\]\.name: Invalid value: ".*"(: must contain unique version names)$`), "$1: Invalid value: <value omitted>$2"},
}

// reasons are those of causes, by the words with which they begin.
var reasons = map[string]string{
	"Required value": "FieldValueRequired", "Invalid value": "FieldValueInvalid", "Unsupported value": "FieldValueNotSupported",
	"Duplicate value": "FieldValueDuplicate", "Forbidden": "FieldValueForbidden", "Too long": "FieldValueTooLong", "Too many": "FieldValueTooMany",
	"Not found": "FieldValueNotFound", "Internal error": "InternalError",
}
