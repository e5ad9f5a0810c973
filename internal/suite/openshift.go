package suite

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// Annotations of the manifests of OpenShift.
const (
	featureSet   = "release.openshift.io/feature-set"
	majorVersion = "release.openshift.io/major-version"
	profile      = "include.release.openshift.io/"
)

// OpenShiftGates is the rule of openshift/api: annotations of a CRD name a cluster profile, feature sets and versions, and the first
// FeatureGate that is of one of each lists the gates that are enabled. The feature set CustomNoUpgrade has every gate.
type OpenShiftGates struct{ manifests []*yamltext.Node }

// ReadOpenShiftGates reads the FeatureGates in a directory, payload-manifests/featuregates in openshift/api.
func ReadOpenShiftGates(dir string) (*OpenShiftGates, error) {
	g := &OpenShiftGates{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !crdread.IsManifest(file) {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		yamltext.Parse(yamltext.Decode(data), func(doc *yamltext.Document) {
			if doc.Root.Child("kind").Str() == "FeatureGate" {
				g.manifests = append(g.manifests, doc.Root)
			}
		}, func(p *yamltext.Problem) {
			if err == nil {
				err = fmt.Errorf("%s:%d: %w", file, p.Pos.Line, p)
			}
		})
		return err
	})
	if err == nil && len(g.manifests) == 0 {
		err = fmt.Errorf("there is no FeatureGate in %s", dir)
	}
	return g, err
}

// Has reports whether a variant has a gate.
func (g *OpenShiftGates) Has(v *Variant, gate string) (bool, error) {
	sets := words(v.annotation(featureSet))
	if slices.Contains(sets, "CustomNoUpgrade") {
		return true, nil
	}
	if len(sets) == 0 {
		sets = []string{"Default"} // there is one CRD for all feature sets
	}
	var profiles []string
	for key, value := range v.CRD.Annotations() {
		if strings.HasPrefix(key, profile) && value == "true" {
			profiles = append(profiles, key)
		}
	}
	if len(profiles) == 0 {
		return true, nil // the CRD is for every cluster
	}
	slices.Sort(profiles)
	versions := words(v.annotation(majorVersion))
	for _, m := range g.manifests {
		of := annotations(m)
		if of.Child(profiles[0]) == nil || !slices.Contains(sets, of.Child(featureSet).Str()) || len(versions) > 0 && !common(versions, words(of.Child(majorVersion).Str())) {
			continue
		}
		gates := m.Child("status").Child("featureGates").Element(0)
		for list, enabled := range map[string]bool{"enabled": true, "disabled": false} {
			for _, e := range gates.Child(list).Elements() {
				if e.Child("name").Str() == gate {
					return enabled, nil
				}
			}
		}
		return false, fmt.Errorf("%s: there is no feature gate %s", v.File(), gate)
	}
	return false, fmt.Errorf("%s: there is no FeatureGate for the profile %s and the feature sets %s", v.File(), profiles[0], strings.Join(sets, ", "))
}

// annotations returns the annotations of an object, an empty map for none.
func annotations(n *yamltext.Node) *yamltext.Node {
	if a := n.Child("metadata").Child("annotations"); a != nil {
		return a
	}
	return &yamltext.Node{Kind: yamltext.Map}
}

// words returns the words of a list that has commas between them.
func words(list string) []string {
	var all []string
	for _, word := range strings.Split(list, ",") {
		if word = strings.TrimSpace(word); word != "" {
			all = append(all, word)
		}
	}
	return all
}

// common reports whether two lists have a word in common.
func common(a, b []string) bool {
	return slices.ContainsFunc(a, func(word string) bool { return slices.Contains(b, word) })
}
