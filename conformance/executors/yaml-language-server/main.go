// The executor of yaml-language-server, which validates what is open in an editor. Its arguments are the command that starts the server; prune-gen
// makes the schemas. It skips what does not become an object of a manifest: updates, CRDs, requests that are not strict.
//
//	yaml-language-server node_modules/.bin/yaml-language-server --stdio
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/prune-gen/prune-gen/internal/conformance"
	"github.com/prune-gen/prune-gen/internal/jsonschema"
	"github.com/prune-gen/prune-gen/internal/testing/lspclient"
	"github.com/prune-gen/prune-gen/structural/load"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(command []string) error {
	dir, err := os.MkdirTemp("", "yaml-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// The schemas are settings of the server: all questions are read first.
	questions, err := conformance.ReadQuestions(os.Stdin)
	if err != nil {
		return err
	}
	folders, schemas := map[string]string{}, map[string]any{} // by versions and texts of CRDs, and by files
	for _, q := range questions {
		if key := q.Version + string(q.CRD); q.NoManifest() == "" && folders[key] == "" {
			folder := filepath.Join(dir, fmt.Sprint("kind", len(folders)))
			if err := write(q, folder+".json"); err != nil {
				return fmt.Errorf("%s: %w", q.ID, err)
			}
			folders[key], schemas["file://"+folder+".json"] = folder, filepath.Base(folder)+"/*.yaml"
		}
	}
	c, err := lspclient.Start(lspclient.Server{Command: command, Dir: dir, Settings: map[string]any{"yaml": map[string]any{
		"schemas": schemas, "validate": true, "schemaStore": map[string]any{"enable": false}, "kubernetesCRDStore": map[string]any{"enable": false}}}})
	if err != nil {
		return err
	}
	answers := json.NewEncoder(os.Stdout)
	for i, q := range questions {
		a := conformance.Answer{Skipped: q.NoManifest()}
		if a.Skipped == "" {
			if a, err = validate(c, filepath.Join(folders[q.Version+string(q.CRD)], fmt.Sprint(i, ".yaml")), string(q.Object)); err != nil {
				a.Error = err.Error()
			}
		}
		a.ID = q.ID
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
	return c.Close()
}

// validate opens an object and returns what the server publishes first.
func validate(c *lspclient.Client, file, text string) (conformance.Answer, error) {
	d, err := c.Open(file, text)
	if err != nil {
		return conformance.Answer{}, err
	}
	found, err := d.Wait(func([]lspclient.Diagnostic) bool { return true })
	if err == nil {
		err = c.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": d.URI}})
	}
	return conformance.YesOrNo(len(found.Diagnostics) == 0), err
}

// write writes the schema of the version that a question is about.
func write(q *conformance.Question, file string) error {
	crd, err := load.CRD(q.CRD, load.Options{})
	if err != nil {
		return err
	}
	for _, v := range crd.Versions {
		if v.Name == q.Version {
			schema, err := jsonschema.Of(crd, v)
			if err != nil {
				return err
			}
			text, err := json.Marshal(schema)
			if err != nil {
				return err
			}
			return os.WriteFile(file, text, 0o600)
		}
	}
	return errors.New("the CRD has no such version")
}
