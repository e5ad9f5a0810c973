// Package server runs the API server of CustomResourceDefinitions with an etcd of its own in the calling process, so that
// a test can ask Kubernetes itself what it does to an object.
//
// It listens on loopback only, speaks plain HTTP unless it is asked for TLS, and lets everybody do everything. There are no namespaces to create, no
// admission, no aggregation and no /apis listing; the routes of installed resources and of the CRDs exist.
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
	noopoteltrace "go.opentelemetry.io/otel/trace/noop"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/compatibility"
	"k8s.io/apiserver/pkg/util/webhook"
	restclient "k8s.io/client-go/rest"
)

// keyPrefix is where all keys of the API server begin in etcd.
const keyPrefix = "/registry"

// closeTimeout is how long Close waits for requests in flight before it cuts them off.
const closeTimeout = time.Second

// Server is a running API server.
type Server struct {
	// URL is where the server listens: http://127.0.0.1:port, or https.
	URL string
	// Etcd is a client of the server's storage, to read or to change what is stored without the server.
	Etcd *clientv3.Client
	// EtcdURL is where that storage listens.
	EtcdURL string

	etcd    *embed.Etcd
	generic *genericapiserver.GenericAPIServer
	http    *http.Server
	client  *http.Client
	stop    context.CancelFunc
}

// Options is what a server has that tests do without.
type Options struct {
	// TLS makes it speak HTTPS, with a certificate that nobody has signed.
	TLS bool
	// WatchCache keeps the objects of all kinds in memory.
	WatchCache bool
}

// Start runs a server that keeps its data below dir, and returns when it is ready. The server runs until Close, or until
// ctx ends; Close is to be called in both cases.
func Start(ctx context.Context, dir string) (*Server, error) { return StartWith(ctx, dir, Options{}) }

// StartWith is Start with options.
func StartWith(ctx context.Context, dir string, opts Options) (*Server, error) {
	Quiet()
	etcd, err := startEtcd(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := &Server{etcd: etcd, Etcd: v3client.New(etcd.Server), EtcdURL: "http://" + etcd.Clients[0].Addr().String(), client: newClient()}
	if err := s.startAPI(ctx, opts); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close stops the server and waits until its goroutines no longer need the directory.
func (s *Server) Close() error {
	var errs []error
	if s.stop != nil {
		// The informers hold watches that never end by themselves: they have to go before the listener waits for requests.
		s.stop()
	}
	if s.http != nil {
		s.client.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		err := s.http.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			// A connection that a client has opened and not used yet counts as busy for five seconds.
			err = s.http.Close()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("stop the listener: %w", err))
		}
	}
	if s.generic != nil {
		s.generic.Destroy()
	}
	if err := s.Etcd.Close(); err != nil && !errors.Is(err, context.Canceled) {
		errs = append(errs, fmt.Errorf("close the etcd client: %w", err))
	}
	s.etcd.Close()
	return errors.Join(errs...)
}

// startAPI puts the API server together, serves it and waits until it is ready.
func (s *Server) startAPI(ctx context.Context, opts Options) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	addr := listener.Addr().String()
	s.URL = "http://" + addr
	if opts.TLS {
		s.URL = "https://" + addr
	}

	config, err := apiConfig(s.URL, s.EtcdURL, opts)
	if err != nil {
		listener.Close()
		return err
	}
	crds, err := config.Complete().New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		listener.Close()
		return fmt.Errorf("make the API server: %w", err)
	}
	s.generic = crds.GenericAPIServer
	prepared := s.generic.PrepareRun()

	ctx, s.stop = context.WithCancel(ctx)
	s.http = &http.Server{Handler: prepared.Handler, ReadHeaderTimeout: time.Minute}
	if opts.TLS {
		if err := serveTLS(s.http, listener); err != nil {
			return err
		}
	} else {
		go s.http.Serve(listener)
	}
	// Run of the generic server serves TLS and nothing else, so only its hooks are used: they start the informers and
	// the controllers.
	prepared.RunPostStartHooks(ctx)
	return s.waitReady(ctx)
}

// apiConfig is what options.Config of the API server makes, without TLS, authentication, admission and a core API.
func apiConfig(url, etcdURL string, opts Options) (*apiserver.Config, error) {
	storage := storagebackend.NewDefaultConfig(keyPrefix,
		apiserver.Codecs.LegacyCodec(apiextensionsv1.SchemeGroupVersion, apiextensionsv1beta1.SchemeGroupVersion))
	storage.Transport.ServerList = []string{etcdURL}
	etcdOptions := genericoptions.NewEtcdOptions(storage)
	// A watch cache for each CRD costs memory and a reflector, and hides when etcd is read.
	etcdOptions.EnableWatchCache = opts.WatchCache
	// The health checks hold an etcd client that only the generic server's own Run would close.
	etcdOptions.SkipHealthEndpoints = true

	generic := genericapiserver.NewRecommendedConfig(apiserver.Codecs)
	generic.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	_, generic.ExternalAddress, _ = strings.Cut(url, "://")
	generic.LoopbackClientConfig = &restclient.Config{Host: url, QPS: -1, TLSClientConfig: restclient.TLSClientConfig{Insecure: opts.TLS}}
	generic.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	generic.MergedResourceConfig = apiserver.DefaultAPIResourceConfigSource()
	// The models are needed to install the API group, the published documents are not: making them for each CRD is most
	// of the work of installing one.
	generic.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(
		generatedopenapi.GetOpenAPIDefinitions, openapinamer.NewDefinitionNamer(apiserver.Scheme))
	generic.SkipOpenAPIInstallation = true
	if err := etcdOptions.ApplyTo(&generic.Config); err != nil {
		return nil, fmt.Errorf("configure storage: %w", err)
	}

	return &apiserver.Config{
		GenericConfig: generic,
		ExtraConfig: apiserver.ExtraConfig{
			CRDRESTOptionsGetter: options.NewCRDRESTOptionsGetter(*etcdOptions, nil, generic.StorageObjectCountTracker),
			ServiceResolver:      webhook.NewDefaultServiceResolver(),
			AuthResolverWrapper: webhook.NewDefaultAuthenticationInfoResolverWrapper(
				nil, nil, generic.LoopbackClientConfig, noopoteltrace.NewTracerProvider()),
		},
	}, nil
}

// waitReady polls until the server says that it is ready.
func (s *Server) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return poll(ctx, "the API server", func() (bool, error) {
		r, err := s.Do(ctx, http.MethodGet, "/readyz", "", nil)
		return err == nil && r.Code == http.StatusOK, nil
	})
}

// poll calls done until it returns true or an error, or ctx ends.
func poll(ctx context.Context, what string, done func() (bool, error)) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := done()
		if ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, ctx.Err())
		case <-tick.C:
		}
	}
}
