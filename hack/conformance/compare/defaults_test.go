package compare

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
)

func TestDefaultsArePrunedAsKubernetesPrunesThem(t *testing.T) {
	for seed := range uint64(600) {
		s := structuraltest.RandomSchema(t, seed, specimentest.SchemaOptions{Depth: 5})
		structuraltest.SetDefaults(s, structuraltest.RandomObject(s, seed))
		s.Default = nil
		theirs := kube.Convert[*structuralschema.Structural](s).DeepCopy()
		ours := kube.Convert[*structural.Schema](theirs.DeepCopy()) // with the fields that both sides have
		if err := defaulting.PruneDefaults(theirs); err != nil {
			t.Fatal(err)
		}
		want := kube.Convert[*structural.Schema](theirs)
		if have := interpret.PruneDefaults(ours); !reflect.DeepEqual(have, want) {
			t.Fatalf("seed %d: have %s, want %s", seed, structuraltest.ToJSON(t, have), structuraltest.ToJSON(t, want))
		}
	}
}
