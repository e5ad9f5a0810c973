package apiserver

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/crdread"
	"github.com/prune-gen/prune-gen/internal/origin"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/yamltext"
)

const scaledCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fleets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Fleet, plural: fleets, singular: fleet, listKind: FleetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {scale: {specReplicasPath: .spec.size.wanted, statusReplicasPath: .status.size}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: object, properties: {wanted: {type: integer, maximum: 100}}}
`

// A case of a suite that updates a scale says what the server does.
func TestCasesOfScalesSayWhatTheServerDoes(t *testing.T) {
	t.Parallel()
	s := start(t)
	crd := crdread.Load("crd.yaml", strings.NewReader(scaledCRD)).CRDs[0]
	if err := s.InstallCRDs(t.Context(), encode(t, origin.Node(crd).Value())); err != nil {
		t.Fatal(err)
	}
	variants := suite.Variants{All: []*suite.Variant{suite.NewVariant(crd)}}
	path := server.Path("example.com", "v1", "default", "fleets")
	send := func(method, path, body string) *server.Response {
		resp, err := s.Do(t.Context(), method, path, server.YAML, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	for i, before := range []string{`{}`, `{size: {wanted: 7}}`} {
		for j, scale := range []string{
			``, `spec:`, `spec: {}`, `spec: {replicas: }`, `spec: {replicas: 0}`, `spec: {replicas: 3}`, `spec: {replicas: "3"}`, `spec: {replicas: ""}`,
			`spec: {replicas: 101}`, `spec: {replicas: -1}`, `spec: {replicas: -2147483648}`, `spec: {replicas: -2147483649}`, `spec: {replicas: 2147483647}`,
			`spec: {replicas: 2147483648}`, `spec: {replicas: 99999999999999999999}`, `spec: {replicas: 3.0}`, `spec: {replicas: 3.5}`, `spec: {replicas: 1e2}`,
			`spec: {replicas: true}`, `spec: {replicas: [3]}`, `spec: {replicas: {a: 3}}`, `spec: []`, `spec: 3`, `spec: x`, `spec: {Replicas: 3}`, `spec: {replicas: 3, odd: 1}`,
			"status: x", "status: {selector: 1}", "spec: {replicas: 3}\nstatus: {replicas: x}", "spec: {replicas: 3}\nodd: 1",
		} {
			name := fmt.Sprintf("fleet-%d-%d", i, j)
			initial := fmt.Sprintf("apiVersion: example.com/v1\nkind: Fleet\nmetadata: {name: %s, namespace: default}\nspec: %s\n", name, before)
			updated := fmt.Sprintf("apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: %s, namespace: default}\n%s\n", name, scale)
			indent := func(text string) string { return strings.ReplaceAll(text, "\n", "\n      ") }
			of, wrong := suite.Read(nil, name, yamltext.Decode([]byte(fmt.Sprintf(`
crdName: fleets.example.com
tests:
  onUpdate:
  - name: scale
    subresource: scale
    initial: |
      %s
    updated: |
      %s
    expectedError: any
`, indent(initial), indent(updated)))))
			if len(wrong) > 0 {
				t.Fatal(wrong)
			}
			run := variants.Runs(of)[0]
			run.Do(nil)

			if resp := send(http.MethodPost, path, initial); resp.Code != http.StatusCreated {
				t.Fatalf("%s", resp.Body)
			}
			resp := send(http.MethodPut, path+"/"+name+"/scale", updated)
			ours, theirs := run.Refusal, ""
			if resp.Code >= 300 {
				status, err := resp.Status()
				if err != nil {
					t.Fatal(err)
				}
				theirs = status.Message
			} else {
				ours = fmt.Sprint(ours, run.Stored["spec"])
				theirs = fmt.Sprint(object(t, send(http.MethodGet, path+"/"+name, ""), http.StatusOK)["spec"])
			}
			if ours != theirs {
				t.Errorf("spec %s, scale %s:\n%s\nthe server: %s", before, scale, ours, theirs)
			}
		}
	}
}
