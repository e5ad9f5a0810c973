// Package apis links the code of the example's kinds, which prune-gen generated, and has their CRDs.
package apis

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/prune-gen/prune-gen/examples/apiserver/serve"

	_ "github.com/prune-gen/prune-gen/examples/apiserver/apis/generated/v1"
	_ "github.com/prune-gen/prune-gen/examples/apiserver/apis/generated/v1alpha1"
	_ "github.com/prune-gen/prune-gen/examples/apiserver/apis/generated/v1beta1"
)

//go:generate sh -c "cd ../../.. && go run ./cmd/prune-gen generate --emit default,json --register --layout versions --output-dir examples/apiserver/apis/generated examples/apiserver/apis/crds"

//go:embed crds/*.yaml
var crds embed.FS

// Definitions returns what the CRDs say about the kinds.
func Definitions() ([]*serve.Definition, error) {
	files, err := fs.Glob(crds, "crds/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []*serve.Definition
	for _, name := range files {
		data, err := crds.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := serve.Definitions(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, found...)
	}
	return all, nil
}
