package main

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cluster is a fake cluster that the server is aggregated into: it knows whom a token belongs to and what they may do, and has a namespace
// and a mutating webhook.
type cluster struct {
	t       *testing.T
	webhook *httptest.Server
}

func newCluster(t *testing.T) (kubeconfig string) {
	t.Helper()
	c := &cluster{t: t, webhook: httptest.NewTLSServer(http.HandlerFunc(mutate))}
	t.Cleanup(c.webhook.Close)
	api := httptest.NewServer(c)
	t.Cleanup(api.CloseClientConnections)
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	config := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":%q}}],
		"contexts":[{"name":"c","context":{"cluster":"c"}}]}`, api.URL)
	if err := os.WriteFile(kubeconfig, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var body map[string]any
	if req.Method == http.MethodPost {
		data, err := io.ReadAll(req.Body)
		if err == nil {
			err = json.Unmarshal(data, &body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	spec, _ := body["spec"].(map[string]any)
	switch {
	case strings.HasSuffix(req.URL.Path, "/tokenreviews"):
		body["status"] = map[string]any{"authenticated": false}
		if token, _ := spec["token"].(string); strings.HasSuffix(token, "-token") {
			body["status"] = map[string]any{"authenticated": true, "user": map[string]any{"username": strings.TrimSuffix(token, "-token")}}
		}
		w.WriteHeader(http.StatusCreated)
	case strings.HasSuffix(req.URL.Path, "/subjectaccessreviews"):
		attributes, _ := spec["resourceAttributes"].(map[string]any)
		body["status"] = map[string]any{"allowed": spec["user"] == "alice" && attributes["resource"] == "crontabs"}
		w.WriteHeader(http.StatusCreated)
	case req.URL.Query().Get("sendInitialEvents") != "":
		// As servers answer that cannot stream a list: the client asks for the list instead.
		w.WriteHeader(http.StatusUnprocessableEntity)
		body = map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422}
	case req.URL.Query().Get("watch") != "":
		w.(http.Flusher).Flush()
		<-req.Context().Done()
		return
	default:
		body = c.list(req.URL.Path)
	}
	json.NewEncoder(w).Encode(body)
}

// list returns the objects of a collection.
func (c *cluster) list(path string) map[string]any {
	kinds := map[string]string{"namespaces": "Namespace", "mutatingwebhookconfigurations": "MutatingWebhookConfiguration",
		"validatingwebhookconfigurations": "ValidatingWebhookConfiguration", "validatingadmissionpolicies": "ValidatingAdmissionPolicy",
		"validatingadmissionpolicybindings": "ValidatingAdmissionPolicyBinding", "mutatingadmissionpolicies": "MutatingAdmissionPolicy",
		"mutatingadmissionpolicybindings": "MutatingAdmissionPolicyBinding"}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	plural, apiVersion := parts[len(parts)-1], strings.Join(parts[1:len(parts)-1], "/")
	kind, ok := kinds[plural]
	if !ok {
		return map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}
	}
	items := []any{}
	switch plural {
	case "namespaces":
		items = append(items, map[string]any{"metadata": map[string]any{"name": "default", "uid": "n"}, "status": map[string]any{"phase": "Active"}})
	case "mutatingwebhookconfigurations":
		ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.webhook.Certificate().Raw})
		items = append(items, map[string]any{"metadata": map[string]any{"name": "w", "uid": "w"}, "webhooks": []any{map[string]any{
			"name": "w.example.com", "sideEffects": "None", "failurePolicy": "Fail", "matchPolicy": "Equivalent", "timeoutSeconds": 5,
			"reinvocationPolicy": "Never", "admissionReviewVersions": []any{"v1"}, "namespaceSelector": map[string]any{}, "objectSelector": map[string]any{},
			"clientConfig": map[string]any{"url": c.webhook.URL, "caBundle": base64.StdEncoding.EncodeToString(ca)},
			"rules": []any{map[string]any{"apiGroups": []any{"stable.example.com"}, "apiVersions": []any{"*"}, "resources": []any{"crontabs"},
				"operations": []any{"CREATE", "UPDATE"}, "scope": "*"}},
		}}})
	}
	return map[string]any{"kind": kind + "List", "apiVersion": apiVersion, "metadata": map[string]any{"resourceVersion": "1"}, "items": items}
}

// mutate is a webhook that adds a field that is known and two that are not.
func mutate(w http.ResponseWriter, req *http.Request) {
	var review struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Request    map[string]any `json:"request,omitempty"`
		Response   map[string]any `json:"response,omitempty"`
	}
	if err := json.NewDecoder(req.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	patch := `[{"op":"add","path":"/spec/suspend","value":true},{"op":"add","path":"/spec/added","value":1},{"op":"add","path":"/added","value":{}}]`
	review.Response = map[string]any{"uid": review.Request["uid"], "allowed": true, "patchType": "JSONPatch", "patch": base64.StdEncoding.EncodeToString([]byte(patch))}
	review.Request = nil
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(review)
}

// In a cluster the server asks who somebody is and what they may do, and prunes what mutating admission adds.
func TestServerBelongsToACluster(t *testing.T) {
	kubeconfig := newCluster(t)
	p := startWith(t, "--kubeconfig="+kubeconfig, "--authentication-kubeconfig="+kubeconfig, "--authorization-kubeconfig="+kubeconfig,
		"--authentication-skip-lookup=true", "--enable-priority-and-fairness=false",
		"--data-dir", t.TempDir())
	for _, c := range []struct {
		token, path string
		code        int
	}{
		{"", cronTabs, http.StatusForbidden},
		{"nobody", cronTabs, http.StatusUnauthorized},
		{"bob-token", cronTabs, http.StatusForbidden},
		{"alice-token", "/apis/fleet.example.com/v1alpha1/machines", http.StatusForbidden},
		{"alice-token", cronTabs, http.StatusOK},
	} {
		p.token = c.token
		if code, body, err := p.do(t.Context(), "GET", c.path, ""); err != nil || code != c.code {
			t.Errorf("%q asks for %s: %d, want %d: %s %v", c.token, c.path, code, c.code, body, err)
		}
	}
	code, body, err := p.do(t.Context(), "POST", cronTabs, cronTab("a"))
	if err != nil || code != http.StatusCreated {
		t.Fatalf("create: %d %s, %v", code, body, err)
	}
	var obj map[string]any
	if err := json.Unmarshal(body, &obj); err != nil {
		t.Fatal(err)
	}
	spec := obj["spec"].(map[string]any)
	if spec["suspend"] != true || spec["added"] != nil || obj["added"] != nil {
		t.Errorf("after admission: %s", body)
	}
	if code, body, err := p.do(t.Context(), "POST", strings.Replace(cronTabs, "default", "nowhere", 1), cronTab("a")); err != nil || code != http.StatusNotFound {
		t.Errorf("create in a namespace that is not there: %d %s, %v", code, body, err)
	}
}
