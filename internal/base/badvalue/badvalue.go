// Package badvalue has the values of errors as servers before kubeversion.JSONValues write them.
package badvalue

import (
	"fmt"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Go is the BadValue of an error whose text shows the value as Go does.
type Go struct{ Value any }

// String returns the value as these servers write it.
func (v Go) String() string {
	if v.Value == nil {
		return `"null"`
	}
	return fmt.Sprintf("%#v", v.Value)
}

// In returns the BadValue of an error about v in the errors of a version of the API server.
func In(by kubeversion.Version, v any) any {
	if by.Has(kubeversion.JSONValues) {
		return v
	}
	switch v.(type) {
	case nil, map[string]any, []any, []string:
		return Go{v}
	}
	return v
}
