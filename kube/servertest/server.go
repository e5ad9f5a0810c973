package servertest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/kube/apiserver"
	"github.com/prune-gen/prune-gen/kube/apiserver/memory"
	"github.com/prune-gen/prune-gen/kube/apiserver/memory/etcd"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Options say what a server serves.
type Options struct {
	// CRDs are files, and directories of which all files *.yaml, *.yml and *.json are read, and those below them.
	CRDs []string
	// Linked is generated code, which is used for the CRDs that it fits; nil means that of all registered resources.
	Linked *prunert.Set
	// Conversion has the handlers that convert the objects of kinds between their versions, as conversion webhooks do: one that a kind has
	// here is asked in place of what its CRD says, without network and certificates. kube.ConversionHandler makes one of a function; that of
	// controller-runtime, which converts the types of a scheme, is another.
	Conversion map[schema.GroupKind]http.Handler
	// Address is where the server listens; empty means any port of loopback.
	Address string
	// Log is told what the server does not do as a cluster would; nil means nobody.
	Log func(format string, args ...any)
}

// StartServer runs a server until the test ends, and returns the configuration for its clients. The CRDs are files and directories. The
// test ends at once if the server cannot be started.
func StartServer(t testing.TB, crds []string, opts ...func(*Options)) *rest.Config {
	t.Helper()
	o := Options{CRDs: crds, Log: t.Logf}
	for _, change := range opts {
		change(&o)
	}
	s, err := Start(o)
	if err != nil {
		t.Fatalf("start a server: %v", err)
	}
	t.Cleanup(s.Stop)
	return s.Config
}

// Server is a running server.
type Server struct {
	// Config is for clients.
	Config *rest.Config

	server *apiserver.Server
	http   *http.Server
	stop   context.CancelFunc
	// stopped says that nobody may be told anything more: a test may have ended.
	stopped atomic.Bool
}

// Start runs a server until Stop is called. When it returns, clients can use all kinds.
func Start(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	crds, err := crdread.Files(o.CRDs...)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, err
	}
	tls, ca, err := certificate(listener.Addr())
	if err != nil {
		listener.Close()
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{
		// The token is for kubectl, which asks for a user without one.
		Config: &rest.Config{Host: "https://" + listener.Addr().String(), BearerToken: "everybody", TLSClientConfig: rest.TLSClientConfig{CAData: ca}, QPS: -1},
		stop:   stop,
	}
	log := o.Log
	o.Log = func(format string, args ...any) {
		if !s.stopped.Load() {
			log(format, args...)
		}
	}
	handler, err := s.install(ctx, crds, o)
	if err != nil {
		stop()
		listener.Close()
		return nil, err
	}
	s.http = &http.Server{Handler: handler, TLSConfig: tls, ReadHeaderTimeout: time.Minute}
	go s.http.ServeTLS(listener, "", "")
	return s, nil
}

// install makes the server and returns its handler.
func (s *Server) install(ctx context.Context, crds []*structural.CRD, o Options) (http.Handler, error) {
	storage := memory.NewStorage(ctx, etcd.Options{})
	config := apiserver.NewGenericConfig()
	config.RESTOptionsGetter = storage
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	config.LoopbackClientConfig = s.Config
	config.ExternalAddress = s.Config.Host[len("https://"):]
	config.MaxRequestsInFlight, config.MaxMutatingRequestsInFlight = 0, 0 // no limits
	var err error
	if s.server, err = (apiserver.Config{Generic: config, Linked: o.Linked, Interpret: true, Lazy: true, Conversion: o.Conversion}).New(); err != nil {
		return nil, err
	}
	i := installer{server: s.server, storage: storage, minTimeout: time.Duration(config.MinRequestTimeout) * time.Second, log: o.Log, builtin: map[string]bool{}}
	err = errors.Join(i.installBuiltin(ctx), i.installCRDs(ctx, crds))
	if err != nil {
		s.server.Destroy()
		return nil, err
	}
	prepared := s.server.PrepareRun()
	prepared.RunPostStartHooks(ctx)
	return prepared.Handler, nil
}

// Stop ends the server and all its connections.
func (s *Server) Stop() {
	s.stopped.Store(true)
	s.http.Close()
	s.server.Destroy()
	s.stop()
}

// Kubeconfig returns the configuration for clients as a file that kubectl reads.
func (s *Server) Kubeconfig() ([]byte, error) {
	const name = "servertest"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: s.Config.Host, CertificateAuthorityData: s.Config.CAData}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: s.Config.BearerToken}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: "default"}
	config.CurrentContext = name
	data, err := clientcmd.Write(*config)
	if err != nil {
		return nil, fmt.Errorf("write a kubeconfig: %w", err)
	}
	return data, nil
}
