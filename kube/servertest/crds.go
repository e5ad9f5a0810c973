package servertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/prune-gen/prune-gen/kube/apiserver"
	"github.com/prune-gen/prune-gen/structural"
)

// each calls f for all elements, on all cores, and returns all errors.
func each[T any](all []T, f func(i int, e T) error) error {
	errs := make([]error, len(all))
	var calls sync.WaitGroup
	for i, e := range all {
		calls.Go(func() { errs[i] = f(i, e) })
	}
	calls.Wait()
	return errors.Join(errs...)
}

// external returns a CRD as the API server has it.
func external(crd *structural.CRD) (*apiextensionsv1.CustomResourceDefinition, error) {
	if is, want := crd.APIVersion, apiextensionsv1.SchemeGroupVersion.String(); is != want {
		return nil, fmt.Errorf("a CustomResourceDefinition of %s cannot be served: convert it to %s", is, want)
	}
	data, err := json.Marshal(crd.Source.Value())
	if err != nil {
		return nil, err
	}
	object := &apiextensionsv1.CustomResourceDefinition{}
	return object, json.Unmarshal(data, object)
}

// installCRDs serves CRDs, by Kubernetes' own strategy for them, and the kinds that they define.
func (i installer) installCRDs(ctx context.Context, crds []*structural.CRD) error {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	t := types{scheme: scheme, codecs: serializer.NewCodecFactory(scheme), merge: managedfields.NewDeducedTypeConverter()}
	gv := apiextensionsv1.SchemeGroupVersion
	store, err := customresourcedefinition.NewREST(scheme, i.options(t, gv))
	if err != nil {
		return err
	}
	c := &crdKinds{installer: i, store: store.Store, served: map[string]*apiextensions.CustomResourceDefinitionSpec{}}
	strategy := crdStrategy{store.CreateStrategy, store.UpdateStrategy, c}
	store.CreateStrategy, store.UpdateStrategy = strategy, strategy
	definitions := make([]*apiserver.Definition, len(crds))
	ctx = request.WithNamespace(ctx, metav1.NamespaceNone)
	err = each(crds, func(n int, crd *structural.CRD) error {
		object, err := external(crd)
		if err == nil {
			err = create(ctx, store.Store, scheme, object)
		}
		if err == nil {
			definitions[n], err = apiserver.NewDefinition(object)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", crd.File, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := i.server.Put(definitions...); err != nil {
		return err
	}
	store.AfterCreate = func(obj runtime.Object, opts *metav1.CreateOptions) { c.changed(ctx, obj, opts.DryRun) }
	store.AfterUpdate = func(obj runtime.Object, opts *metav1.UpdateOptions) { c.changed(ctx, obj, opts.DryRun) }
	store.AfterDelete = func(obj runtime.Object, opts *metav1.DeleteOptions) { c.changed(ctx, obj, opts.DryRun) }
	return i.install(t, gv, map[string]rest.Storage{
		"customresourcedefinitions":        &crdStore{store.Store},
		"customresourcedefinitions/status": customresourcedefinition.NewStatusREST(scheme, store),
	})
}

// create stores a CRD as if a client had created it.
func create(ctx context.Context, store *registry.Store, scheme *runtime.Scheme, crd *apiextensionsv1.CustomResourceDefinition) error {
	internal := &apiextensions.CustomResourceDefinition{}
	scheme.Default(crd)
	if err := scheme.Convert(crd, internal, nil); err != nil {
		return err
	}
	internal.ResourceVersion, internal.UID = "", ""
	_, err := store.Create(ctx, internal, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
	return err
}

// crdKinds serves the kinds of the CRDs that are stored.
type crdKinds struct {
	installer
	store *registry.Store

	mu     sync.Mutex
	served map[string]*apiextensions.CustomResourceDefinitionSpec // by name
}

// changed serves the kind of a CRD as the CRD is stored now, which may have changed again. If it is gone, so are its objects.
func (c *crdKinds) changed(ctx context.Context, obj runtime.Object, dryRun []string) {
	if len(dryRun) > 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	written := obj.(*apiextensions.CustomResourceDefinition)
	stored, err := c.store.Get(ctx, written.Name, &metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		delete(c.served, written.Name)
		gr := schema.GroupResource{Group: written.Spec.Group, Resource: written.Spec.Names.Plural}
		// While the kind is served, watches are told of the objects that go.
		err = c.storage.Purge(gr)
		if _, removeErr := c.server.Remove(gr); removeErr != nil {
			err = removeErr
		}
	case err == nil:
		crd := stored.(*apiextensions.CustomResourceDefinition)
		if old := c.served[crd.Name]; old != nil && equality.Semantic.DeepEqual(*old, crd.Spec) {
			return
		}
		var definition *apiserver.Definition
		if definition, err = definitionOf(crd); err == nil {
			err = c.server.Put(definition)
		}
		c.served[crd.Name] = &crd.Spec
	}
	if err != nil {
		c.log("The change of %s is not served: %v", written.Name, err)
	}
}

func definitionOf(crd *apiextensions.CustomResourceDefinition) (*apiserver.Definition, error) {
	external := &apiextensionsv1.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(crd, external, nil); err != nil {
		return nil, err
	}
	return apiserver.NewDefinition(external)
}

// crdStore deletes CRDs at once: with the finalizer that the API server adds, their objects would be deleted later.
type crdStore struct{ *registry.Store }

func (*crdStore) ShortNames() []string { return []string{"crd", "crds"} }
func (*crdStore) Categories() []string { return []string{"api-extensions"} }

// crdStrategy is Kubernetes' strategy for CRDs. It refuses those of built-in groups, and says of all others that their kinds are served.
type crdStrategy struct {
	rest.RESTCreateStrategy
	update rest.RESTUpdateStrategy
	kinds  *crdKinds
}

func (s crdStrategy) AllowCreateOnUpdate(ctx context.Context) bool {
	return s.update.AllowCreateOnUpdate(ctx)
}

func (s crdStrategy) AllowUnconditionalUpdate(ctx context.Context) bool {
	return s.update.AllowUnconditionalUpdate(ctx)
}

func (s crdStrategy) WarningsOnUpdate(ctx context.Context, obj, old runtime.Object) []string {
	return s.update.WarningsOnUpdate(ctx, obj, old)
}

func (s crdStrategy) PrepareForCreate(ctx context.Context, obj runtime.Object) {
	s.RESTCreateStrategy.PrepareForCreate(ctx, obj)
	crd := obj.(*apiextensions.CustomResourceDefinition)
	crd.Status.AcceptedNames = crd.Spec.Names
	for _, condition := range []apiextensions.CustomResourceDefinitionCondition{
		{Type: apiextensions.NamesAccepted, Reason: "NoConflicts", Message: "no conflicts found"},
		{Type: apiextensions.Established, Reason: "InitialNamesAccepted", Message: "the initial names have been accepted"},
	} {
		condition.Status, condition.LastTransitionTime = apiextensions.ConditionTrue, metav1.Now()
		crd.Status.Conditions = append(crd.Status.Conditions, condition)
	}
}

func (s crdStrategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
	s.update.PrepareForUpdate(ctx, obj, old)
	crd := obj.(*apiextensions.CustomResourceDefinition)
	crd.Status.AcceptedNames = crd.Spec.Names
}

func (s crdStrategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	return s.servable(obj, s.RESTCreateStrategy.Validate(ctx, obj))
}

func (s crdStrategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	return s.servable(obj, s.update.ValidateUpdate(ctx, obj, old))
}

// servable returns the errors, or if there are none, that the kind is one of a built-in group.
func (s crdStrategy) servable(obj runtime.Object, errs field.ErrorList) field.ErrorList {
	crd := obj.(*apiextensions.CustomResourceDefinition)
	if len(errs) > 0 {
		return errs
	}
	if s.kinds.builtin[crd.Spec.Group] {
		return field.ErrorList{field.Forbidden(field.NewPath("spec", "group"), "this server has a built-in group of that name, to which no kind can be added")}
	}
	return nil
}
