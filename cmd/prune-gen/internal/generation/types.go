package generation

import (
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/generator/gotypes"
	"github.com/prune-gen/prune-gen/structural"
)

// CompareTypes warns of differences between the Go types of the kinds, where the packages have them, and the schemas.
func (s *Session) CompareTypes() {
	for i, p := range s.Packages {
		kinds := map[string]bool{}
		for _, in := range p.inputs {
			kinds[in.CRD.Names.Kind] = true
		}
		// Loading a module takes time, and most packages of generated code have no types.
		if !p.there.Declares(kinds) {
			continue
		}
		s.env.Progress.Show("comparing types in %s: %d of %d packages", ShownDir(p.Dir), i+1, len(s.Packages))
		loaded := gotypes.Load(p.there, s.module(p))
		var all []structural.Finding
		for _, in := range p.inputs {
			found, _ := loaded.Compare(in.CRD, in.Version)
			all = append(all, found...)
		}
		for i := range all {
			all[i].Severity = structural.SeverityWarning
			all[i].File = cli.ShortPath(all[i].File)
		}
		s.Find(all)
	}
}
