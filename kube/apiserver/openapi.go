package apiserver

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/cached"
	handler2 "k8s.io/kube-openapi/pkg/handler"
	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// openAPI serves an OpenAPI v3 document for each version of each group, which kubectl explain reads, and one of OpenAPI v2
// for all of them, which older clients read. They are made from the CRDs when somebody asks for them.
type openAPI struct {
	v3 *handler3.OpenAPIService
	v2 *handler2.OpenAPIService
	// changes tells documents apart.
	changes int
}

func installOpenAPI(s *genericapiserver.GenericAPIServer) (*openAPI, error) {
	o := &openAPI{v3: handler3.NewOpenAPIService(), v2: handler2.NewOpenAPIServiceLazy(openAPIV2(nil, 0))}
	o.v2.RegisterOpenAPIVersionedService("/openapi/v2", s.Handler.NonGoRestfulMux)
	return o, o.v3.RegisterOpenAPIV3VersionedService("/openapi/v3", s.Handler.NonGoRestfulMux)
}

// update replaces the documents of versions of which kinds have changed.
func (o *openAPI) update(changed map[schema.GroupVersion]bool, served map[schema.GroupVersion][]*kind) {
	o.changes++
	tag := fmt.Sprint(o.changes)
	for gv := range changed {
		path := "apis/" + gv.String()
		kinds, ok := served[gv]
		if !ok {
			o.v3.DeleteGroupVersion(path)
			continue
		}
		o.v3.UpdateGroupVersionLazy(path, cached.Once(cached.Func(func() (*spec3.OpenAPI, string, error) {
			doc, err := openAPIV3(gv.Version, kinds)
			return doc, tag, err
		})))
	}
	o.v2.UpdateSpecLazy(openAPIV2(served, o.changes))
}

// openAPIV2 returns the document of all kinds.
func openAPIV2(served map[schema.GroupVersion][]*kind, change int) cached.Value[*spec.Swagger] {
	return cached.Once(cached.Func(func() (*spec.Swagger, string, error) {
		all := &spec.Swagger{SwaggerProps: spec.SwaggerProps{
			Swagger:     "2.0",
			Info:        &spec.Info{InfoProps: spec.InfoProps{Title: "Custom resources", Version: "v1"}},
			Paths:       &spec.Paths{Paths: map[string]spec.PathItem{}},
			Definitions: spec.Definitions{},
		}}
		var parts []*spec.Swagger
		for _, gv := range slices.SortedFunc(maps.Keys(served), func(a, b schema.GroupVersion) int { return cmp.Compare(a.String(), b.String()) }) {
			for _, k := range served[gv] {
				crd, err := parseCRD(k.manifest)
				if err != nil {
					return nil, "", err
				}
				part, err := builder.BuildOpenAPIV2(crd, gv.Version, builder.Options{V2: true, IncludeSelectableFields: true})
				if err != nil {
					return nil, "", fmt.Errorf("OpenAPI of %s %s: %w", crd.Name, gv.Version, err)
				}
				part.Definitions = handler2.PruneDefaults(part.Definitions) // as the API server of CRDs does
				parts = append(parts, part)
			}
		}
		doc, err := builder.MergeSpecs(all, parts...)
		return doc, fmt.Sprint(change), err
	}))
}

// openAPIV3 returns the document of the kinds that share a group and version.
func openAPIV3(version string, kinds []*kind) (*spec3.OpenAPI, error) {
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
