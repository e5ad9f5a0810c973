package apiserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// nastyAnnotation says what a webhook does wrong when it converts an object: what@version.
const nastyAnnotation = "nasty"

// wrongs are what a converter does wrong.
var wrongs = map[string]func(obj, metadata map[string]any){
	"name":           func(_, metadata map[string]any) { metadata["name"] = "other" },
	"uid":            func(_, metadata map[string]any) { metadata["uid"] = "other" },
	"namespace":      func(_, metadata map[string]any) { delete(metadata, "namespace") },
	"kind":           func(obj, _ map[string]any) { obj["kind"] = "Other" },
	"version":        func(obj, _ map[string]any) { obj["apiVersion"] = "other.example.org/v1" },
	"no-metadata":    func(obj, _ map[string]any) { delete(obj, "metadata") },
	"text-metadata":  func(obj, _ map[string]any) { obj["metadata"] = "text" },
	"label":          func(_, metadata map[string]any) { within(metadata, "labels")["k"] = "not a label" },
	"annotation":     func(_, metadata map[string]any) { within(metadata, "annotations")["not a key"] = "v" },
	"number":         func(_, metadata map[string]any) { within(metadata, "labels")["k"] = 1 },
	"list":           func(_, metadata map[string]any) { metadata["labels"] = []any{"k"} },
	"null-labels":    func(_, metadata map[string]any) { metadata["labels"] = nil },
	"empty-labels":   func(_, metadata map[string]any) { metadata["labels"] = map[string]any{} },
	"no-annotations": func(_, metadata map[string]any) { delete(metadata, "annotations") },
	"other-metadata": func(_, metadata map[string]any) {
		metadata["odd"], metadata["deletionTimestamp"] = 1, "2020-01-01T00:00:00Z"
	},
	"no-spec":      func(obj, _ map[string]any) { delete(obj, "spec") },
	"text-spec":    func(obj, _ map[string]any) { obj["spec"] = "text" },
	"null-spec":    func(obj, _ map[string]any) { obj["spec"] = nil },
	"empty-status": func(obj, _ map[string]any) { obj["status"] = map[string]any{} },
	"nothing-but": func(obj, _ map[string]any) {
		maps.DeleteFunc(obj, func(k string, _ any) bool { return k == "spec" || k == "status" })
	},
	"fractions":       func(obj, _ map[string]any) { within(obj, "spec")["replicas"] = 1.5 },
	"large-integers":  func(obj, _ map[string]any) { within(obj, "spec")["replicas"] = json.Number("123456789012345678901") },
	"generate-names":  func(_, metadata map[string]any) { metadata["generateName"] = "g-" },
	"finalize":        func(_, metadata map[string]any) { metadata["finalizers"] = []any{"example.org/f"} },
	"forget-managers": func(_, metadata map[string]any) { delete(metadata, "managedFields") },
}

// wrongAnswers are what a webhook answers instead.
var wrongAnswers = map[string]func(w http.ResponseWriter, answer string){
	"fail":       nil, // by the converter
	"http-500":   func(w http.ResponseWriter, _ string) { http.Error(w, "oh", http.StatusInternalServerError) },
	"http-404":   func(w http.ResponseWriter, _ string) { http.NotFound(w, nil) },
	"no-json":    func(w http.ResponseWriter, _ string) { io.WriteString(w, "oh") },
	"nothing":    func(http.ResponseWriter, string) {},
	"other-kind": func(w http.ResponseWriter, _ string) { io.WriteString(w, `{"kind":"Status","apiVersion":"v1"}`) },
	"no-response": func(w http.ResponseWriter, _ string) {
		io.WriteString(w, `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}`)
	},
	"other-uid": func(w http.ResponseWriter, answer string) {
		io.WriteString(w, strings.Replace(answer, `"uid":"`, `"uid":"x`, 1))
	},
	"too-many": func(w http.ResponseWriter, answer string) {
		io.WriteString(w, strings.Replace(answer, `"convertedObjects":[`, `"convertedObjects":[{},`, 1))
	},
	"no-success": func(w http.ResponseWriter, answer string) {
		io.WriteString(w, strings.Replace(answer, `"Success"`, `"Other"`, 1))
	},
}

// nastyKinds are all of them.
var nastyKinds = append(slices.Sorted(maps.Keys(wrongs)), slices.Sorted(maps.Keys(wrongAnswers))...)

// within returns an object in another, which is added if there is none.
func within(obj map[string]any, key string) map[string]any {
	fields, ok := obj[key].(map[string]any)
	if !ok {
		fields = map[string]any{}
		obj[key] = fields
	}
	return fields
}

// nastyConverter moves and drops fields between a version and the others, and changes metadata. To objects called a it adds unknown fields
// and nulls; others keep only fields of the version. What it does follows from the object alone.
func nastyConverter(hub string, resources []prunert.Resource) kube.Converter {
	return func(obj map[string]any, to string) (map[string]any, error) {
		metadata := within(obj, "metadata")
		labels, annotations := within(metadata, "labels"), within(metadata, "annotations")
		_, labels["converted-from"], _ = strings.Cut(obj["apiVersion"].(string), "/")
		obj["apiVersion"] = to
		metadata["generation"], metadata["resourceVersion"] = int64(99), "1"
		delete(metadata, "creationTimestamp")
		for _, part := range []string{"spec", "status"} {
			fields, _ := obj[part].(map[string]any)
			if fields == nil {
				continue
			}
			names := slices.Sorted(maps.Keys(fields))
			moved := "moved." + part + "/field"
			if last := len(names) - 1; last > 0 && to == hub {
				text, err := json.Marshal([]any{names[last], fields[names[last]]})
				if err != nil {
					return nil, err
				}
				annotations[moved] = string(text)
				delete(fields, names[last])
			}
			if text, ok := annotations[moved].(string); ok && to != hub {
				var back []any
				if json.Unmarshal([]byte(text), &back) == nil && len(back) == 2 {
					fields[back[0].(string)] = back[1]
				}
				delete(annotations, moved)
			}
			if metadata["name"] == "a" {
				spoilFields(fields, part)
				fields["unknown"] = map[string]any{"a": nil}
			}
		}
		for _, r := range resources {
			if r.APIVersion() == to && metadata["name"] != "a" {
				r.Prune(obj)
			}
		}
		what, at, _ := strings.Cut(text(annotations[nastyAnnotation]), "@")
		if strings.HasSuffix(to, "/"+at) {
			if what == "fail" {
				return nil, errors.New("this fails")
			}
			if wrong := wrongs[what]; wrong != nil {
				wrong(obj, metadata)
			}
		}
		return obj, nil
	}
}

func text(v any) string { s, _ := v.(string); return s }

// spoilFields makes some values null, some lists and objects empty, and adds unknown fields.
func spoilFields(v any, path string) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			h := fnv.New32a()
			io.WriteString(h, path+"."+k)
			switch below := v[k].(type) {
			case map[string]any, []any:
				switch h.Sum32() % 40 {
				case 0:
					v[k] = nil
				case 1:
					v[k] = map[string]any{}
				case 2:
					v["unknown"] = below
				}
			default:
				if h.Sum32()%25 == 0 {
					v[k] = nil
				}
			}
			spoilFields(v[k], path+"."+k)
		}
	case []any:
		for _, e := range v {
			spoilFields(e, path)
		}
	}
}

// nastyWebhook is a webhook with such a converter that also answers wrongly, and counts the reviews.
type nastyWebhook struct {
	http.Handler
	reviews atomic.Int64
}

func newNastyWebhook(hub string, resources []prunert.Resource) *nastyWebhook {
	return &nastyWebhook{Handler: kube.ConversionHandler(nastyConverter(hub, resources))}
}

func (n *nastyWebhook) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	n.reviews.Add(1)
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	n.Handler.ServeHTTP(answer, req)
	var review struct {
		Request struct {
			DesiredAPIVersion string
			Objects           []struct {
				Metadata struct{ Annotations map[string]string }
			}
		}
	}
	if json.Unmarshal(body, &review) == nil {
		for _, o := range review.Request.Objects {
			what, at, _ := strings.Cut(o.Metadata.Annotations[nastyAnnotation], "@")
			if wrong := wrongAnswers[what]; wrong != nil && strings.HasSuffix(review.Request.DesiredAPIVersion, "/"+at) {
				wrong(w, answer.Body.String())
				return
			}
		}
	}
	w.WriteHeader(answer.Code)
	w.Write(answer.Body.Bytes())
}
