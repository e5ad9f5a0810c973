package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// documents returns the CRDs of a file as JSON, in the order of the file, read with the libraries that kubectl reads
// files with, and why documents of it cannot be read. It knows nothing of how the project reads them, so that the two
// readings can be compared.
func documents(data []byte) (crds []json.RawMessage, problems error) {
	r := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for n := 1; ; n++ {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) {
			return crds, problems
		}
		if err != nil {
			return crds, errors.Join(problems, fmt.Errorf("document %d: %w", n, err))
		}
		raw := doc
		if !json.Valid(doc) { // as kubectl, which does not take JSON for YAML
			raw, err = yaml.YAMLToJSON(doc)
		}
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("document %d: %w", n, err))
			continue
		}
		crds = appendCRDs(crds, raw)
	}
}

// appendCRDs appends the CRDs that raw is or lists.
func appendCRDs(crds []json.RawMessage, raw json.RawMessage) []json.RawMessage {
	var head struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}
	// A document that is not even shaped like a Kubernetes object is not a CRD.
	if utiljson.Unmarshal(raw, &head) != nil {
		return crds
	}
	ours := strings.HasPrefix(head.APIVersion, "apiextensions.k8s.io/")
	switch {
	case head.Kind == "CustomResourceDefinition" && ours:
		return append(crds, raw)
	case head.Kind == "CustomResourceDefinitionList" && ours, head.Kind == "List" && head.APIVersion == "v1":
		for _, item := range head.Items {
			if head.Kind != "List" {
				item = withType(item, head.APIVersion)
			}
			crds = appendCRDs(crds, item)
		}
	}
	return crds
}

// withType fills in the type of an element of a typed list, which may leave it out.
func withType(item json.RawMessage, apiVersion string) json.RawMessage {
	var m map[string]json.RawMessage
	if utiljson.Unmarshal(item, &m) != nil || m == nil {
		return item
	}
	for k, v := range map[string]string{"apiVersion": apiVersion, "kind": "CustomResourceDefinition"} {
		if _, ok := m[k]; !ok {
			m[k], _ = json.Marshal(v)
		}
	}
	out, err := json.Marshal(m)
	if err != nil {
		return item
	}
	return out
}
