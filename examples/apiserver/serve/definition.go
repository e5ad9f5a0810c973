package serve

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/examples/apiserver/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Definition is what a server has to know about a kind that is not in its generated code: a CRD without its schemas.
type Definition struct {
	apiextensionsv1.CustomResourceDefinitionSpec
	// Storage is the version that etcd holds.
	Storage string
	// Unserved says why the kind cannot be served; it is empty if it can.
	Unserved string

	// manifest is the CRD. It lies in the program's text where it was embedded, and is parsed again when its schemas are needed.
	manifest []byte
}

// Definitions reads the CRDs in a YAML file.
func Definitions(data []byte) ([]*Definition, error) {
	var all []*Definition
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		doc, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(doc)) == 0 {
			continue
		}
		d, err := definition(bytes.Clone(doc))
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
}

func definition(doc []byte) (*Definition, error) {
	crd, err := parseCRD(doc)
	if err != nil {
		return nil, err
	}
	d := &Definition{CustomResourceDefinitionSpec: crd.Spec, manifest: doc}
	if s := crd.Spec.Conversion.Strategy; s != apiextensionsv1.NoneConverter && len(crd.Spec.Versions) > 1 {
		d.Unserved = fmt.Sprintf("its versions are converted by the strategy %s, and the server knows None only", s)
	}
	d.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
	for i := range d.Versions {
		v := &d.Versions[i]
		v.Schema = nil
		if v.Subresources == nil {
			v.Subresources = &apiextensionsv1.CustomResourceSubresources{}
		}
		if v.Storage {
			d.Storage = v.Name
		}
	}
	if d.Storage == "" {
		return nil, fmt.Errorf("%s: no version is the storage version", crd.Name)
	}
	return d, nil
}

// parseCRD reads a CRD and fills in what the API server of CRDs would.
func parseCRD(doc []byte) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(doc, crd); err != nil {
		return nil, fmt.Errorf("parse a CRD: %w", err)
	}
	if crd.APIVersion != apiextensionsv1.SchemeGroupVersion.String() || crd.Kind != "CustomResourceDefinition" {
		return nil, fmt.Errorf("%s %s is not a CustomResourceDefinition of %s", crd.APIVersion, crd.Kind, apiextensionsv1.SchemeGroupVersion)
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(crd)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
	return crd, nil
}

// GroupKind returns the group and kind of the objects.
func (d *Definition) GroupKind() schema.GroupKind {
	return schema.GroupKind{Group: d.Group, Kind: d.Names.Kind}
}

// Namespaced reports whether the objects are in namespaces.
func (d *Definition) Namespaced() bool { return d.Scope == apiextensionsv1.NamespaceScoped }

// fits returns how the linked code differs from what the CRD would be compiled to.
func (d *Definition) fits(linked kube.Resources) error {
	crd, err := load.CRD(d.manifest, load.Options{})
	if err != nil {
		return err
	}
	var errs []error
	for _, version := range slices.Sorted(maps.Keys(linked)) {
		fit, err := dynamic.Fits(linked[version], crd)
		if err == nil && !fit.Same {
			err = fmt.Errorf("the code for %s/%s %s was generated from another schema than that of the CRD: %s; generate it again",
				d.Group, version, d.Names.Kind, differences(fit))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// differences names what differs between generated code and a CRD.
func differences(fit dynamic.Fit) string {
	var texts []string
	if len(fit.Lost) > 0 {
		texts = append(texts, "the code drops "+strings.Join(fit.Lost, ", "))
	}
	if len(fit.Extra) > 0 {
		texts = append(texts, "the code keeps "+strings.Join(fit.Extra, ", "))
	}
	if len(texts) == 0 {
		return "the fields are the same, their types, defaults or validation are not"
	}
	return strings.Join(texts, "; ")
}

// resources returns the linked code for every version that is served or stored.
func (d *Definition) resources(set *prunert.Set) (kube.Resources, error) {
	found := kube.Resources{}
	for _, v := range d.Versions {
		r, ok := set.Lookup(d.Group, v.Name, d.Names.Kind)
		switch {
		case ok:
			found[v.Name] = r
		case v.Served || v.Name == d.Storage:
			return nil, fmt.Errorf("no code is linked for %s/%s %s: import the package that prune-gen generated with --register",
				d.Group, v.Name, d.Names.Kind)
		}
	}
	return found, nil
}
