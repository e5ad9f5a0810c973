package options

import (
	"context"
	"net"
	"testing"

	"github.com/prune-gen/prune-gen/kube/apiserver"
)

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Thing, plural: things}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`

func TestOptionsStayOnLoopback(t *testing.T) {
	o := New()
	if !o.Recommended.SecureServing.BindAddress.IsLoopback() {
		t.Errorf("the default is %s", o.Recommended.SecureServing.BindAddress)
	}
	o.Local = true
	if err := o.Validate(); err != nil {
		t.Errorf("on loopback: %v", err)
	}
	o.Recommended.SecureServing.BindAddress = net.IPv4zero
	if err := o.Validate(); err == nil {
		t.Error("everybody may do everything, everywhere")
	}
}

// A server that is asked to end while it waits for an etcd has not failed.
func TestServerEndsWhileItWaitsForEtcd(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	definitions, err := apiserver.Definitions([]byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	o := New()
	o.Local = true
	o.Recommended.Etcd.StorageConfig.Transport.ServerList = []string{"http://" + silent.Addr().String()}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	served := make(chan error, 1)
	go func() { served <- o.Serve(ctx, definitions) }()
	conn, err := silent.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	cancel()
	if err := <-served; err != nil {
		t.Errorf("an etcd that is silent: %v", err)
	}
	o = New()
	o.Local = true
	o.DataDir = t.TempDir()
	if err := o.Serve(ctx, definitions); err != nil {
		t.Errorf("the embedded etcd: %v", err)
	}
}
