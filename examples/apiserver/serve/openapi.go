package serve

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/cached"
	handler2 "k8s.io/kube-openapi/pkg/handler"
	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// installOpenAPI serves an OpenAPI v3 document for each version of each group, which kubectl explain reads, and one of OpenAPI v2
// for all of them, which older clients read. They are made from the CRDs when somebody asks for them.
func installOpenAPI(s *genericapiserver.GenericAPIServer, kinds []*kind) error {
	service := handler3.NewOpenAPIService()
	for gv, served := range byVersion(kinds) {
		service.UpdateGroupVersionLazy("apis/"+gv.String(), cached.Once(cached.Func(func() (*spec3.OpenAPI, string, error) {
			doc, err := openAPI(gv.Version, served)
			return doc, gv.String(), err
		})))
	}
	v2 := handler2.NewOpenAPIServiceLazy(cached.Once(cached.Func(func() (*spec.Swagger, string, error) {
		doc, err := openAPIV2(kinds)
		return doc, "v2", err
	})))
	v2.RegisterOpenAPIVersionedService("/openapi/v2", s.Handler.NonGoRestfulMux)
	return service.RegisterOpenAPIV3VersionedService("/openapi/v3", s.Handler.NonGoRestfulMux)
}

// openAPIV2 returns the document of all kinds.
func openAPIV2(kinds []*kind) (*spec.Swagger, error) {
	all := &spec.Swagger{SwaggerProps: spec.SwaggerProps{
		Swagger:     "2.0",
		Info:        &spec.Info{InfoProps: spec.InfoProps{Title: "Linked resources", Version: "v1"}},
		Paths:       &spec.Paths{Paths: map[string]spec.PathItem{}},
		Definitions: spec.Definitions{},
	}}
	var parts []*spec.Swagger
	for _, k := range kinds {
		crd, err := parseCRD(k.manifest)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(k.versions)) {
			part, err := builder.BuildOpenAPIV2(crd, name, builder.Options{V2: true, IncludeSelectableFields: true})
			if err != nil {
				return nil, fmt.Errorf("OpenAPI of %s %s: %w", crd.Name, name, err)
			}
			part.Definitions = handler2.PruneDefaults(part.Definitions) // as the API server of CRDs does
			parts = append(parts, part)
		}
	}
	return builder.MergeSpecs(all, parts...)
}

// openAPI returns the document of the kinds that share a group and version.
func openAPI(version string, kinds []*kind) (*spec3.OpenAPI, error) {
	var parts []*spec3.OpenAPI
	for _, k := range kinds {
		crd, err := parseCRD(k.manifest)
		if err != nil {
			return nil, err
		}
		part, err := builder.BuildOpenAPIV3(crd, version, builder.Options{V2: false, IncludeSelectableFields: true})
		if err != nil {
			return nil, fmt.Errorf("OpenAPI of %s %s: %w", crd.Name, version, err)
		}
		parts = append(parts, part)
	}
	return builder.MergeSpecsV3(parts...)
}
