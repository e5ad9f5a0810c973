package verdicts

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// definition is a CRD in which SPEC, VERSION and METADATA stand for what is said besides.
const definition = `
apiVersion: apiextensions.k8s.io/API
kind: CustomResourceDefinition
metadata: {name: widgets.GROUP, METADATA}
spec:
  group: GROUP
  names: {kind: Widget, plural: widgets, NAMES}
  scope: Namespaced
  SPEC
  versions:
  - {name: v1, served: true, storage: true, VERSION}
  - {name: v2, served: true, storage: false, SECOND}
`

const (
	schema1 = `schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}, m: {type: object, additionalProperties: {type: integer}}, o: {type: object, properties: {b: {type: boolean}}}}}}`
	schema2 = `schema: {openAPIV3Schema: {type: object, properties: {a: {type: integer}}}}`
)

// TestDefinitionsAreRefusedForTheSameReasons says one thing about a CRD at a time.
func TestDefinitionsAreRefusedForTheSameReasons(t *testing.T) {
	long := strings.Repeat("x", 300)
	cases := map[string][]string{
		"NAMES": {
			"", "singular: widget", "singular: Widget", "singular: a_b", "listKind: Widget", "listKind: WidgetList", "listKind: a.b", "listKind: null",
			"shortNames: [w, W, '', null]", "categories: [all, '1']", "shortNames: [" + long + "]", "singular: " + long,
		},
		"METADATA": {
			"namespace: x", "labels: {a: b}", "labels: {'a b': c}", "labels: {a: 'b c'}", "labels: {a/b/c: d}", "labels: {/a: b, A.b/c: d, a/: e}",
			"labels: {" + long + ": " + long + "}", "labels: {" + long + ".com/a: b}", "annotations: {'a b': c}", "annotations: {A/B: c}",
			"annotations: {a: " + strings.Repeat("x", 300_000) + "}", "finalizers: [a, 'b c']", "finalizers: [orphan, foregroundDeletion]",
			"ownerReferences: [{}]", "ownerReferences: [{apiVersion: a/b/c, kind: A, name: a, uid: b}]", "ownerReferences: [{apiVersion: a/, kind: A, name: a, uid: b}]",
			"ownerReferences: [{apiVersion: v1, kind: Event, name: a, uid: b}]",
			"ownerReferences: [{apiVersion: v1, kind: A, name: a, uid: b, controller: true}, {apiVersion: v1, kind: B, name: a, uid: b, controller: true}]",
			"managedFields: [{}]", "managedFields: [{operation: Delete, fieldsType: X, manager: " + long + ", subresource: " + long + "}]",
			"managedFields: [{operation: Apply, manager: \"a\\tb\"}]", "generation: -1", "resourceVersion: '1'", "generateName: widgets.example.com", "generateName: w-",
		},
		"SPEC": {
			"preserveUnknownFields: true", "preserveUnknownFields: false", "conversion: null", "conversion: {}", "conversion: {strategy: None}",
			"conversion: {strategy: Magic}", "conversion: {strategy: Webhook}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {}}}",
			"conversion: {strategy: None, WEBHOOK{clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {url: 'https://a'}, conversionReviewVersions: [v1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {url: 'https://a', service: {name: a, namespace: b}}, conversionReviewVersions: [v1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {url: 'http://u:p@/x?q=1#f'}, conversionReviewVersions: [v1beta1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {url: \"https://a\\x7f\"}, conversionReviewVersions: [v1, v1, V2]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {url: ''}, conversionReviewVersions: [v2]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {service: {}}, conversionReviewVersions: []}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {service: {name: a}}, conversionReviewVersions: [v1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {service: {name: a, namespace: b, port: 0}}, conversionReviewVersions: [v1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {service: {name: a, namespace: b, port: 443, path: '/a//b/C/'}}, conversionReviewVersions: [v1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {service: {name: a, namespace: b, path: 'a'}}, conversionReviewVersions: [v1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {service: {name: a, namespace: b, path: '//'}, caBundle: Cg==}, conversionReviewVersions: [v1]}}",
			"conversion: {strategy: Webhook, WEBHOOK{clientConfig: {service: {name: a, namespace: b}, caBundle: '?'}, conversionReviewVersions: [v1]}}",
			"version: v1", "version: v2", "version: V1", "validation: {openAPIV3Schema: {type: object}}", "validation: {}", "subresources: {status: {}}",
			"additionalPrinterColumns: [{}]", "additionalPrinterColumns: [{name: a, type: string, JSONPath: .a}]", "selectableFields: [{jsonPath: .a}]",
		},
		"VERSION": {
			"deprecationWarning: old", "deprecated: true, deprecationWarning: old", "deprecated: true, deprecationWarning: ''",
			"deprecated: true, deprecationWarning: \"a\\tb\"", "deprecated: true, deprecationWarning: " + long, "deprecated: true, deprecationWarning: null",
			"subresources: {}", "subresources: {status: {}}", "subresources: {scale: {}}",
			"subresources: {scale: {specReplicasPath: spec.a, statusReplicasPath: .spec.a}}",
			"subresources: {scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.a, labelSelectorPath: ''}}",
			"subresources: {scale: {specReplicasPath: .status.a, statusReplicasPath: .status.a, labelSelectorPath: .a}}",
			"subresources: {scale: {specReplicasPath: ., statusReplicasPath: .status., labelSelectorPath: a}}",
			"additionalPrinterColumns: [{}]", "additionalPrinterColumns: [null]", "additionalPrinterColumns: [{name: a, type: file, format: hex, JSONPATH: a}]",
			"additionalPrinterColumns: [{name: a, type: date, format: date, JSONPATH: .a, priority: 1}]",
			"selectableFields: []", "selectableFields: [{}]", "selectableFields: [{jsonPath: .a}]", "selectableFields: [{jsonPath: .a}, {jsonPath: .a}]",
			"selectableFields: [{jsonPath: a}, {jsonPath: .}, {jsonPath: .z}, {jsonPath: .o}, {jsonPath: .o.b}, {jsonPath: '.a[0]'}, {jsonPath: .m.x}, {jsonPath: .a.b}]",
			"selectableFields: [{jsonPath: .metadata.name}]",
			"selectableFields: [{jsonPath: .m.a}, {jsonPath: .m.b}, {jsonPath: .m.c}, {jsonPath: .m.d}, {jsonPath: .m.e}, {jsonPath: .m.f}, {jsonPath: .m.g}, {jsonPath: .m.h}, {jsonPath: .m.i}]",
			"storage: false", "served: false", "name: V1", "name: v2", "name: ''",
		},
		"GROUP": {"example.com", "example.k8s.io", "kubernetes.io", "examplek8s.io", "example", "Example.com"},
	}
	seconds := []string{schema2, schema1, "storage: true, " + schema2, "selectableFields: [{jsonPath: .a}], " + schema2, "selectableFields: [{jsonPath: .a}], " + schema1, ""}
	taken, refused := 0, 0
	for hole, values := range cases {
		for _, value := range values {
			for _, api := range []string{"v1", "v1beta1"} {
				for _, second := range seconds {
					text := definition
					webhook, end, jsonPath := "webhook: {", "}}", "jsonPath"
					if api == "v1beta1" {
						webhook, end, jsonPath = "", "}", "JSONPath"
					}
					v := value
					if strings.Contains(v, "WEBHOOK{") {
						v = strings.TrimSuffix(v, "}}") + end
						v = strings.Replace(v, "WEBHOOK{", webhook, 1)
						if api == "v1beta1" {
							v = strings.Replace(v, "clientConfig:", "webhookClientConfig:", 1)
						}
					}
					v = strings.ReplaceAll(v, "JSONPATH", jsonPath)
					first := schema1
					if hole == "VERSION" {
						first = v + ", " + schema1
					}
					if hole == "VERSION" && strings.HasPrefix(v, "name:") {
						text = strings.Replace(text, "name: v1, ", v+", ", 1)
						first = schema1
					}
					if hole == "VERSION" && strings.HasPrefix(v, "storage:") {
						text = strings.Replace(text, "storage: true, VERSION", v+", VERSION", 1)
						first = schema1
					}
					if hole == "VERSION" && strings.HasPrefix(v, "served:") {
						text = strings.Replace(text, "served: true, storage: true", v+", storage: true", 1)
						first = schema1
					}
					sec := second
					if rest, ok := strings.CutPrefix(second, "storage: true, "); ok {
						text = strings.Replace(text, "storage: false, SECOND", "storage: true, SECOND", 1)
						sec = rest
					}
					group := "example.com"
					if hole == "GROUP" {
						group = v
					}
					replace := map[string]string{"NAMES": "", "METADATA": "", "SPEC": ""}
					replace[hole] = v
					text = strings.NewReplacer("API", api, "GROUP", group, "NAMES", replace["NAMES"], "METADATA", replace["METADATA"],
						"SPEC", replace["SPEC"], "VERSION", first, "SECOND", sec).Replace(text)
					raw, err := yaml.YAMLToJSON([]byte(text))
					if err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
					if compareVerdict(t, api+" "+hole+" "+value[:min(len(value), 200)], raw) {
						taken++
					} else {
						refused++
					}
				}
			}
		}
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if taken < 150 || refused < 500 {
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}
