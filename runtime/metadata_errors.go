package prunert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// MetadataErrorsIn converts errors about metadata from those of the newest API server to those of another version. The boolean says that
// the object replaces another one.
func MetadataErrorsIn(by kubeversion.Version, list ErrorList, replaces bool) ErrorList {
	if by.Has(kubeversion.DeclaredMetadata) || len(list) == 0 {
		return list
	}
	var older ErrorList
	for _, e := range list {
		if !(replaces && e.Field == "metadata.generation" && strings.HasSuffix(e.Detail, "greater than or equal to 0")) {
			older = append(older, e.beforeDeclaration(by))
		}
	}
	slices.SortStableFunc(older, func(a, b *Error) int { return strings.Compare(a.Error(), b.Error()) })
	return slices.CompactFunc(older, func(a, b *Error) bool { return a.Error() == b.Error() })
}

// beforeLabelKeys writes the details of errors about labels, annotations and finalizers as servers did before kubeversion.LabelKeys.
var beforeLabelKeys = strings.NewReplacer(
	"a valid label key must consist of", "a qualified name must consist of", "more than 63 bytes", "more than 63 characters", "more than 253 bytes", "more than 253 characters")

// beforeDeclaration returns an error about metadata as servers had it before kubeversion.DeclaredMetadata.
func (e *Error) beforeDeclaration(by kubeversion.Version) *Error {
	last := len(e.Path) - 1
	of := func(list string, n int) bool { return n >= 1 && e.Path[n].Index >= 0 && e.Path[n-1].Name == list }
	older := *e
	if !by.Has(kubeversion.LabelKeys) {
		older.Detail = beforeLabelKeys.Replace(e.Detail)
	}
	switch {
	case of("ownerReferences", last):
		older.Field = strings.TrimSuffix(e.Field, fmt.Sprintf("[%d]", e.Path[last].Index))
	case of("ownerReferences", last-1):
		name := e.Path[last].Name
		older.Field = strings.TrimSuffix(e.Field, fmt.Sprintf("[%d].%s", e.Path[last-1].Index, name)) + "." + name
		older.Type = ErrorTypeInvalid
		if name == "apiVersion" {
			older.Detail = "version must not be empty"
		} else if !by.Has(kubeversion.PlainTexts) {
			older.Detail = name + " must not be empty"
		}
	case of("managedFields", last-1) && e.Path[last].Name == "operation":
		older.Type, older.Detail = ErrorTypeInvalid, "must be `Apply` or `Update`"
	}
	return &older
}
