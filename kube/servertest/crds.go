package servertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/prune-gen/prune-gen/kube/apiserver"
)

// crdOfFile is a CRD and where it is from.
type crdOfFile struct {
	file string
	*apiextensionsv1.CustomResourceDefinition
}

// readCRDs reads the CRDs in files and directories. Files in directories may have other objects.
func readCRDs(paths []string) ([]crdOfFile, error) {
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || file != path && !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)) {
				return err
			}
			files = append(files, file)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	found := make([][]crdOfFile, len(files))
	err := each(files, func(i int, file string) error {
		data, err := os.ReadFile(file)
		if err == nil {
			found[i], err = parseCRDs(file, data)
		}
		if err == nil && len(found[i]) == 0 && slices.Contains(paths, file) {
			err = errors.New("there is no CustomResourceDefinition")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return nil
	})
	return slices.Concat(found...), err
}

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

// parseCRDs returns the CRDs among the documents of a file.
func parseCRDs(file string, data []byte) ([]crdOfFile, error) {
	var all []crdOfFile
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var doc runtime.RawExtension
		if err := decoder.Decode(&doc); err != nil {
			if errors.Is(err, io.EOF) {
				return all, nil
			}
			return nil, err
		}
		var kind metav1.TypeMeta
		if len(doc.Raw) == 0 || json.Unmarshal(doc.Raw, &kind) != nil || kind.Kind != "CustomResourceDefinition" {
			continue
		}
		object := &apiextensionsv1.CustomResourceDefinition{}
		if err := json.Unmarshal(doc.Raw, object); err != nil {
			return nil, err
		}
		all = append(all, crdOfFile{file, object})
	}
}

// installCRDs serves CRDs, by Kubernetes' own strategy for them, and the kinds that they define.
func (i installer) installCRDs(ctx context.Context, crds []crdOfFile) error {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	t := types{scheme: scheme, codecs: serializer.NewCodecFactory(scheme), merge: managedfields.NewDeducedTypeConverter()}
	gv := apiextensionsv1.SchemeGroupVersion
	store, err := customresourcedefinition.NewREST(scheme, i.options(t, gv))
	if err != nil {
		return err
	}
	store.CreateStrategy = established{store.CreateStrategy}
	definitions := make([]*apiserver.Definition, len(crds))
	ctx = request.WithNamespace(ctx, metav1.NamespaceNone)
	err = each(crds, func(n int, crd crdOfFile) (err error) {
		if err = create(ctx, store.Store, scheme, crd.CustomResourceDefinition); err == nil {
			definitions[n], err = i.definition(crd.CustomResourceDefinition)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", crd.file, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := i.server.Put(definitions...); err != nil {
		return err
	}
	store.AfterCreate = func(obj runtime.Object, opts *metav1.CreateOptions) { i.changed(obj, opts.DryRun) }
	store.AfterUpdate = func(obj runtime.Object, opts *metav1.UpdateOptions) { i.changed(obj, opts.DryRun) }
	store.AfterDelete = func(obj runtime.Object, opts *metav1.DeleteOptions) { i.deleted(obj, opts.DryRun) }
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

// changed serves the kind of a CRD as it is now.
func (i installer) changed(obj runtime.Object, dryRun []string) {
	if len(dryRun) > 0 {
		return
	}
	crd, external := obj.(*apiextensions.CustomResourceDefinition), &apiextensionsv1.CustomResourceDefinition{}
	err := apiextensionsv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(crd, external, nil)
	if err == nil {
		var definition *apiserver.Definition
		if definition, err = i.definition(external); err == nil {
			err = i.server.Put(definition)
		}
	}
	if err != nil {
		i.log("%s is not served: %v", crd.Name, err)
	}
}

// definition returns what a CRD says. Webhooks are not asked to convert.
func (i installer) definition(crd *apiextensionsv1.CustomResourceDefinition) (*apiserver.Definition, error) {
	if c := crd.Spec.Conversion; c != nil && c.Strategy == apiextensionsv1.WebhookConverter {
		i.log("The versions of %s are converted as the strategy None does: the webhook is not asked.", crd.Name)
		crd = crd.DeepCopy()
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
	}
	return apiserver.NewDefinition(crd)
}

// deleted serves the kind of a CRD no more, and deletes its objects.
func (i installer) deleted(obj runtime.Object, dryRun []string) {
	crd := obj.(*apiextensions.CustomResourceDefinition)
	if len(dryRun) > 0 {
		return
	}
	gr := schema.GroupResource{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural}
	_, err := i.server.Remove(gr)
	if err = errors.Join(err, i.storage.Purge(gr)); err != nil {
		i.log("%s is deleted, and something of it is left: %v", crd.Name, err)
	}
}

// crdStore deletes CRDs at once: with the finalizer that the API server adds, their objects would be deleted later.
type crdStore struct{ *registry.Store }

func (*crdStore) ShortNames() []string { return []string{"crd", "crds"} }
func (*crdStore) Categories() []string { return []string{"api-extensions"} }

// established says of every CRD that its kind is served.
type established struct{ rest.RESTCreateStrategy }

func (e established) PrepareForCreate(ctx context.Context, obj runtime.Object) {
	e.RESTCreateStrategy.PrepareForCreate(ctx, obj)
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
