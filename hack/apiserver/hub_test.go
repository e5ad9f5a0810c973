package apiserver

import (
	"net/http"
	"testing"

	"github.com/prune-gen/prune-gen/kube/servertest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	webhookconversion "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

// Types as kubebuilder lays them out: v2 is the hub, v1 converts to it and from it.
type (
	GadgetV1 struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              struct {
			Old string `json:"old,omitempty"`
		} `json:"spec,omitempty"`
	}
	GadgetV2 struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              struct {
			New  string `json:"new,omitempty"`
			Size int    `json:"size,omitempty"`
		} `json:"spec,omitempty"`
	}
)

var (
	_ conversion.Hub         = &GadgetV2{}
	_ conversion.Convertible = &GadgetV1{}
)

func (g *GadgetV1) DeepCopyObject() runtime.Object { return deepCopy(g, &GadgetV1{}) }
func (g *GadgetV2) DeepCopyObject() runtime.Object { return deepCopy(g, &GadgetV2{}) }

func (*GadgetV2) Hub() {}

func (g *GadgetV1) ConvertTo(hub conversion.Hub) error {
	to := hub.(*GadgetV2)
	to.ObjectMeta, to.Spec.New = g.ObjectMeta, g.Spec.Old
	return nil
}

func (g *GadgetV1) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*GadgetV2)
	g.ObjectMeta, g.Spec.Old = from.ObjectMeta, from.Spec.New
	return nil
}

// As in docs/testing.md: the conversion webhook of controller-runtime, for the types of a scheme. The CRD's own strategy is None, as in the
// files that controller-gen writes.
func TestControllerRuntimeConverts(t *testing.T) {
	scheme := runtime.NewScheme()
	v1, v2 := schema.GroupVersion{Group: scenarioGroup.Group, Version: "v1"}, schema.GroupVersion{Group: scenarioGroup.Group, Version: "v2"}
	scheme.AddKnownTypeWithName(v1.WithKind("Gadget"), &GadgetV1{})
	scheme.AddKnownTypeWithName(v2.WithKind("Gadget"), &GadgetV2{})
	metav1.AddToGroupVersion(scheme, v1)
	metav1.AddToGroupVersion(scheme, v2)

	config := servertest.StartServer(t, []string{scenarioCRDs}, func(o *servertest.Options) {
		o.Conversion = map[schema.GroupKind]http.Handler{
			{Group: scenarioGroup.Group, Kind: "Gadget"}: webhookconversion.NewWebhookHandler(scheme, webhookconversion.NewRegistry()),
		}
	})
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	old := &GadgetV1{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"}}
	old.Spec.Old = "text"
	if err := c.Create(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	stored := &GadgetV2{}
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(old), stored); err != nil {
		t.Fatal(err)
	}
	if stored.Spec.New != "text" || stored.Spec.Size != 2 {
		t.Errorf("%+v", stored.Spec)
	}
	stored.Spec.New = "other"
	if err := c.Update(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(old), old); err != nil {
		t.Fatal(err)
	}
	if old.Spec.Old != "other" {
		t.Errorf("%+v", old.Spec)
	}
}
