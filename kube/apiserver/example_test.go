package apiserver_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"

	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/rest"

	"github.com/prune-gen/prune-gen/kube/apiserver"
	"github.com/prune-gen/prune-gen/kube/apiserver/memory"
	"github.com/prune-gen/prune-gen/kube/apiserver/memory/etcd"
)

// newServer returns a server that keeps objects in memory and lets everybody do everything.
func newServer(ctx context.Context, crds []byte) (*apiserver.Server, error) {
	config := apiserver.NewGenericConfig()
	config.RESTOptionsGetter = memory.NewStorage(ctx, etcd.Options{})
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	// What hooks of the server would use to ask it; there are none that do.
	config.LoopbackClientConfig, config.ExternalAddress = &rest.Config{}, "localhost:443"
	definitions, err := apiserver.Definitions(crds)
	if err != nil {
		return nil, err
	}
	return apiserver.Config{Generic: config, Definitions: definitions, Interpret: true}.New()
}

func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	crds, err := os.ReadFile("../../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := newServer(ctx, crds)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Destroy()
	prepared := server.PrepareRun()
	prepared.RunPostStartHooks(ctx)
	local := httptest.NewServer(prepared.Handler)
	defer local.Close()
	resp, err := local.Client().Get(local.URL + "/apis/stable.example.com/v1/crontabs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
	// Output: 200 OK
}
