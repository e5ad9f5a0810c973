package prunert

import (
	"fmt"
	"slices"
	"strings"
)

// dropRepeatedOwners drops duplicate owners, and warns of them.
func (a *Answer) dropRepeatedOwners(metadata map[string]any) {
	owners, _ := metadata["ownerReferences"].([]any)
	if len(owners) < 2 {
		return
	}
	seen := make(map[string]bool, len(owners))
	var kept []any
	var repeated []string
	for _, owner := range owners {
		fields, _ := owner.(map[string]any)
		key := fmt.Sprintf("%#v", fields) // with the fields in one order
		if seen[key] {
			repeated = append(repeated, textOf(fields, "uid"))
			continue
		}
		seen[key] = true
		kept = append(kept, owner)
	}
	if repeated == nil {
		return
	}
	metadata["ownerReferences"] = kept
	a.warn(".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such " +
		"requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " + strings.Join(repeated, ", "))
}

// warnOfFinalizers warns of new finalizers without a domain.
func (a *Answer) warnOfFinalizers(metadata, old map[string]any) {
	list, _ := metadata["finalizers"].([]any)
	had := map[string]bool{}
	before, _ := old["finalizers"].([]any)
	for _, v := range before {
		name, _ := v.(string)
		had[name] = true
	}
	var added []string
	for _, v := range list {
		name, _ := v.(string)
		if !strings.Contains(name, "/") && !isStandardFinalizer(name) && !had[name] {
			added = append(added, name)
		}
	}
	slices.Sort(added)
	texts := make([]string, len(added))
	for i, name := range added {
		path := ""
		if strings.Contains(name, ".") {
			path = " including a path (/)"
		}
		texts[i] = fmt.Sprintf("metadata.finalizers: %q: prefer a domain-qualified finalizer name%s to avoid accidental conflicts with other finalizer writers", name, path)
	}
	a.warn(texts...)
}

func isStandardFinalizer(name string) bool {
	return name == "orphan" || name == "foregroundDeletion" || name == "kubernetes"
}
