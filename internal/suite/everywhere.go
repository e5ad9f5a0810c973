package suite

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Everywhere returns the text that a case should expect of a refusal: a part that every version of Kubernetes with the CRD answers with,
// "" if the object is stored. It fails if a version answers something else, and then returns a part of its own answer.
func (r *Run) Everywhere() (string, error) {
	parts := parts(r.refusal)
	for _, version := range kubeversion.Known() {
		if r.Variant.CRD == nil || r.Variant.CRD.Kubernetes == version {
			continue
		}
		of, err := r.Variant.in(version)
		if err == nil {
			_, err = of.Resources()
		}
		if err != nil {
			continue // a server of this version does not have the CRD
		}
		other := &Run{Suite: r.Suite, Case: r.Case, Variant: of}
		other.Do(nil)
		common := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return !strings.Contains(other.Refusal, part) })
		switch {
		case r.Refusal != "" && other.Refusal == "":
			return parts[0], fmt.Errorf("Kubernetes %s does not refuse the object", version)
		case r.Refusal == "" && other.Refusal != "":
			return "", fmt.Errorf("Kubernetes %s refuses the object", version)
		case r.Refusal == "" && !reflect.DeepEqual(r.Stored, other.Stored):
			return "", fmt.Errorf("Kubernetes %s stores another object", version)
		case r.Refusal != "" && len(common) == 0:
			return parts[0], fmt.Errorf("Kubernetes %s refuses the object for another reason", version)
		}
		parts = common
	}
	if r.Refusal == "" {
		return "", nil
	}
	return parts[0], nil
}

// parts returns parts of the text of a refusal that a case can expect, the most specific one first: all errors, one of them, and what
// versions of Kubernetes change least, its detail, and its field and type. No part has the name of the object, which the server may make
// up, nor the error that CEL rules were not checked, which says nothing about the object.
func parts(refusal *prunert.Refusal) []string {
	if refusal == nil {
		return nil
	}
	var texts, details, types []string
	for i, c := range refusal.Causes {
		e := refusal.Errors[i]
		if e.Detail == prunert.RulesNotChecked {
			continue
		}
		if text := c.Field + ": " + c.Message; !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		if e.Detail != "" {
			details = append(details, e.Detail)
		}
		if c.Field != "<nil>" {
			words, _, _ := strings.Cut(c.Message, ": ")
			types = append(types, c.Field+": "+words)
		}
	}
	if len(texts) == 0 {
		return []string{refusal.Message}
	}
	return slices.Concat([]string{strings.Join(texts, ", ")}, texts, details, types)
}
