package apiserver

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
)

// inProcess is where conversion webhooks are called that are handlers of the process. Nobody looks the name up.
const inProcess = "https://conversion.in-process/convert"

// converters returns what converts objects of a kind, as the CRD says or by a handler. Both are Kubernetes' own: they call an object of one
// version one of another, or ask the webhook and check what it may have changed, and leave the rest to the storage codec, which knows what to
// prune. The library converts back and forth while it works out who owns which field, and must not lose any on the way. The unsafe one may
// change what it converts.
func (s *Server) converters(d *Definition) (safe, unsafe runtime.ObjectConvertor, err error) {
	crd := &apiextensionsv1.CustomResourceDefinition{Spec: d.CustomResourceDefinitionSpec}
	crd.Name = d.groupResource().String()
	generic := s.config.Generic
	wrap := webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, generic.EgressSelector, generic.LoopbackClientConfig, generic.TracerProvider)
	if h := s.config.Conversion[d.GroupKind()]; h != nil {
		url := inProcess
		hook := &apiextensionsv1.WebhookConversion{ClientConfig: &apiextensionsv1.WebhookClientConfig{URL: &url}, ConversionReviewVersions: []string{"v1"}}
		if w := d.Conversion.Webhook; w != nil {
			hook.ConversionReviewVersions = w.ConversionReviewVersions
		}
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter, Webhook: hook}
		wrap = func(webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver {
			return handlerTransport{h}
		}
	}
	factory, err := conversion.NewCRConverterFactory(webhook.NewDefaultServiceResolver(), wrap)
	if err != nil {
		return nil, nil, err
	}
	return factory.NewConverter(crd)
}

// handlerTransport sends the requests of a client to a handler.
type handlerTransport struct{ http.Handler }

func (t handlerTransport) ClientConfigFor(string) (*rest.Config, error) {
	return &rest.Config{Transport: t}, nil
}

func (t handlerTransport) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return t.ClientConfigFor("")
}

func (t handlerTransport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	defer func() {
		if r := recover(); r != nil { // as a server would
			resp, err = nil, fmt.Errorf("the handler panicked: %v", r)
		}
	}()
	w, served := &answer{header: http.Header{}}, req.WithContext(req.Context())
	if served.Body == nil {
		served.Body = http.NoBody // handlers always have one
	}
	t.ServeHTTP(w, served)
	w.WriteHeader(http.StatusOK)
	return &http.Response{StatusCode: w.code, Status: http.StatusText(w.code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: req}, nil
}

// answer keeps what a handler writes.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(code int) {
	if a.code == 0 {
		a.code = code
	}
}

func (a *answer) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(data)
}
