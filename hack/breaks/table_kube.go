package main

// kubeBreaks are mistakes in the modules for programs on Kubernetes' libraries.
var kubeBreaks = []Break{
	{Name: "the webhook lets invalid objects in on updates", File: "kube/admission.go",
		Old: `return r.ValidateUpdate(obj, old)`, New: `return nil`},
	{Name: "the webhook evaluates rules on invalid objects", File: "kube/admission.go",
		Old: `if len(errs) == 0 && r.ValidateRules != nil {`, New: `if r.ValidateRules != nil {`},
	{Name: "the webhook forgets what rules warn of", File: "kube/admission.go",
		Old: `response.Warnings = append(response.Warnings, warnings...)`, New: `_ = warnings`},
	{Name: "the informer keeps managedFields", File: "kube/transform.go",
		Old: `delete(metadata, "managedFields")`, New: `delete(metadata, "managedField")`},
	{Name: "the fake client creates without a namespace", File: "kube/prunetest/client.go",
		Old: "case t.Namespaced && t.namespace == \"\":\n\t\treturn errCreateWithoutNamespace", New: "case false:\n\t\treturn errCreateWithoutNamespace"},
	{Name: "the fake client reads without defaults", File: "kube/prunetest/client.go",
		Old: "if err := t.read(u.Object); err != nil {\n\t\treturn err\n\t}\n\treturn decode(u.Object, obj)\n}\n\n// notFound", New: "return decode(u.Object, obj)\n}\n\n// notFound"},
	{Name: "the fake client stores what does not change", File: "kube/prunetest/client.go",
		Old: `if equalExceptManagedFields(obj, old) || `, New: `if `},
	{Name: "warnings are returned twice", File: "kube/prunetest/client.go",
		Old: `c.warnings = nil`, New: `_ = warnings`},
	{Name: "applied configurations may have unknown fields", File: "kube/prunetest/apply.go",
		Old: `len(unknown) > 0 {`, New: `len(unknown) > 1 {`},
	{Name: "versions that are not served are known", File: "kube/prunetest/crds.go",
		Old: `if !crd.Versions[i].Served {`, New: `if !crd.Versions[i].Served && i == 0 {`},
	{Name: "an invalid fixture may be refused in any words", File: "kube/prunetest/fixtures.go",
		Old: `refusal != nil && strings.Contains(refusal.Message, test.refusal):`, New: `refusal != nil:`},
	{Name: "valid fixtures may have unknown fields", File: "kube/prunetest/fixtures.go",
		Old: `f := &fixtures{crds: crds, validation: prunert.FieldValidationStrict}`, New: `f := &fixtures{crds: crds, validation: prunert.FieldValidationIgnore}`},
}
