package manifest

import (
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/structural"
)

// Kind is a version of a kind.
type Kind struct {
	APIVersion, Kind string
	// Description is that of the schema.
	Description string
	// Deprecated is the warning of the API server, "" if the version is not deprecated.
	Deprecated string
}

// Kinds returns the versions of kinds that are served, in the order of their names.
func (s *Server) Kinds() (all []Kind) {
	for _, name := range slices.Sorted(maps.Keys(s.ofKind)) {
		for _, group := range s.ofKind[name] {
			k := s.kind(group, name)
			if k.crd == nil {
				continue
			}
			for _, v := range k.crd.Versions {
				if !k.serves(v.Name) {
					continue
				}
				kind := Kind{APIVersion: strings.TrimPrefix(group+"/"+v.Name, "/"), Kind: name, Deprecated: structural.DeprecationWarning(k.crd, v)}
				if schema := k.crd.Structural(v); schema != nil {
					kind.Description = schema.Description
				}
				all = append(all, kind)
			}
		}
	}
	return all
}

// Behavior returns a version of a kind. It is false if the server does not know it.
func (s *Server) Behavior(apiVersion, kind string) (*structural.CRD, *structural.Version, structural.Behavior, bool) {
	group, version := objects.SplitVersion(apiVersion)
	if k := s.kind(group, kind); k != nil && k.crd != nil {
		for _, v := range k.crd.Versions {
			if v.Name == version {
				return k.crd, v, structural.NewBehavior(k.crd, v, structural.APIServer), true
			}
		}
	}
	return nil, nil, structural.Behavior{}, false
}
