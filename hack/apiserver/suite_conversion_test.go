package apiserver

import (
	"net/http"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/suite"
)

// What a case of a suite stores in a version that is not the stored one is what the server returns in that version.
func TestSuitesConvertAsTheServer(t *testing.T) {
	const file = "testdata/crds/versions.yaml"
	s, resources := install(t, file)
	v2 := resources["Versioned/v2"]
	sent := decode(t, []byte(versioned))
	delete(sent, "metadata")
	text := encode(t, map[string]any{"crdName": v2.crd.Name, "tests": map[string]any{"onCreate": []any{map[string]any{"initial": string(encode(t, sent))}}}})
	cases, wrong := suite.Read(nil, "suite.yaml", text)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	all := suite.Variants{}
	for _, crd := range crdsIn(t, file) {
		all.All = append(all.All, suite.NewVariant(crd))
	}
	run := all.Runs(cases)[0]
	run.Do(nil)
	if run.Refusal != "" || run.Stored == nil {
		t.Fatalf("%+v", run.Failures)
	}
	sent["metadata"] = map[string]any{"name": "a"}
	object(t, do(t, s, http.MethodPost, v2.collection(), server.JSON, sent), http.StatusCreated)
	got := object(t, do(t, s, http.MethodGet, v2.collection()+"/a", "", nil), http.StatusOK)
	if diff := firstDifference("", got["spec"], run.Stored["spec"]); diff != "" || run.Stored["apiVersion"] != got["apiVersion"] {
		t.Errorf("the server and the suite disagree at %s", diff)
	}
}
