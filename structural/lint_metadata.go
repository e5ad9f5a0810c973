package structural

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/prune-gen/prune-gen/structural/text"
)

// metadata checks the metadata of a CRD.
func (c *collector) metadata(crd *CRD) {
	at := NewPath("metadata")
	c.crdName(crd, at)
	meta, _ := valueOf(crd.root.Child("metadata")).(map[string]any)
	c.objectMeta(meta, at)
	c.approval(crd, meta, at.Child("annotations"))
}

// valueOf returns the value of a node, nil for none.
func valueOf(n *text.Node) any {
	if n == nil {
		return nil
	}
	return n.Value()
}

// crdName checks that a CRD is called what it has to be called.
func (c *collector) crdName(crd *CRD, at *Path) {
	want := crd.Names.Plural + "." + crd.Group
	hint := "name it after spec.names.plural and spec.group"
	if crd.Names.Plural != "" && crd.Group != "" {
		hint = "write name: " + text.Shorten(want)
	}
	const mismatch = `must be spec.names.plural+"."+spec.group`
	if generate := crd.root.Child("metadata").Child("generateName").Str(); generate != "" {
		for _, wrong := range checkSubdomain(maskDash(generate)) {
			c.invalid(RuleName, at.Child("generateName"), generate, wrong)
		}
		if generate != want {
			c.add(&Error{Rule: RuleNameMismatch, Type: ErrorInvalid, Path: at.Child("generateName"), BadValue: generate, Detail: mismatch,
				hint: "remove generateName"})
		}
	}
	if crd.Name == "" {
		c.add(&Error{Rule: RuleMissing, Type: ErrorRequired, Path: at.Child("name"), Detail: "name or generateName is required", hint: hint})
		return
	}
	for _, wrong := range checkSubdomain(crd.Name) {
		c.invalid(RuleName, at.Child("name"), crd.Name, wrong)
	}
	if crd.Name != want {
		c.add(&Error{Rule: RuleNameMismatch, Type: ErrorInvalid, Path: at.Child("name"), BadValue: crd.Name, Detail: mismatch, hint: hint})
	}
}

// maskDash lets the beginning of a name that is to be generated end in a dash.
func maskDash(name string) string {
	if len(name) > 1 && strings.HasSuffix(name, "-") {
		return name[:len(name)-2] + "a"
	}
	return name
}

// approvalAnnotation is needed by CRDs in the groups of Kubernetes.
const approvalAnnotation = "api-approved.kubernetes.io"

// approval checks the annotation that the groups of the Kubernetes community need.
func (c *collector) approval(crd *CRD, meta map[string]any, at *Path) {
	protected := false
	for _, group := range []string{"k8s.io", "kubernetes.io"} {
		protected = protected || crd.Group == group || strings.HasSuffix(crd.Group, "."+group)
	}
	if !protected || crd.APIVersion != apiV1 {
		return
	}
	annotations, _ := meta["annotations"].(map[string]any)
	approval, _ := annotations[approvalAnnotation].(string)
	const see = ", see https://github.com/kubernetes/enhancements/pull/1111"
	const hint = "use a group of your own, or the annotation " + approvalAnnotation + " with the URL of the approval"
	if approval == "" {
		c.add(&Error{Rule: RuleApproval, Type: ErrorRequired, Path: at.Key(approvalAnnotation), hint: hint,
			Detail: fmt.Sprintf("protected groups must have approval annotation %q%s", approvalAnnotation, see)})
		return
	}
	u, err := url.ParseRequestURI(approval)
	if strings.HasPrefix(approval, "unapproved") || err == nil && u.Host != "" && u.Scheme != "" {
		return
	}
	c.add(&Error{Rule: RuleApproval, Type: ErrorInvalid, Path: at.Key(approvalAnnotation), BadValue: approval, hint: hint,
		Detail: fmt.Sprintf(`protected groups must have approval annotation %q with either a URL or a reason starting with "unapproved"%s`,
			approvalAnnotation, see)})
}

// maxAnnotations is how many bytes the annotations of an object may have.
const maxAnnotations = 256 << 10

// objectMeta checks metadata that has the types of ObjectMeta, apart from the names in it.
func (c *collector) objectMeta(meta map[string]any, at *Path) {
	labels, _ := meta["labels"].(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		for _, wrong := range wrongLabelKey(k) {
			c.invalid(RuleMetadataValue, at.Child("labels"), k, wrong)
		}
		value, _ := labels[k].(string)
		for _, wrong := range wrongLabelValue(value) {
			c.invalid(RuleMetadataValue, at.Child("labels"), value, wrong)
		}
	}
	annotations, _ := meta["annotations"].(map[string]any)
	size := 0
	for _, k := range slices.Sorted(maps.Keys(annotations)) {
		for _, wrong := range wrongLabelKey(strings.ToLower(k)) {
			c.invalid(RuleMetadataValue, at.Child("annotations"), k, wrong)
		}
		value, _ := annotations[k].(string)
		size += len(k) + len(value)
	}
	if size > maxAnnotations {
		c.tooLong(RuleMetadataValue, at.Child("annotations"), maxAnnotations)
	}
	c.ownerReferences(meta["ownerReferences"], at.Child("ownerReferences"))
	c.finalizers(meta["finalizers"], at.Child("finalizers"))
	c.managedFields(meta["managedFields"], at.Child("managedFields"))
}

func (c *collector) tooLong(rule Rule, at *Path, most int) {
	c.add(&Error{Rule: rule, Type: ErrorTooLong, Path: at, Detail: tooLongDetail(int64(most))})
}

func tooLongDetail(most int64) string {
	switch {
	case most == 1:
		return "may not be more than 1 byte"
	case most < 0:
		return "value is too long"
	}
	return fmt.Sprintf("may not be more than %d bytes", most)
}

func (c *collector) ownerReferences(v any, at *Path) {
	list, _ := v.([]any)
	controller := ""
	for i, e := range list {
		ref, _ := e.(map[string]any)
		at := at.Index(i)
		apiVersion, _ := ref["apiVersion"].(string)
		kind, _ := ref["kind"].(string)
		name, _ := ref["name"].(string)
		if _, version, err := parseAPIVersion(apiVersion); apiVersion != "" && (err != "" || version == "") {
			c.invalid(RuleMetadataValue, at.Child("apiVersion"), apiVersion, "must be <group>/<version> or <version>")
		}
		for _, field := range []string{"apiVersion", "kind", "name", "uid"} {
			if s, _ := ref[field].(string); s == "" {
				c.required(RuleMetadataValue, at.Child(field), "must not be empty")
			}
		}
		if apiVersion == "v1" && kind == "Event" {
			c.invalid(RuleMetadataValue, at, omitted{}, "/v1, Kind=Event is disallowed from being an owner")
		}
		if ref["controller"] == true {
			if controller != "" {
				c.invalid(RuleMetadataValue, at.parent, omitted{}, fmt.Sprintf("Only one reference can have Controller set to true. "+
					"Found \"true\" in references for %s and %s", controller, kind+"/"+name))
			} else {
				controller = kind + "/" + name
			}
		}
	}
}

func (c *collector) finalizers(v any, at *Path) {
	list, _ := v.([]any)
	var orphan, foreground bool
	for _, e := range list {
		name, _ := e.(string)
		for _, wrong := range wrongLabelKey(name) {
			c.invalid(RuleMetadataValue, at, name, wrong)
		}
		orphan, foreground = orphan || name == "orphan", foreground || name == "foregroundDeletion"
	}
	if orphan && foreground {
		c.invalid(RuleMetadataValue, at, list, "finalizer orphan and foregroundDeletion cannot be both set")
	}
}

func (c *collector) managedFields(v any, at *Path) {
	list, _ := v.([]any)
	for i, e := range list {
		fields, _ := e.(map[string]any)
		at := at.Index(i)
		switch operation, _ := fields["operation"].(string); operation {
		case "":
			c.required(RuleMetadataValue, at.Child("operation"), "must not be empty")
		case "Apply", "Update":
		default:
			c.notSupported(RuleMetadataValue, at.Child("operation"), operation, "Apply", "Update")
		}
		if typ, _ := fields["fieldsType"].(string); typ != "" && typ != "FieldsV1" {
			c.invalid(RuleMetadataValue, at.Child("fieldsType"), typ, "must be `FieldsV1`")
		}
		manager, _ := fields["manager"].(string)
		if len(manager) > 128 {
			c.tooLong(RuleMetadataValue, at.Child("manager"), 128)
		}
		for i, r := range manager {
			if !unicode.IsPrint(r) && !c.full {
				c.invalid(RuleMetadataValue, at.Child("manager"), manager, fmt.Sprintf("invalid character %#U (at position %d)", r, i))
			}
		}
		if subresource, _ := fields["subresource"].(string); len(subresource) > 256 {
			c.tooLong(RuleMetadataValue, at.Child("subresource"), 256)
		}
	}
}

// parseAPIVersion splits an apiVersion; err says why it is none.
func parseAPIVersion(s string) (group, version, err string) {
	if s == "" || s == "/" {
		return "", "", ""
	}
	switch strings.Count(s, "/") {
	case 0:
		return "", s, ""
	case 1:
		group, version, _ = strings.Cut(s, "/")
		return group, version, ""
	}
	return "", "", "unexpected GroupVersion string: " + s
}

const (
	labelKeyPattern   = `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`
	labelValuePattern = `(` + labelKeyPattern + `)?`
)

var (
	labelKeyRegexp   = regexp.MustCompile(`^` + labelKeyPattern + `$`)
	labelValueRegexp = regexp.MustCompile(`^` + labelValuePattern + `$`)
)

// wrongLabelKey returns what is wrong with s as the key of a label: a name, with a domain before a slash or without.
func wrongLabelKey(s string) []string {
	const rule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
		"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" + labelKeyPattern + "')"
	var wrong []string
	domain, name, found := strings.Cut(s, "/")
	switch {
	case !found:
		name = s
	case strings.Contains(name, "/"):
		return []string{"a valid label key " + rule + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
	case domain == "":
		wrong = append(wrong, "prefix part must be non-empty")
	default:
		if len(domain) > 253 {
			wrong = append(wrong, "prefix part must be no more than 253 bytes")
		}
		if !subdomainRegexp.MatchString(domain) {
			wrong = append(wrong, "prefix part "+subdomainRule)
		}
	}
	if name == "" {
		wrong = append(wrong, "name part must be non-empty")
	} else if len(name) > 63 {
		wrong = append(wrong, "name part must be no more than 63 bytes")
	}
	if !labelKeyRegexp.MatchString(name) {
		wrong = append(wrong, "name part "+rule)
	}
	return wrong
}

// wrongLabelValue returns what is wrong with s as the value of a label.
func wrongLabelValue(s string) []string {
	var wrong []string
	if len(s) > 63 {
		wrong = append(wrong, "must be no more than 63 bytes")
	}
	if !labelValueRegexp.MatchString(s) {
		wrong = append(wrong, "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "+
			"start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '"+
			labelValuePattern+"')")
	}
	return wrong
}
