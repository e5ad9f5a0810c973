package prunetest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/prune-gen/prune-gen/internal/testing/recorded"
)

var update = flag.Bool("update", false, "write what is recorded again")

// testdata/conversation.txt has requests, one on each line that begins with ">", and below each what the client answers. A request is
// a verb, a kind of testdata/crds, options, and an object without its apiVersion and kind, or a patch, in JSON. An update is one of the
// version that is stored, unless it is "blind".
func TestConversationIsAsRecorded(t *testing.T) {
	const file = "testdata/conversation.txt"
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	crds, err := FromFiles("testdata/crds")
	if err != nil {
		t.Fatal(err)
	}
	c := crds.NewClient(fake.NewClientBuilder().WithScheme(runtime.NewScheme()))
	var have strings.Builder
	for line := range strings.Lines(string(script)) {
		switch {
		case strings.HasPrefix(line, "> "):
			have.WriteString(line)
			have.WriteString(say(t, c, strings.TrimSpace(line[2:])))
		case strings.HasPrefix(line, "#"):
			have.WriteString("\n" + line)
		}
	}
	recorded.Compare(t, *update, file, have.String())
}

// request is one line of a conversation.
type request struct {
	verb, kind, subresource string
	options                 map[string]string
	body                    string
}

func parseRequest(line string) request {
	r := request{options: map[string]string{}}
	words, body, hasBody := strings.Cut(line, " {")
	if hasBody {
		body = "{" + body
	} else if words, body, hasBody = strings.Cut(line, " ["); hasBody {
		body = "[" + body
	}
	if body == "" {
		body = "{}"
	}
	fields := strings.Fields(words)
	r.verb, r.body = fields[0], body
	r.kind, r.subresource, _ = strings.Cut(fields[1], "/")
	for _, option := range fields[2:] {
		name, value, _ := strings.Cut(option, "=")
		r.options[name] = value
	}
	return r
}

// object returns the object of a request, or that of a name.
func (r request) object(t *testing.T, body string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	if err := json.Unmarshal([]byte(body), &u.Object); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	version := "v1"
	if v := r.options["version"]; v != "" {
		version = v
	}
	u.SetAPIVersion("example.com/" + version)
	u.SetKind(r.kind)
	if name := r.options["name"]; name != "" {
		u.SetName(name)
	}
	if namespace, ok := r.options["in"]; ok {
		u.SetNamespace(namespace)
	}
	return u
}

// random matches times and UIDs, and managers, which are in the order of their times.
var random = regexp.MustCompile(`\\"managedFields\\":\[[^\]]*\],|\d{4}-\d\d-\d\dT[\d:]+Z|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// say sends a request and returns the answer as text.
func say(t *testing.T, c *Client, line string) string {
	r := parseRequest(line)
	var out any
	var err error
	switch r.verb {
	case "list":
		list := &unstructured.UnstructuredList{}
		list.SetAPIVersion("example.com/v1")
		list.SetKind(r.kind + "List")
		err = c.List(t.Context(), list)
		items := []any{}
		for _, item := range list.Items {
			items = append(items, masked(item.Object))
		}
		out = items
	case "patch":
		u := r.object(t, "{}")
		err = r.patch(t.Context(), c, u)
		out = masked(u.Object)
	default:
		u := r.object(t, r.body)
		if r.options["partial"] != "" {
			out, err = r.partial(t.Context(), c, u)
			break
		}
		err = r.send(t.Context(), c, u)
		out = masked(u.Object)
	}
	var text strings.Builder
	for _, w := range c.Warnings() {
		fmt.Fprintf(&text, "warning: %s\n", w)
	}
	if err != nil {
		fmt.Fprintf(&text, "%T: %v\n", err, err)
		return random.ReplaceAllString(text.String(), "(set)")
	}
	data, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	text.Write(append(data, '\n'))
	return text.String()
}

func (r request) send(ctx context.Context, c *Client, u *unstructured.Unstructured) error {
	var create client.CreateOptions
	var change client.UpdateOptions
	var apply client.ApplyOptions
	if _, ok := r.options["dry"]; ok {
		create.DryRun, change.DryRun, apply.DryRun = []string{metav1.DryRunAll}, []string{metav1.DryRunAll}, []string{metav1.DryRunAll}
	}
	create.FieldValidation, change.FieldValidation = r.options["validation"], r.options["validation"]
	create.FieldManager, change.FieldManager, apply.FieldManager = r.options["owner"], r.options["owner"], r.options["owner"]
	if _, ok := r.options["force"]; ok {
		force := true
		apply.Force = &force
	}
	if _, blind := r.options["blind"]; r.verb == "update" && !blind {
		stored := &unstructured.Unstructured{}
		stored.SetGroupVersionKind(u.GroupVersionKind())
		if err := c.Get(ctx, client.ObjectKeyFromObject(u), stored); err == nil {
			u.SetResourceVersion(stored.GetResourceVersion())
		}
	}
	switch {
	case r.verb == "create":
		return c.Create(ctx, u, &create)
	case r.verb == "get":
		return c.Get(ctx, client.ObjectKeyFromObject(u), u)
	case r.verb == "delete":
		return c.Delete(ctx, u)
	case r.verb == "update" && r.subresource == "":
		return c.Update(ctx, u, &change)
	case r.verb == "update":
		return c.SubResource(r.subresource).Update(ctx, u, &client.SubResourceUpdateOptions{UpdateOptions: change})
	case r.verb == "apply" && r.subresource == "":
		return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), &apply)
	case r.verb == "apply":
		return c.SubResource(r.subresource).Apply(ctx, client.ApplyConfigurationFromUnstructured(u), &client.SubResourceApplyOptions{ApplyOptions: apply})
	}
	return fmt.Errorf("there is no verb %q", r.verb)
}

func (r request) patch(ctx context.Context, c *Client, u *unstructured.Unstructured) error {
	options := client.PatchOptions{FieldManager: r.options["owner"], FieldValidation: r.options["validation"]}
	if _, ok := r.options["dry"]; ok {
		options.DryRun = []string{metav1.DryRunAll}
	}
	if _, ok := r.options["force"]; ok {
		force := true
		options.Force = &force
	}
	kind := map[string]types.PatchType{"merge": types.MergePatchType, "json": types.JSONPatchType, "strategic": types.StrategicMergePatchType, "apply": types.ApplyPatchType}[r.options["type"]]
	patch := client.RawPatch(kind, []byte(r.body))
	if r.subresource == "" {
		return c.Patch(ctx, u, patch, &options)
	}
	return c.SubResource(r.subresource).Patch(ctx, u, patch, &client.SubResourcePatchOptions{PatchOptions: options})
}

// partial gets the metadata of an object.
func (r request) partial(ctx context.Context, c *Client, u *unstructured.Unstructured) (any, error) {
	p := &metav1.PartialObjectMetadata{}
	p.SetGroupVersionKind(u.GroupVersionKind())
	if err := c.Get(ctx, client.ObjectKeyFromObject(u), p); err != nil {
		return nil, err
	}
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(p)
	return masked(m), err
}

// masked returns an object without what differs from run to run: the managers of its fields are named, not what they manage.
func masked(m map[string]any) map[string]any {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(m)}
	if u.GetUID() != "" {
		u.SetUID("(set)")
	}
	metadata, _ := u.Object["metadata"].(map[string]any)
	if _, ok := metadata["creationTimestamp"].(string); ok {
		metadata["creationTimestamp"] = "(set)"
	}
	if managed := u.GetManagedFields(); managed != nil {
		var names []string
		for _, f := range managed {
			if f.Manager == filepath.Base(os.Args[0]) {
				f.Manager = "(program)"
			}
			names = append(names, strings.TrimSpace(fmt.Sprintf("%s: %s %s", f.Manager, f.Operation, f.Subresource)))
		}
		slices.Sort(names) // they are in the order of their times
		metadata["managedFields"] = names
	}
	return u.Object
}
