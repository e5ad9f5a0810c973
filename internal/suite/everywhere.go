package suite

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Difference says how a version of Kubernetes answers a case differently.
type Difference struct {
	In   kubeversion.Version
	Does string
}

func (d *Difference) Error() string { return fmt.Sprintf("Kubernetes %s %s", d.In, d.Does) }

// Everywhere returns the text that a case should expect of a refusal: a part that every version of Kubernetes with the CRD answers with,
// "" if the object is stored. If a version answers something else, it returns a part of its own answer and the first such version.
func (r *Run) Everywhere() (string, *Difference) {
	parts := append(parts(r.refusal), "")
	for _, version := range kubeversion.Known() {
		if r.Variant.CRD.Kubernetes == version {
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
		does := ""
		switch {
		case other.Refusal == "" && other.Stored == nil:
			does = "refuses the initial object"
		case r.Refusal != "" && other.Refusal == "":
			does = "does not refuse the object"
		case r.Refusal == "" && other.Refusal != "":
			does = "refuses the object"
		case r.Refusal != "" && common[0] == "":
			does = "refuses the object for another reason"
		case r.Refusal == "" && !reflect.DeepEqual(r.Stored, other.Stored):
			does = "stores another object"
		case r.Refusal == "" && r.Case.ExpectedWarnings != nil && !slices.Equal(r.Warnings, other.Warnings):
			does = "answers with other warnings"
		}
		if does != "" {
			return parts[0], &Difference{version, does}
		}
		parts = common
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
		if e.RulesNotChecked() {
			continue
		}
		if text := c.Field + ": " + c.Message; !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		if e.Detail != "" {
			details = append(details, e.Detail)
		}
		if c.Field != prunert.NoField {
			words := prunert.Error{Type: e.Type, Field: c.Field, BadValue: prunert.OmittedValue{}}
			types = append(types, words.Error())
		}
	}
	if len(texts) == 0 {
		return []string{refusal.Message}
	}
	return slices.Concat([]string{strings.Join(texts, ", ")}, texts, details, types)
}
