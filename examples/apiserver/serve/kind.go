package serve

import (
	"fmt"
	"maps"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/registry/generic"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/prune-gen/prune-gen/examples/apiserver/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// kind is a kind that is served.
type kind struct {
	*Definition
	versions map[string]*servedVersion
}

// servedVersion is a version of a kind that is served.
type servedVersion struct {
	Version
	resource      *resourceREST
	status        *statusREST
	scale         *scaleREST
	resourceScope *handlers.RequestScope
	statusScope   *handlers.RequestScope
	scaleScope    *handlers.RequestScope
	// warning says that the version is deprecated.
	warning string
}

// kindOptions is what the kinds of a server have in common.
type kindOptions struct {
	set          *prunert.Set
	getter       generic.RESTOptionsGetter
	authorizer   authorizer.UnconditionalAuthorizer
	observe      kube.Observer
	maxBodyBytes int64
}

func newKind(d *Definition, opts kindOptions) (*kind, error) {
	resources, err := d.resources(opts.set)
	if err != nil {
		return nil, err
	}
	codec := &kube.Codec{Kind: d.GroupKind(), Resources: resources, Observe: opts.observe}
	unsafe := &converter{group: d.Group, namespaced: d.Namespaced, selectable: map[string][]string{}}
	equivalent := runtime.NewEquivalentResourceRegistry()
	for _, v := range d.Versions {
		unsafe.selectable[v.Name] = v.SelectableFields
		gvr, gvk := d.names(v)
		equivalent.RegisterKindFor(gvr, "", gvk)
		if v.Status {
			equivalent.RegisterKindFor(gvr, "status", gvk)
		}
		if v.Scale != nil {
			equivalent.RegisterKindFor(gvr, "scale", scaleKind)
		}
	}
	safe := *unsafe
	safe.safe = true
	types := newMergeTypes(d)

	k := &kind{d, map[string]*servedVersion{}}
	for _, v := range d.Versions {
		if !v.Served {
			continue
		}
		gvr, gvk := d.names(v)
		// Options are decoded as if they were of the version of the resource.
		parameters := runtime.NewScheme()
		parameters.AddUnversionedTypes(gvk.GroupVersion(), &metav1.ListOptions{}, &metav1.GetOptions{}, &metav1.DeleteOptions{})
		typer := typer{parameters}
		table, err := tableconvertor.New(v.columns())
		if err != nil {
			return nil, fmt.Errorf("printer columns of %s: %w", gvk, err)
		}
		served := &servedVersion{Version: v, warning: d.deprecation(v)}
		if served.resource, served.status, err = newStorage(d, v, codec, opts.getter, typer, table); err != nil {
			return nil, err
		}
		serializer := newNegotiator(codec, unsafe, typer)
		served.resourceScope = &handlers.RequestScope{
			Namer:                    handlers.ContextBasedNaming{Namer: meta.NewAccessor(), ClusterScoped: !d.Namespaced},
			Serializer:               serializer,
			StandardSerializers:      serializer.standard(),
			ParameterCodec:           runtime.NewParameterCodec(parameters),
			Creater:                  creator{},
			Convertor:                &safe,
			UnsafeConvertor:          unsafe,
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
		if err := manageFields(served.resourceScope, types, served.resource.GetResetFields()); err != nil {
			return nil, err
		}
		if served.scale = newScale(d, v, served.resource); served.scale != nil {
			if served.scaleScope, err = newScaleScope(served.resourceScope, types); err != nil {
				return nil, err
			}
		}
		k.versions[v.Name] = served
	}
	return k, k.addStatusScopes(types)
}

// addStatusScopes gives each version with a status the scope for it. What a status update resets, it resets in all versions.
func (k *kind) addStatusScopes(types managedfields.TypeConverter) error {
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, v := range k.versions {
		if v.status != nil {
			maps.Copy(reset, v.status.GetResetFields())
		}
	}
	for _, v := range k.versions {
		if v.status == nil {
			continue
		}
		scope := *v.resourceScope
		scope.Subresource = "status"
		if err := manageFields(&scope, types, reset); err != nil {
			return err
		}
		v.statusScope = &scope
	}
	return nil
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

// names returns what a version of the resource and of the kind are called.
func (d *Definition) names(v Version) (schema.GroupVersionResource, schema.GroupVersionKind) {
	gv := schema.GroupVersion{Group: d.Group, Version: v.Name}
	return gv.WithResource(d.Names.Plural), gv.WithKind(d.Names.Kind)
}

// columns returns what a table of objects shows besides their names.
func (v Version) columns() []apiextensionsv1.CustomResourceColumnDefinition {
	if len(v.Columns) > 0 {
		return v.Columns
	}
	return []apiextensionsv1.CustomResourceColumnDefinition{{
		Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp", Description: ageDescription,
	}}
}

// ageDescription is what the documentation of metadata says about the time of creation.
var ageDescription = metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"]

// deprecation returns the warning that comes with every answer of a deprecated version.
func (d *Definition) deprecation(v Version) string {
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
