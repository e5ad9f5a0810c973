package servertest_test

import (
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/prune-gen/prune-gen/kube"
	"github.com/prune-gen/prune-gen/kube/servertest"
)

// What v1 calls spec.image is spec.picture in v2, which is not stored.
func TestVersionsAreConverted(t *testing.T) {
	handler := kube.ConversionHandler(func(obj map[string]any, apiVersion string) (map[string]any, error) {
		obj["apiVersion"] = apiVersion
		spec := obj["spec"].(map[string]any)
		spec["picture"], spec["image"] = spec["image"], spec["picture"]
		return obj, nil
	})
	hook := httptest.NewTLSServer(handler)
	defer hook.Close()
	url := hook.URL + "/convert"
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw})
	for name, c := range map[string]struct {
		conversion *apiextensionsv1.CustomResourceConversion
		handlers   map[schema.GroupKind]http.Handler
	}{
		"by a handler": {nil, map[schema.GroupKind]http.Handler{{Group: "stable.example.com", Kind: "CronTab"}: handler}},
		"by a URL": {&apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter, Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"}, ClientConfig: &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: ca}}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			crd := parse(t, thing)
			v2 := *crd.Spec.Versions[0].DeepCopy()
			v2.Name, v2.Storage = "v2", false
			v2.Schema.OpenAPIV3Schema.Properties["spec"].Properties["picture"] = v2.Schema.OpenAPIV3Schema.Properties["spec"].Properties["image"]
			delete(v2.Schema.OpenAPIV3Schema.Properties["spec"].Properties, "image")
			crd.Spec.Versions, crd.Spec.Conversion = append(crd.Spec.Versions, v2), c.conversion
			data, err := json.Marshal(crd)
			check(t, err)
			file := filepath.Join(t.TempDir(), "crd.json")
			check(t, os.WriteFile(file, data, 0o600))
			config := servertest.StartServer(t, []string{file}, func(o *servertest.Options) { o.Conversion = c.handlers })

			objects := client(t, config, dynamic.NewForConfig)
			_, err = objects.Resource(cronTabs).Namespace("default").Create(t.Context(), cronTab("a"), metav1.CreateOptions{})
			check(t, err)
			list, err := objects.Resource(cronTabs.GroupResource().WithVersion("v2")).List(t.Context(), metav1.ListOptions{})
			check(t, err)
			if picture, _, _ := unstructured.NestedString(list.Items[0].Object, "spec", "picture"); picture != "i" {
				t.Errorf("%v", list.Items[0].Object)
			}
		})
	}
}
