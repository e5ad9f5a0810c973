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
		why := ""
		for _, c := range f.Cases {
			delete(c.answers, version)
			if a := answers[c.ID()]; a.Error != "" {
				why = f.Name + ": " + a.Error
			} else {
				c.answers[version] = a
			}
		}
		if why != "" {
			unanswered = append(unanswered, why)
		}
		if err := f.write(); err != nil {
			return nil, err
		}
	}
	return unanswered, nil
}

// write writes the answers to the cases of a file.
func (f *File) write() error {
	all := map[kubernetes]bool{}
	for _, c := range f.Cases {
		for v := range c.answers {
			all[kubernetes(v)] = true
		}
	}
	file := answerFile{Kubernetes: slices.Sorted(maps.Keys(all))}
	slices.Reverse(file.Kubernetes)
	for _, c := range f.Cases {
		file.Answers = append(file.Answers, c.recorded(file.Kubernetes)...)
	}
	text, err := yaml.Marshal(file)
	if err != nil {
		return err
	}
	return os.WriteFile(f.answersPath(), text, 0o666)
}

// recorded returns the different answers to a case, the newest first. Versions that all gave the same are not named.
func (c *Case) recorded(versions []kubernetes) []recorded {
	var all []recorded
	for _, v := range versions {
		a := c.answers[kubeversion.Version(v)]
		if a == nil {
			continue
		}
		a = a.canonical()
		i := slices.IndexFunc(all, func(r recorded) bool { return reflect.DeepEqual(&r.Answer, a) })
		if i < 0 {
			i = len(all)
			all = append(all, recorded{Case: c.Name, Answer: *a})
		}
		all[i].Kubernetes = append(all[i].Kubernetes, v)
	}
	if len(all) == 1 && len(all[0].Kubernetes) == len(versions) {
		all[0].Kubernetes = nil
	}
	return all
}
