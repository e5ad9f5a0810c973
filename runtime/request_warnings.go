package prunert

import (
	"fmt"
	"slices"
	"strings"
)

// dropRepeatedOwners drops owners that are there already, and warns of them.
func (a *Answer) dropRepeatedOwners(metadata map[string]any) {
	owners, _ := metadata["ownerReferences"].([]any)
	var repeated []string
	kept := owners
	for i, owner := range owners {
		if !slices.ContainsFunc(owners[:i], func(other any) bool { return equalValues(owner, other, 0) }) {
			if repeated != nil {
				kept = append(kept, owner)
			}
			continue
		}
		if repeated == nil {
			kept = slices.Clone(owners[:i])
		}
		fields, _ := owner.(map[string]any)
		repeated = append(repeated, textOf(fields, "uid"))
	}
	if repeated == nil {
		return
	}
	metadata["ownerReferences"] = kept
	a.warn(".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such " +
		"requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " + strings.Join(repeated, ", "))
}

// warnOfFinalizers warns of finalizers that an object has and had not, whose names are those of nobody.
func (a *Answer) warnOfFinalizers(metadata, old map[string]any) {
	list, _ := metadata["finalizers"].([]any)
	before, _ := old["finalizers"].([]any)
	var added []string
	for _, v := range list {
		name, _ := v.(string)
		if !strings.Contains(name, "/") && !isStandardFinalizer(name) && !slices.ContainsFunc(before, func(v any) bool { return v == any(name) }) {
			added = append(added, name)
		}
	}
	slices.Sort(added)
	for _, name := range added {
		path := ""
		if strings.Contains(name, ".") {
			path = " including a path (/)"
		}
		a.warn(fmt.Sprintf("metadata.finalizers: %q: prefer a domain-qualified finalizer name%s to avoid accidental conflicts with other finalizer writers", name, path))
	}
}

func isStandardFinalizer(name string) bool {
	return name == "orphan" || name == "foregroundDeletion" || name == "kubernetes"
}
