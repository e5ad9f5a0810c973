package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/examples/apiserver/internal/local"
	"github.com/prune-gen/prune-gen/examples/apiserver/internal/parity"
	"github.com/prune-gen/prune-gen/examples/apiserver/serve"
	"github.com/prune-gen/prune-gen/hack/apiserver/server"
)

// runParity sends a life of each object in the directories to both servers, as far as its kind is linked.
func runParity(ctx context.Context, crdDir string, objectDirs []string) error {
	crds, definitions, err := load(crdDir)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "parity-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ours, err := local.Start(ctx, filepath.Join(dir, "ours"), definitions, local.Options{})
	if err != nil {
		return err
	}
	defer ours.Close()
	theirs, err := server.Start(ctx, filepath.Join(dir, "theirs"))
	if err != nil {
		return err
	}
	defer theirs.Close()
	if err := theirs.InstallCRDs(ctx, crds...); err != nil {
		return err
	}
	var files []string
	for _, dir := range objectDirs {
		found, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil {
			return err
		}
		files = append(files, found...)
	}
	requests, kinds, different := 0, 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var obj map[string]any
		if err := yaml.Unmarshal(data, &obj); err != nil {
			return err
		}
		sample, ok := sampleOf(definitions, obj)
		if !ok {
			continue
		}
		kinds++
		title := strings.TrimSuffix(filepath.Base(file), ".yaml")
		script := parity.Derive(title, title, sample)
		requests += len(script)
		differences, err := parity.Compare(ctx, theirs.URL, ours.URL, script)
		if err != nil {
			return err
		}
		for _, d := range differences {
			if d.Known() != "" {
				continue
			}
			different++
			fmt.Printf("%s\n%s %s %s\n%s\n", d.Request.Name, d.Request.Method, d.Request.Path, d.Request.Body, d.Text)
		}
	}
	fmt.Printf("%d requests about %d kinds, %d different\n", requests, kinds, different)
	if kinds != len(definitions) {
		return fmt.Errorf("there are objects of %d kinds, and %d kinds", kinds, len(definitions))
	}
	if different > 0 {
		return errors.New("the servers differ")
	}
	return nil
}

// sampleOf returns what requests for an object are derived from.
func sampleOf(definitions []*serve.Definition, obj map[string]any) (parity.Sample, bool) {
	apiVersion, _ := obj["apiVersion"].(string)
	group, version, _ := strings.Cut(apiVersion, "/")
	i := slices.IndexFunc(definitions, func(d *serve.Definition) bool { return d.Group == group && d.Names.Kind == obj["kind"] })
	if i < 0 {
		return parity.Sample{}, false
	}
	d := definitions[i]
	namespace := "default"
	if !d.Namespaced() {
		namespace = ""
	}
	s := parity.Sample{Collection: server.Path(group, version, namespace, d.Names.Plural), Object: obj}
	for _, v := range d.Versions {
		if v.Name == version {
			s.Status = v.Subresources.Status != nil
		}
	}
	return s, true
}
