package apiserver

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
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

// hook is a conversion webhook that behaves as the names of objects say.
type hook struct {
	asked []string // versions of reviews
}

func (h *hook) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	var review struct {
		Kind, APIVersion string
		Request          struct {
			UID, DesiredAPIVersion string
			Objects                []map[string]any
		}
	}
	if err := json.Unmarshal(body, &review); err != nil || len(review.Request.Objects) == 0 {
		http.Error(w, "no objects", http.StatusBadRequest)
		return
	}
	h.asked = append(h.asked, review.APIVersion)
	objects := review.Request.Objects
	metadata := objects[0]["metadata"].(map[string]any)
	uid, result := review.Request.UID, map[string]any{"status": "Success"}
	for _, obj := range objects {
		obj["apiVersion"] = review.Request.DesiredAPIVersion
	}
	switch name := metadata["name"].(string); name {
	case "only-v1", "only-v1beta1":
		if only := "apiextensions.k8s.io/" + strings.TrimPrefix(name, "only-"); review.APIVersion != only {
			http.Error(w, "only "+only, http.StatusBadRequest)
			return
		}
	case "answers-v1", "answers-v1beta1", "answers-v2":
		review.APIVersion = "apiextensions.k8s.io/" + strings.TrimPrefix(name, "answers-")
	case "another-kind":
		review.Kind = "Review"
	case "another-uid":
		uid = "other"
	case "fails":
		result = map[string]any{"status": "Failure", "message": "cannot"}
	case "fails-silently":
		result = map[string]any{"status": "Failure"}
	case "no-result":
		result = nil
	case "fewer":
		objects = nil
	case "more":
		objects = append(objects, objects[0])
	case "not-converted":
		objects[0]["apiVersion"] = "example.com/v7"
	case "object-kind":
		objects[0]["kind"] = "Other"
	case "object-name":
		metadata["name"] = "other"
	case "object-uid":
		metadata["uid"] = "other"
	case "object-labels":
		metadata["labels"] = map[string]any{"a": 1}
	case "object-metadata":
		objects[0]["metadata"] = "x"
	case "spec":
		objects[0]["spec"] = map[string]any{"big": "x", "size": 9, "odd": nil}
	case "garbage":
		io.WriteString(w, "{]")
		return
	case "list":
		io.WriteString(w, "[]")
		return
	case "nothing":
		return
	case "not-found":
		http.Error(w, "no such page", http.StatusNotFound)
		return
	case "error":
		http.Error(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"at home","reason":"Conflict","code":409}`, http.StatusConflict)
		return
	case "redirect":
		http.Redirect(w, req, "/elsewhere", http.StatusFound)
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"kind": review.Kind, "apiVersion": review.APIVersion, "response": map[string]any{"uid": uid, "result": result, "convertedObjects": objects}})
}

// A handler in the process is asked as a webhook is, in the version of reviews that the CRD says, and its answers mean the same, also those that
// are wrong.
func TestHandlersAreWebhooks(t *testing.T) {
	var inside, outside hook
	remote := httptest.NewTLSServer(&outside)
	defer remote.Close()
	ca := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: remote.Certificate().Raw}))
	versions := []string{"[v1]", "[v1beta1]", "[v1beta1, v1]", "[v1, v1beta1]", "[v2, v1beta1]"}
	var crds []string
	handlers := map[schema.GroupKind]http.Handler{}
	for i, versions := range versions {
		crd := strings.NewReplacer("Thing", fmt.Sprintf("Thing%d", i), "things", fmt.Sprintf("thing%ds", i), "scope: Cluster",
			"scope: Cluster\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: "+versions+", clientConfig: {url: '"+remote.URL+"', caBundle: "+ca+"}}}").Replace(converted)
		crds = append(crds, crd)
		handlers[schema.GroupKind{Group: "example.com", Kind: fmt.Sprintf("Thing%d", i)}] = &inside
	}
	both := [2]running{start(t, Config{Interpret: true, Conversion: handlers}), start(t, Config{Interpret: true})}
	for _, s := range both {
		s.put(t, strings.Join(crds, "\n---\n"))
	}
	uids := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	answers := map[string]int{}
	for i := range versions {
		for _, name := range []string{"only-v1", "only-v1beta1", "answers-v1", "answers-v1beta1", "answers-v2", "another-kind", "another-uid", "fails", "fails-silently", "no-result", "fewer", "more", "not-converted",
			"object-kind", "object-name", "object-uid", "object-labels", "object-metadata", "spec", "garbage", "list", "nothing", "not-found", "error", "redirect"} {
			var said [2]string
			for k, s := range both {
				status, text := s.do(t, http.MethodPost, fmt.Sprintf("/apis/example.com/v1/thing%ds", i), fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Thing%d","metadata":{"name":%q},"spec":{"big":1}}`, i, name))
				var answer struct {
					Message string
					Spec    any
				}
				if err := json.Unmarshal([]byte(text), &answer); err != nil {
					t.Fatalf("%s: %s", name, text)
				}
				said[k] = fmt.Sprint(status, " ", uids.ReplaceAllString(strings.NewReplacer(inProcess, "URL", remote.URL, "URL").Replace(answer.Message), "UID"), " ", answer.Spec)
			}
			answers[said[1]]++
			if said[0] != said[1] {
				t.Errorf("%s, %s: the handler: %s\nthe webhook: %s", versions[i], name, said[0], said[1])
			}
		}
	}
	if !slices.Equal(inside.asked, outside.asked) || len(answers) < 20 {
		t.Errorf("reviews in %q, and in %q; %d answers", inside.asked, outside.asked, len(answers))
	}
}
