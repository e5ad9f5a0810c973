package lint

import (
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// metadata checks the metadata of a CRD.
func (c *definitionRules) metadata(crd *structural.CRD) {
	at := structural.NewPath("metadata")
	c.crdName(crd, at)
	meta := maps.Clone(crd.Metadata)
	delete(meta, "managedFields") // the server writes its own
	interpret.ObjectMetaFaults(meta, crd.Kubernetes, func(f interpret.Fault) { c.Add(newError(idMetadataValue, f)) })
	c.approval(crd, at.Child("annotations"))
}

// crdName checks the name of a CRD.
func (c *definitionRules) crdName(crd *structural.CRD, at *structural.Path) {
	want := crd.Names.Plural + "." + crd.Group
	hint := "name it after spec.names.plural and spec.group"
	if crd.Names.Plural != "" && crd.Group != "" {
		hint = "write name: " + yamltext.Shorten(want)
	}
	const mismatch = `must be spec.names.plural+"."+spec.group`
	if generate, _ := crd.Metadata["generateName"].(string); generate != "" {
		for _, wrong := range kubenames.Subdomain(kubenames.MaskDash(generate)) {
			c.Invalid(crdread.IDName, at.Child("generateName"), generate, wrong)
		}
		if generate != want {
			c.Add(&structural.Error{ID: idNameMismatch, Type: prunert.ErrorTypeInvalid, Path: at.Child("generateName"), BadValue: generate, Detail: mismatch,
				Hint: "remove generateName"})
		}
	}
	if crd.Name == "" {
		c.Add(&structural.Error{ID: crdread.IDMissing, Type: prunert.ErrorTypeRequired, Path: at.Child("name"), Detail: "name or generateName is required", Hint: hint})
		return
	}
	for _, wrong := range kubenames.Subdomain(crd.Name) {
		c.Invalid(crdread.IDName, at.Child("name"), crd.Name, wrong)
	}
	if crd.Name != want {
		c.Add(&structural.Error{ID: idNameMismatch, Type: prunert.ErrorTypeInvalid, Path: at.Child("name"), BadValue: crd.Name, Detail: mismatch, Hint: hint})
	}
}

// approvalAnnotation is needed by CRDs in the groups of Kubernetes.
const approvalAnnotation = "api-approved.kubernetes.io"

// approval checks the annotation that the groups of the Kubernetes community need.
func (c *definitionRules) approval(crd *structural.CRD, at *structural.Path) {
	protected := false
	for _, group := range []string{"k8s.io", "kubernetes.io"} {
		protected = protected || crd.Group == group || strings.HasSuffix(crd.Group, "."+group)
	}
	if !protected || crd.APIVersion != structural.APIVersionV1 {
		return
	}
	approval := crd.Annotations()[approvalAnnotation]
	const see = ", see https://github.com/kubernetes/enhancements/pull/1111"
	const hint = "use a group of your own, or the annotation " + approvalAnnotation + " with the URL of the approval"
	if approval == "" {
		c.Add(&structural.Error{ID: idApproval, Type: prunert.ErrorTypeRequired, Path: at.Key(approvalAnnotation), Hint: hint,
			Detail: fmt.Sprintf("protected groups must have approval annotation %q%s", approvalAnnotation, see)})
		return
	}
	u, err := url.ParseRequestURI(approval)
	if strings.HasPrefix(approval, "unapproved") || err == nil && u.Host != "" && u.Scheme != "" {
		return
	}
	c.Add(&structural.Error{ID: idApproval, Type: prunert.ErrorTypeInvalid, Path: at.Key(approvalAnnotation), BadValue: approval, Hint: hint,
		Detail: fmt.Sprintf(`protected groups must have approval annotation %q with either a URL or a reason starting with "unapproved"%s`,
			approvalAnnotation, see)})
}

// newError returns what a fault of a value is for the CRD that has the value.
func newError(id structural.ID, f interpret.Fault) *structural.Error {
	return &structural.Error{ID: id, Type: f.Type, Path: f.At, BadValue: f.BadValue, Detail: f.Detail}
}
