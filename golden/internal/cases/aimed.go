package cases

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/prune-gen/prune-gen/internal/aimed"
)

// IsAimed reports whether the case is there for its values. Its schemas are large, and others have all that is in them: tests of code and
// of names leave it out.
func (c *Case) IsAimed() bool { return strings.HasPrefix(c.Name, "aimed-") }

// AimedObjects returns objects of the resource that aim at the keywords of its schema. They share values with each other.
func (r *Resource) AimedObjects() ([]map[string]any, error) {
	all, err := aimed.Load(r.Case.Dir)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if a.APIVersion == r.APIVersion() && a.Kind == r.CRD.Names.Kind {
			return a.Objects, nil
		}
	}
	return nil, fmt.Errorf("crd.yaml has no %s", r.CRD.Names.Kind)
}

// AnswersFile returns the name of the file with what Kubernetes says about the aimed objects of the resource. Only some have one.
func (r *Resource) AnswersFile() string {
	return filepath.Join(r.Case.Dir, aimed.AnswersFile(r.Version.Name, r.CRD.Names.Kind))
}
