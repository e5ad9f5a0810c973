package parity

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	restclient "k8s.io/client-go/rest"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/kube/apiserver"
	"github.com/prune-gen/prune-gen/kube/apiserver/embedded"
	"github.com/prune-gen/prune-gen/kube/apiserver/options"
)

// local is this API server in the process of the test, over plain HTTP on loopback, without watch caches and with an etcd of its own.
type local struct {
	URL string

	etcd    *embedded.Etcd
	generic *apiserver.Server
	http    *http.Server
	stop    context.CancelFunc
}

// startLocal runs a server until the test ends.
func startLocal(t *testing.T, definitions []*apiserver.Definition) *local {
	t.Helper()
	server.Quiet()
	// The context of the test ends before its cleanup.
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	etcd, err := embedded.Start(ctx, t.TempDir(), embedded.Options{Forgetful: true})
	check(t, err)
	t.Cleanup(etcd.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	s := &local{URL: "http://" + listener.Addr().String(), etcd: etcd, stop: stop}

	o := options.New()
	o.Local = true
	etcdOptions := o.Recommended.Etcd
	etcdOptions.StorageConfig.Transport.ServerList = []string{etcd.URL}
	etcdOptions.EnableWatchCache = false
	// The health checks hold an etcd client that only the generic server's own Run closes.
	etcdOptions.SkipHealthEndpoints = true
	o.Recommended.SecureServing.BindPort = 0
	o.Recommended.SecureServing.Listener = listener
	config, err := o.Config()
	check(t, err)
	config.LoopbackClientConfig = &restclient.Config{Host: s.URL, QPS: -1}
	s.generic, err = apiserver.Config{Generic: config, Definitions: definitions}.New()
	check(t, err)
	prepared := s.generic.PrepareRun()
	s.http = &http.Server{Handler: prepared.Handler, ReadHeaderTimeout: time.Minute}
	go s.http.Serve(listener)
	t.Cleanup(func() { s.close(t) })
	prepared.RunPostStartHooks(ctx)
	for {
		if resp, err := http.Get(s.URL + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return s
			}
		}
		select {
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// close stops the server; etcd stops after it.
func (s *local) close(t *testing.T) {
	s.stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	if err != nil {
		t.Error(err)
	}
	s.generic.Destroy()
}
