package apiserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// verdict is what the server says to an object that is sent, apart from what it prunes.
type verdict string

const (
	accepted   verdict = "."          // 201
	invalid    verdict = "invalid"    // pruned, then refused for what is left: 422
	malformed  verdict = "malformed"  // a metadata field of a wrong type, not even decoded: 400
	unreadable verdict = "unreadable" // metadata that is not an object: 400, and an error when it is in etcd
)

// crdFiles are the CRDs that the objects in testdata/objects belong to.
func crdFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/crds/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no CRDs: %v", err)
	}
	return files
}

// objectCase is an object of testdata/objects/<plural>, or of a folder below it that is named for the verdict.
type objectCase struct {
	name   string // examples/all
	object func() map[string]any
}

// objectCases returns the objects with the given verdict, sorted by name.
func objectCases(t *testing.T, v verdict) []objectCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata/objects/*", string(v), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no objects: %v", err)
	}
	var all []objectCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/objects/"), ".json")
		all = append(all, objectCase{name: name, object: func() map[string]any { return decode(t, data) }})
	}
	return all
}

// resourceOf returns the resource that an object belongs to.
func resourceOf(t *testing.T, resources map[string]*resource, obj map[string]any) *resource {
	t.Helper()
	kind, _ := obj["kind"].(string)
	apiVersion, _ := obj["apiVersion"].(string)
	r := resources[kind+"/"+apiVersion[strings.Index(apiVersion, "/")+1:]]
	if r == nil {
		t.Fatalf("no CRD for %s %s", apiVersion, kind)
	}
	return r
}
