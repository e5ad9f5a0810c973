package apiserver

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// converted is a kind whose field spec.size is called spec.big in v1, which has a default.
const converted = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Thing, plural: things}
  versions:
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      big: {type: integer, maximum: 5}, old: {type: string, default: o}}}}}}}
  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      size: {type: integer, maximum: 3}, new: {type: string, default: x}}}}}}}
`

// rename is the converter of the kind. Objects of some names are converted badly.
func rename(obj map[string]any, apiVersion string) (map[string]any, error) {
	metadata, spec := obj["metadata"].(map[string]any), obj["spec"].(map[string]any)
	switch metadata["name"] {
	case "fails":
		return nil, errors.New("no such thing")
	case "panics":
		panic("oh")
	case "renamed":
		metadata["name"] = "other"
	}
	obj["apiVersion"] = apiVersion
	metadata["generation"], metadata["labels"] = int64(99), map[string]any{"from": "webhook"}
	for from, to := range map[string]string{"big": "size", "size": "big"} {
		if v, ok := spec[from]; ok {
			delete(spec, from)
			spec[to], spec["odd"] = v, 1.5
			break
		}
	}
	return obj, nil
}

var thingKind = schema.GroupKind{Group: "example.com", Kind: "Thing"}

// What the CRD says does not matter where there is a handler, and neither does where the code comes from.
func TestHandlersConvertInTheProcess(t *testing.T) {
	linked := &prunert.Set{}
	if err := linked.Add(compile(t, converted)...); err != nil {
		t.Fatal(err)
	}
	webhook := "scope: Cluster\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1beta1, v1], clientConfig: {caBundle: bm9uZQ==, service: {name: hook, namespace: ns}}}}"
	for name, c := range map[string]struct {
		crd    string
		config Config
	}{
		"interpreted": {converted, Config{Interpret: true}},
		"linked":      {strings.Replace(converted, "scope: Cluster", webhook, 1), Config{Linked: linked}},
	} {
		t.Run(name, func(t *testing.T) {
			c.config.Conversion = map[schema.GroupKind]http.Handler{thingKind: kube.ConversionHandler(rename)}
			s := start(t, c.config)
			s.put(t, c.crd)
			const v1 = "/apis/example.com/v1/things"
			create := func(name, spec string) (int, string) {
				return s.do(t, http.MethodPost, v1, `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"`+name+`"},"spec":`+spec+`}`)
			}
			// The maximum of the stored version refuses nothing, and its default is filled in when the object is read, not when it is written.
			status, text := create("a", `{"big":5,"odd":1}`)
			if status != http.StatusCreated || !strings.Contains(text, `"spec":{"big":5}`) || !strings.Contains(text, `"generation":1,"labels":{"from":"webhook"}`) {
				t.Errorf("created: %d %s", status, text)
			}
			if status, text := s.get(t, things+"/a"); status != http.StatusOK || !strings.Contains(text, `"spec":{"new":"x","size":5}`) {
				t.Errorf("stored: %d %s", status, text)
			}
			if status, text := s.get(t, v1); status != http.StatusOK || !strings.Contains(text, `"spec":{"big":5}`) {
				t.Errorf("listed: %d %s", status, text)
			}
			for name, want := range map[string]string{
				"fails":   `conversion webhook for example.com/v1, Kind=Thing failed: object 0: example.com/v1 Thing to example.com/v2: no such thing`,
				"panics":  `the handler panicked: oh`,
				"renamed": `conversion webhook for example.com/v1, Kind=Thing returned invalid object: must have the same name: renamed != other`,
			} {
				if status, text := create(name, `{"big":1}`); status != http.StatusInternalServerError || !strings.Contains(text, want) {
					t.Errorf("%s: %d %s, want %s", name, status, text, want)
				}
			}
		})
	}
}

// Without a handler, the webhook is called where the CRD says it is.
func TestUnreachableWebhooksAreNamed(t *testing.T) {
	s := start(t, Config{Interpret: true})
	s.put(t, strings.Replace(converted, "scope: Cluster",
		"scope: Cluster\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: hook, namespace: ns, path: /p}}}}", 1))
	status, text := s.do(t, http.MethodPost, things, strings.Replace(thing, "1", "2", 1))
	if status != http.StatusCreated {
		t.Errorf("the stored version: %d %s", status, text)
	}
	status, text = s.get(t, "/apis/example.com/v1/things/a")
	if want := `conversion webhook for example.com/v2, Kind=Thing failed: Post \"https://hook.ns.svc:443/p?timeout=30s\": dial tcp: lookup hook.ns.svc`; status != http.StatusInternalServerError || !strings.Contains(text, want) {
		t.Errorf("another version: %d %s, want %s", status, text, want)
	}
}
