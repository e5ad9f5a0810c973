// Package local runs the API server in the calling process, over plain HTTP on loopback, with an etcd of its own: for tests and
// measurements that want neither certificates nor a second process.
package local

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	genericapiserver "k8s.io/apiserver/pkg/server"
	restclient "k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/prune-gen/prune-gen/examples/apiserver/embedded"
	"github.com/prune-gen/prune-gen/examples/apiserver/serve"
)

// closeTimeout is how long Close waits for requests in flight.
const closeTimeout = time.Second

// Server is a running server.
type Server struct {
	// URL is where it listens: http://127.0.0.1:port
	URL string
	// EtcdURL is where its etcd does.
	EtcdURL string

	etcd    *embedded.Etcd
	generic *genericapiserver.GenericAPIServer
	http    *http.Server
	stop    context.CancelFunc
}

// Options changes what Start does.
type Options struct {
	// WatchCache keeps the objects of all kinds in memory, as servers do that are not tests.
	WatchCache bool
}

// Start runs a server that keeps its data below dir, and returns when it is ready.
func Start(ctx context.Context, dir string, definitions []*serve.Definition, opts Options) (*Server, error) {
	Quiet()
	etcd, err := embedded.Start(ctx, dir, embedded.Options{Forgetful: true})
	if err != nil {
		return nil, err
	}
	s := &Server{EtcdURL: etcd.URL, etcd: etcd}
	if err := s.start(ctx, definitions, opts); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, definitions []*serve.Definition, opts Options) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.URL = "http://" + listener.Addr().String()

	o := serve.NewOptions()
	o.Local = true
	etcdOptions := o.Recommended.Etcd
	etcdOptions.StorageConfig.Transport.ServerList = []string{s.EtcdURL}
	etcdOptions.EnableWatchCache = opts.WatchCache
	// The health checks hold an etcd client that only the generic server's own Run closes.
	etcdOptions.SkipHealthEndpoints = true
	o.Recommended.SecureServing.BindPort = 0
	o.Recommended.SecureServing.Listener = listener
	config, err := o.Config()
	if err != nil {
		listener.Close()
		return err
	}
	config.LoopbackClientConfig = &restclient.Config{Host: s.URL, QPS: -1}
	s.generic, err = serve.Config{Generic: config, Definitions: definitions}.New()
	if err != nil {
		listener.Close()
		return err
	}
	prepared := s.generic.PrepareRun()
	ctx, s.stop = context.WithCancel(ctx)
	s.http = &http.Server{Handler: prepared.Handler, ReadHeaderTimeout: time.Minute}
	go s.http.Serve(listener)
	prepared.RunPostStartHooks(ctx)
	return s.waitReady(ctx)
}

func (s *Server) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		resp, err := http.Get(s.URL + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the API server: %w", ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Close stops the server, and etcd last.
func (s *Server) Close() error {
	var errs []error
	if s.stop != nil {
		s.stop()
	}
	if s.http != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		err := s.http.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			err = s.http.Close()
		}
		errs = append(errs, err)
	}
	if s.generic != nil {
		s.generic.Destroy()
	}
	s.etcd.Close()
	return errors.Join(errs...)
}

// Quiet keeps klog from writing to the terminal. The setting is klog's own and holds for the whole process.
var Quiet = sync.OnceFunc(func() {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "alsologtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			panic(err) // klog has these flags
		}
	}
	klog.SetOutput(io.Discard)
})
