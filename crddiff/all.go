package crddiff

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/prune-gen/prune-gen/internal/origin"
	"github.com/prune-gen/prune-gen/structural"
)

// CompareAll compares CRDs by their names. It returns the changes by the name of the CRD; CRDs that are gone or new are changes, too, and
// CRDs without changes are left out. It is an error if two old or two new CRDs of a name differ.
func CompareAll(old, new []*structural.CRD) (map[string][]Change, error) {
	was, err := named("old", old)
	if err != nil {
		return nil, err
	}
	is, err := named("new", new)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(was)
	maps.Copy(names, is)
	changes := map[string][]Change{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all, err := Compare(was[name], is[name])
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", name, err)
		}
		if len(all) > 0 {
			changes[name] = all
		}
	}
	return changes, nil
}

// named returns CRDs by their names. Two of a name must be the same.
func named(which string, crds []*structural.CRD) (map[string]*structural.CRD, error) {
	all := map[string]*structural.CRD{}
	for _, c := range crds {
		if first := all[c.Name]; first == nil {
			all[c.Name] = c
		} else if !reflect.DeepEqual(origin.Node(first).Child("spec").Value(), origin.Node(c).Child("spec").Value()) {
			return nil, fmt.Errorf("two %s CRDs %s differ", which, c.Name)
		}
	}
	return all, nil
}
