package crddiff

import (
	"fmt"
	"maps"
	"slices"

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

// named returns CRDs by their names. There must be no change between two of a name.
func named(which string, crds []*structural.CRD) (map[string]*structural.CRD, error) {
	all := map[string]*structural.CRD{}
	for _, c := range crds {
		first := all[c.Name]
		if first == nil {
			all[c.Name] = c
			continue
		}
		if changes, err := Compare(first, c); err != nil {
			return nil, fmt.Errorf("compare %s: %w", c.Name, err)
		} else if len(changes) > 0 {
			return nil, fmt.Errorf("two %s CRDs %s differ", which, c.Name)
		}
	}
	return all, nil
}
