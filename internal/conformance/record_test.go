package conformance

import (
	"maps"
	"os"
	"reflect"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// record writes the answers of a server beside the cases. The server answers with an error if its version does not accept the CRD of a
// file, whose cases it then has no answers to: record returns why, once for each file.
func record(files []*File, version kubeversion.Version, answers map[string]*Answer) (unanswered []string, err error) {
	for _, f := range files {
		var all []recorded
		why := ""
		for _, c := range f.Cases {
			delete(c.answers, version)
			if a := answers[c.ID()]; a.Error != "" {
				why = f.Name + ": " + a.Error
			} else {
				c.answers[version] = a.canonical()
			}
			all = append(all, c.recorded()...)
		}
		if why != "" {
			unanswered = append(unanswered, why)
		}
		text, err := yaml.Marshal(all)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(f.answersPath(), text, 0o666); err != nil {
			return nil, err
		}
	}
	return unanswered, nil
}

// recorded returns the different answers to a case, the newest first.
func (c *Case) recorded() []recorded {
	var all []recorded
	for _, v := range slices.Backward(slices.Sorted(maps.Keys(c.answers))) {
		a := c.answers[v].canonical()
		i := slices.IndexFunc(all, func(r recorded) bool { return reflect.DeepEqual(&r.Answer, a) })
		if i < 0 {
			i = len(all)
			all = append(all, recorded{Case: c.Name, Answer: *a})
		}
		all[i].Kubernetes = append(all[i].Kubernetes, v.String())
	}
	if len(all) == 1 && len(all[0].Kubernetes) == len(kubeversion.Known()) {
		all[0].Kubernetes = nil
	}
	return all
}
