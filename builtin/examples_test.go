package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// applications are public applications whose modules have manifests, or charts with some that are not templates.
var applications = []string{
	"github.com/argoproj/argo-workflows/v3@v3.7.0",
	"github.com/cert-manager/cert-manager@v1.21.2",
	"github.com/external-secrets/external-secrets@v1.3.2",
	"github.com/kedacore/keda/v2@v2.21.0",
	"github.com/prometheus-operator/prometheus-operator@v0.85.0",
	"k8s.io/ingress-nginx@v0.0.0-20240708192948-52c50467d67d",
	"knative.dev/serving@v0.42.2",
	"sigs.k8s.io/cluster-api@v1.14.2",
	"sigs.k8s.io/jobset@v0.8.0",
	"sigs.k8s.io/kueue@v0.15.0",
	"sigs.k8s.io/metrics-server@v0.9.0",
}

// large reports whether the run includes what make test-all does. This module cannot import prune-gen, which would choose other versions of what
// Kubernetes imports.
func large() bool { return os.Getenv("PRUNE_GEN_TEST") != "" }

// readExamples returns objects of all kinds: those with every field that come with the types of Kubernetes, those in the manifests of
// Kubernetes and, in large runs, of applications.
func readExamples(t *testing.T, s *server) []map[string]any {
	modules := []string{linked(t, "k8s.io/api"), linked(t, "k8s.io/kubernetes")}
	if large() {
		modules = append(modules, applications...)
	}
	var all []map[string]any
	seen := map[string]bool{}
	add := func(object map[string]any) {
		text := string(encode(object))
		if h := headOf([]byte(text)); s.resources[schema.FromAPIVersionAndKind(h.apiVersion, h.kind)] != nil && !seen[text] && len(text) < 100_000 {
			seen[text] = true
			all = append(all, object)
		}
	}
	for _, module := range modules {
		before := len(all)
		err := filepath.WalkDir(directory(t, module), func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) ||
				strings.Contains(path, "/testdata/v1.") || strings.Contains(path, "after_roundtrip") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data))); ; {
				document, err := documents.Read()
				if err != nil {
					return nil
				}
				var object map[string]any
				if yaml.Unmarshal(document, &object) != nil { // a template
					continue
				}
				if items, ok := object["items"].([]any); ok {
					for _, item := range items {
						if item, ok := item.(map[string]any); ok {
							add(item)
						}
					}
					continue
				}
				add(object)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if t.Logf("%s: %d examples", module, len(all)-before); len(all) == before {
			t.Errorf("%s has no examples", module)
		}
	}
	return all
}

// linked returns a module in the version that is linked here, as path@version.
func linked(t *testing.T, path string) string {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == path {
			if m.Replace != nil {
				m = m.Replace
			}
			return m.Path + "@" + m.Version
		}
	}
	t.Fatalf("%s is not linked", path)
	return ""
}

// directory returns the directory of a module, path@version, and downloads it if need be.
func directory(t *testing.T, module string) string {
	download := exec.Command("go", "mod", "download", "-json", module)
	download.Dir = os.TempDir() // no go.mod has an effect
	out, err := download.Output()
	var found struct{ Dir, Error string }
	if json.Unmarshal(out, &found) != nil || found.Dir == "" {
		t.Fatalf("%s: %v: %s", module, err, found.Error)
	}
	return found.Dir
}
