// Package apis has the CRDs of the example's kinds, and links the code that prune-gen generated from them.
package apis

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/prune-gen/prune-gen/kube/apiserver"
)

//go:generate go run ./generate

//go:embed crds/*.yaml
var crds embed.FS

// Definitions returns what the CRDs say about the kinds.
func Definitions() ([]*apiserver.Definition, error) {
	files, err := fs.Glob(crds, "crds/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []*apiserver.Definition
	for _, name := range files {
		data, err := crds.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := apiserver.Definitions(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, found...)
	}
	return all, nil
}
