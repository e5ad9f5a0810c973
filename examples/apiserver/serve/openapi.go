package serve

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/cached"
	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/spec3"
)

// installOpenAPI serves an OpenAPI v3 document for each version of each group, which kubectl explain reads. They are made from
// the CRDs when somebody asks for them.
func installOpenAPI(s *genericapiserver.GenericAPIServer, kinds []*kind) error {
	documents := map[string][]*kind{}
	for _, k := range kinds {
		for name := range k.versions {
			path := "apis/" + k.Group + "/" + name
			documents[path] = append(documents[path], k)
		}
	}
	service := handler3.NewOpenAPIService()
	for path, served := range documents {
		service.UpdateGroupVersionLazy(path, cached.Once(cached.Func(func() (*spec3.OpenAPI, string, error) {
			doc, err := openAPI(path, served)
			return doc, path, err
		})))
	}
	return service.RegisterOpenAPIV3VersionedService("/openapi/v3", s.Handler.NonGoRestfulMux)
}

// openAPI returns the document of the kinds that share a group and version.
func openAPI(path string, kinds []*kind) (*spec3.OpenAPI, error) {
	var parts []*spec3.OpenAPI
	for _, k := range kinds {
		crd, err := parseCRD(k.manifest)
		if err != nil {
			return nil, err
		}
		for name := range k.versions {
			if path != "apis/"+k.Group+"/"+name {
				continue
			}
			part, err := builder.BuildOpenAPIV3(crd, name, builder.Options{V2: false, IncludeSelectableFields: true})
			if err != nil {
				return nil, fmt.Errorf("OpenAPI of %s %s: %w", crd.Name, name, err)
			}
			parts = append(parts, part)
		}
	}
	return builder.MergeSpecsV3(parts...)
}
