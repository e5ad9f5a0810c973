package apiserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/klog/v2"
	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Definition is what a server has to know about a kind that is not in its generated code: a CRD without its schemas.
type Definition struct {
	apiextensionsv1.CustomResourceDefinitionSpec
	// Storage is the version that etcd holds.
	Storage string

	// manifest is the CRD. It lies in the program's text where it was embedded, and is parsed again when its schemas are needed.
	manifest []byte
}

// Definitions reads the CRDs in a YAML file.
func Definitions(data []byte) ([]*Definition, error) {
	var all []*Definition
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for n := 1; ; n++ {
		doc, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if isComment(doc) {
			continue
		}
		crd, err := parseCRD(doc)
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		d, err := newDefinition(crd, bytes.Clone(doc))
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
}

// isComment reports whether a document has nothing but comments.
func isComment(doc []byte) bool {
	for line := range bytes.Lines(doc) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && !bytes.Equal(line, []byte("---")) {
			return false
		}
	}
	return true
}

// NewDefinition returns what a CRD says.
func NewDefinition(crd *apiextensionsv1.CustomResourceDefinition) (*Definition, error) {
	crd = crd.DeepCopy()
	crd.TypeMeta = metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
	doc, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	return newDefinition(crd, doc)
}

// newDefinition returns the definition of a CRD that nobody else uses, and that was written as doc.
func newDefinition(crd *apiextensionsv1.CustomResourceDefinition, doc []byte) (*Definition, error) {
	d := &Definition{CustomResourceDefinitionSpec: crd.Spec, manifest: doc}
	if c := d.Conversion; c.Strategy == apiextensionsv1.WebhookConverter && (c.Webhook == nil || c.Webhook.ClientConfig == nil) {
		return nil, fmt.Errorf("%s: spec.conversion does not say where its webhook is", crd.Name)
	}
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
	unmarshal := func(doc []byte, crd any) error { return yaml.Unmarshal(doc, crd) }
	if utilyaml.IsJSONBuffer(doc) {
		unmarshal = json.Unmarshal // faster
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := unmarshal(doc, crd); err != nil {
		return nil, fmt.Errorf("parse a CRD: %w", err)
	}
	if crd.APIVersion != apiextensionsv1.SchemeGroupVersion.String() || crd.Kind != "CustomResourceDefinition" {
		return nil, fmt.Errorf("%s %s is not a CustomResourceDefinition of %s", crd.APIVersion, crd.Kind, apiextensionsv1.SchemeGroupVersion)
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
	return crd, nil
}

// GroupKind returns the group and kind of the objects.
func (d *Definition) GroupKind() schema.GroupKind {
	return schema.GroupKind{Group: d.Group, Kind: d.Names.Kind}
}

// Namespaced reports whether the objects are in namespaces.
func (d *Definition) Namespaced() bool { return d.Scope == apiextensionsv1.NamespaceScoped }

func (d *Definition) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: d.Group, Resource: d.Names.Plural}
}

// resources returns the functions for every version that is served or stored: the linked ones, or with interpret those that do what the
// CRD says where none are linked or those of another schema.
func (d *Definition) resources(linked *prunert.Set, interpret bool) (custom.Resources, error) {
	crd, err := load.CRD(d.manifest, load.Options{})
	if err != nil {
		return nil, err
	}
	found, err := d.linked(linked, crd)
	if err == nil || !interpret {
		return found, err
	}
	if len(found) > 0 {
		klog.Warningf("%s is interpreted: %v", d.groupResource(), err)
	}
	interpreted, err := dynamic.Compile(crd)
	if err != nil {
		return nil, err
	}
	all := custom.Resources{}
	for _, r := range interpreted {
		all[r.Version] = r
	}
	return all, nil
}

// linked returns the linked code, and everything that is wrong with it.
func (d *Definition) linked(set *prunert.Set, crd *structural.CRD) (custom.Resources, error) {
	found := custom.Resources{}
	var errs []error
	var rules []string
	for _, v := range d.Versions {
		r, ok := set.Lookup(d.Group, v.Name, d.Names.Kind)
		switch {
		case !ok && (v.Served || v.Storage):
			errs = append(errs, fmt.Errorf("no code is linked for %s/%s %s: import the package that prune-gen generated with --register", d.Group, v.Name, d.Names.Kind))
		case ok:
			found[v.Name] = r
			fit, err := dynamic.Fits(r, crd)
			if err == nil && !fit.Same {
				err = fmt.Errorf("the code for %s/%s %s was generated from another schema than that of the CRD: %s; generate it again",
					d.Group, v.Name, d.Names.Kind, differences(fit))
			}
			errs = append(errs, err)
			if r.HasRules && r.ValidateRules == nil {
				rules = append(rules, v.Name)
			}
		}
	}
	if len(rules) > 0 {
		errs = append(errs, fmt.Errorf("%s has CEL rules (x-kubernetes-validations) in %s, which the linked code does not evaluate: generate it with --emit rules",
			d.groupResource(), strings.Join(rules, ", ")))
	}
	return found, errors.Join(errs...)
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
