package serve

import (
	"net"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/prune-gen/prune-gen/examples/apiserver/embedded"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// An object that can be read keeps nobody waiting; the key of one that cannot be read is named.
func TestUnreadableObjectsAreNamed(t *testing.T) {
	etcd, err := embedded.Start(t.Context(), t.TempDir(), embedded.Options{Forgetful: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(etcd.Close)
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{etcd.URL}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	o := NewOptions()
	o.Local = true
	o.Recommended.Etcd.StorageConfig.Transport.ServerList = []string{etcd.URL}
	o.Recommended.Etcd.EnableWatchCache = false
	o.Recommended.Etcd.SkipHealthEndpoints = true
	if o.Recommended.SecureServing.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer o.Recommended.SecureServing.Listener.Close()
	config, err := o.Config()
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := Definitions([]byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	set := &prunert.Set{}
	if err := set.Add(compile(t, crd)...); err != nil {
		t.Fatal(err)
	}
	k, err := newKind(definitions[0], kindOptions{set: set, getter: config.RESTOptionsGetter})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range k.versions {
		t.Cleanup(v.resource.Destroy)
	}
	for _, c := range []struct{ name, version, want string }{
		{"good", "v2", ""},
		{"old", "v1", ""},
		{"future", "v3", "Key: /registry/example.com/things/future"},
	} {
		text := `{"apiVersion":"example.com/` + c.version + `","kind":"Thing","metadata":{"name":"` + c.name + `","uid":"u"}}`
		if _, err := client.Put(t.Context(), "/registry/example.com/things/"+c.name, text); err != nil {
			t.Fatal(err)
		}
		err := k.versions["v2"].raw.readAll(t.Context())
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
