package apiserver

import (
	"fmt"
	"slices"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
)

// kind is a kind that is served.
type kind struct {
	*Definition
	// make makes what serves the versions.
	make func() (map[string]*servedVersion, error)
	// requests are those that the stores serve, without watches.
	requests sync.WaitGroup

	mu    sync.Mutex
	made  map[string]*servedVersion
	err   error
	ended bool
}

// versions returns what serves the versions. It is made when it is first asked for.
func (k *kind) versions() (map[string]*servedVersion, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.ended:
		return nil, fmt.Errorf("%s has changed: try again", k.groupResource())
	case k.made == nil && k.err == nil:
		if k.made, k.err = k.make(); k.err != nil {
			destroy(k.made)
			k.made = nil
		}
	}
	return k.made, k.err
}

// retire ends the stores when all requests that they serve have ended. Watches end with the stores, and clients begin them again.
func (k *kind) retire() {
	k.requests.Wait()
	k.destroy()
}

func (k *kind) destroy() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ended = true
	destroy(k.made)
}

func destroy(versions map[string]*servedVersion) {
	for _, v := range versions {
		v.resource.Destroy()
	}
}

// servedVersion is a version of a kind that is served.
type servedVersion struct {
	apiextensionsv1.CustomResourceDefinitionVersion
	resource *customresource.REST
	scope    *handlers.RequestScope
	parts    map[string]part
	// warning says that the version is deprecated.
	warning string
}

// part is a subresource.
type part struct {
	rest.Patcher
	scope *handlers.RequestScope
}

// kindOptions is what a kind has from its server.
type kindOptions struct {
	resources    custom.Resources
	safe, unsafe runtime.ObjectConvertor
	getter       generic.RESTOptionsGetter
	authorizer   authorizer.UnconditionalAuthorizer
	maxBodyBytes int64
}

// newVersions returns what serves the versions of a kind. With an error, it returns what was made before.
func newVersions(d *Definition, opts kindOptions) (map[string]*servedVersion, error) {
	codec := &custom.Codec{Kind: d.GroupKind(), Resources: opts.resources, Converter: opts.unsafe}
	equivalent := runtime.NewEquivalentResourceRegistry()
	// What a status update resets, it resets in all versions.
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, v := range d.Versions {
		gvr, gvk := d.names(v)
		equivalent.RegisterKindFor(gvr, "", gvk)
		if v.Subresources.Status != nil {
			equivalent.RegisterKindFor(gvr, "status", gvk)
			reset[fieldpath.APIVersion(gvk.GroupVersion().String())] = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
		}
		if v.Subresources.Scale != nil {
			equivalent.RegisterKindFor(gvr, "scale", scaleKind)
		}
	}
	types := newMergeTypes(d)

	all := map[string]*servedVersion{}
	for _, v := range d.served() {
		gvr, gvk := d.names(v)
		// Options are decoded as if they were of the version of the resource.
		parameters := runtime.NewScheme()
		parameters.AddUnversionedTypes(gvk.GroupVersion(), &metav1.ListOptions{}, &metav1.GetOptions{}, &metav1.DeleteOptions{})
		typer := typer{parameters}
		served := &servedVersion{CustomResourceDefinitionVersion: v, warning: d.deprecation(v)}
		if err := served.addStorage(d, codec, opts.getter, typer); err != nil {
			return all, err
		}
		all[v.Name] = served
		served.scope = &handlers.RequestScope{
			Namer:                    handlers.ContextBasedNaming{Namer: meta.NewAccessor(), ClusterScoped: !d.Namespaced()},
			Serializer:               negotiator{codecs, codec, sameVersion{opts.safe}},
			StandardSerializers:      standardSerializers,
			ParameterCodec:           runtime.NewParameterCodec(parameters),
			Creater:                  creator{},
			Convertor:                opts.safe,
			UnsafeConvertor:          opts.unsafe,
			Defaulter:                defaulter{codec},
			Typer:                    typer,
			EquivalentResourceMapper: equivalent,
			Resource:                 gvr,
			Kind:                     gvk,
			// A handler works on objects of the version that it was asked for.
			HubGroupVersion:     gvk.GroupVersion(),
			MetaGroupVersion:    metav1.SchemeGroupVersion,
			TableConvertor:      served.resource,
			Authorizer:          opts.authorizer,
			MaxRequestBodyBytes: opts.maxBodyBytes,
		}
		if err := manageFields(served.scope, types, served.resource.GetResetFields()); err != nil {
			return all, err
		}
		for name, p := range served.parts {
			scope := *served.scope
			p.scope, scope.Subresource = &scope, name
			fields := reset
			if name == "scale" {
				fields = nil
				if err := asScale(&scope); err != nil {
					return all, err
				}
			}
			if err := manageFields(&scope, types, fields); err != nil {
				return all, err
			}
			served.parts[name] = p
		}
	}
	return all, nil
}

// manageFields makes a scope record who owns which field.
func manageFields(scope *handlers.RequestScope, types managedfields.TypeConverter, reset map[fieldpath.APIVersion]*fieldpath.Set) error {
	m, err := managedfields.NewDefaultCRDFieldManager(types, scope.Convertor, scope.Defaulter, scope.Creater, scope.Kind,
		scope.HubGroupVersion, scope.Subresource, fieldpath.NewExcludeFilterSetMap(reset))
	if err != nil {
		return fmt.Errorf("field manager of %s: %w", scope.Kind, err)
	}
	scope.FieldManager = m
	return nil
}

// served returns the versions that are served.
func (d *Definition) served() []apiextensionsv1.CustomResourceDefinitionVersion {
	return slices.DeleteFunc(slices.Clone(d.Versions), func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return !v.Served })
}

// names returns what a version of the resource and of the kind are called.
func (d *Definition) names(v apiextensionsv1.CustomResourceDefinitionVersion) (schema.GroupVersionResource, schema.GroupVersionKind) {
	gv := schema.GroupVersion{Group: d.Group, Version: v.Name}
	return gv.WithResource(d.Names.Plural), gv.WithKind(d.Names.Kind)
}

// columns returns what a table of objects shows besides their names.
func (v *servedVersion) columns() []apiextensionsv1.CustomResourceColumnDefinition {
	if len(v.AdditionalPrinterColumns) > 0 {
		return v.AdditionalPrinterColumns
	}
	return []apiextensionsv1.CustomResourceColumnDefinition{{
		Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp", Description: ageDescription,
	}}
}

// ageDescription is what the documentation of metadata says about the time of creation.
var ageDescription = metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"]

// deprecation returns the warning that is sent with every response of a deprecated version.
func (d *Definition) deprecation(v apiextensionsv1.CustomResourceDefinitionVersion) string {
	switch {
	case !v.Deprecated:
		return ""
	case v.DeprecationWarning != nil:
		return *v.DeprecationWarning
	}
	text := fmt.Sprintf("%s/%s %s is deprecated", d.Group, v.Name, d.Names.Kind)
	newest := v.Name
	for _, other := range d.Versions {
		if other.Served && !other.Deprecated && version.CompareKubeAwareVersionStrings(newest, other.Name) < 0 {
			newest = other.Name
		}
	}
	if newest != v.Name {
		text += fmt.Sprintf("; use %s/%s %s", d.Group, newest, d.Names.Kind)
	}
	return text
}
