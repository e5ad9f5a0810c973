package apiserver

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
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

// Updates in another version than that of the initial object are answered as by the server.
func TestSuitesUpdateInAnotherVersion(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../internal/suite/testdata/versions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, files, _ := strings.Cut(string(data), "-- crd.yaml --\n")
	crd, cases, _ := strings.Cut(files, "-- suite.yaml --\n")
	crds := crdread.Load("crd.yaml", strings.NewReader(crd)).CRDs
	s := newSuiteServer(t)
	s.variants.All = []*suite.Variant{suite.NewVariant(crds[0])}
	s.add("versions.txtar", []byte(cases))
	if s.run(); s.cases < 40 || s.refused < 20 {
		t.Error("the comparison is hollow")
	}
}
