package apiserver

import (
	"errors"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/metrics"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/klog/v2"
)

// patchTypes are the ways to patch an object. Strategic merge patch needs Go types.
var patchTypes = []string{string(types.JSONPatchType), string(types.MergePatchType), string(types.ApplyYAMLPatchType)}

// handler serves all resources.
type handler struct {
	admission  admission.Interface
	minTimeout time.Duration

	mu        sync.RWMutex
	kinds     map[schema.GroupResource]*kind
	discovery map[string]http.Handler // by path
}

func newHandler(c *genericapiserver.RecommendedConfig) *handler {
	return &handler{admission: c.AdmissionControl, minTimeout: time.Duration(c.MinRequestTimeout) * time.Second, kinds: map[schema.GroupResource]*kind{}}
}

// set changes what is served.
func (h *handler) set(kinds map[schema.GroupResource]*kind, discovery map[string]http.Handler) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kinds, h.discovery = kinds, discovery
}

// serveDiscovery serves /apis/<group> and /apis/<group>/<version>.
func (h *handler) serveDiscovery(w http.ResponseWriter, req *http.Request) {
	h.mu.RLock()
	found := h.discovery[strings.Trim(req.URL.Path, "/")]
	h.mu.RUnlock()
	if found == nil {
		http.NotFound(w, req)
		return
	}
	found.ServeHTTP(w, req)
}

func (h *handler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	info, ok := request.RequestInfoFrom(req.Context())
	if !ok {
		refuse(w, req, schema.GroupVersion{}, apierrors.NewInternalError(errors.New("no RequestInfo found in the context")))
		return
	}
	if !info.IsResourceRequest {
		h.serveDiscovery(w, req)
		return
	}
	k, done := h.find(info)
	if k == nil {
		http.NotFound(w, req)
		return
	}
	defer done()
	gv := schema.GroupVersion{Group: info.APIGroup, Version: info.APIVersion}
	versions, err := k.versions()
	if err != nil {
		refuse(w, req, gv, apierrors.NewInternalError(err))
		return
	}
	v := versions[info.APIVersion]
	if v == nil {
		http.NotFound(w, req)
		return
	}
	if v.warning != "" {
		warning.AddWarning(req.Context(), "", v.warning)
	}
	gr := gv.WithResource(info.Resource).GroupResource()
	serve := h.serveResource(v, info.Verb)
	if info.Subresource != "" {
		part, ok := v.parts[info.Subresource]
		if !ok {
			refuse(w, req, gv, apierrors.NewNotFound(gr, info.Name))
			return
		}
		serve = h.servePart(part, info.Verb)
	}
	if (info.Verb == "create" || info.Verb == "update") && info.Subresource != "scale" && isProtobuf(req) {
		refuse(w, req, gv, negotiation.NewUnsupportedMediaTypeError([]string{runtime.ContentTypeJSON, runtime.ContentTypeYAML}))
		return
	}
	if serve == nil {
		refuse(w, req, gv, apierrors.NewMethodNotSupported(gr, info.Verb))
		return
	}
	metrics.InstrumentHandlerFunc(strings.ToUpper(info.Verb), info.APIGroup, info.APIVersion, info.Resource, info.Subresource,
		metrics.CleanScope(info), metrics.APIServerComponent, v.Deprecated, "", serve)(w, req)
}

// find returns the kind that a request is for, nil if there is none or its scope is another. It is served until done is called, even if the
// kind changes.
func (h *handler) find(info *request.RequestInfo) (k *kind, done func()) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	k, ok := h.kinds[schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}]
	if !ok {
		return nil, nil
	}
	across := info.Verb == "list" || info.Verb == "watch"
	if inNamespace := info.Namespace != ""; inNamespace != k.Namespaced() && !(k.Namespaced() && across) {
		return nil, nil
	}
	if info.Verb == "watch" {
		return k, func() {}
	}
	k.requests.Add(1)
	return k, k.requests.Done
}

// serveResource returns what serves requests for objects and their collections, nil if a verb is unknown.
func (h *handler) serveResource(v *servedVersion, verb string) http.HandlerFunc {
	switch verb {
	case "get":
		return handlers.GetResource(v.resource, v.scope)
	case "list":
		return handlers.ListResource(v.resource, v.resource, v.scope, false, h.minTimeout)
	case "watch":
		return handlers.ListResource(v.resource, v.resource, v.scope, true, h.minTimeout)
	case "create":
		return handlers.CreateResource(creater{v.resource}, v.scope, h.admission)
	case "update":
		return handlers.UpdateResource(patcher{v.resource}, v.scope, h.admission)
	case "patch":
		return handlers.PatchResource(patcher{v.resource}, v.scope, h.admission, patchTypes)
	case "delete":
		return handlers.DeleteResource(v.resource, true, v.scope, h.admission)
	case "deletecollection":
		return handlers.DeleteCollection(v.resource, true, v.scope, h.admission)
	}
	return nil
}

// servePart returns what serves requests for a subresource of objects.
func (h *handler) servePart(p part, verb string) http.HandlerFunc {
	switch verb {
	case "get":
		return handlers.GetResource(p.Patcher, p.scope)
	case "update":
		return handlers.UpdateResource(patcher{p.Patcher}, p.scope, h.admission)
	case "patch":
		return handlers.PatchResource(patcher{p.Patcher}, p.scope, h.admission, patchTypes)
	}
	return nil
}

// bodyGrace is how long a body may still arrive after its request has timed out, so that the library can answer with a timeout.
const bodyGrace = time.Second

// endBodies stops reading a body when its request has timed out. The library answers the request then, but reads on,
// and counts it among the requests in flight as long as anything arrives.
func endBodies(h http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.ContentLength != 0 {
			if err := http.NewResponseController(w).SetReadDeadline(time.Now().Add(timeout + bodyGrace)); err != nil {
				klog.ErrorS(err, "A body may arrive forever", "path", req.URL.Path)
			}
		}
		h.ServeHTTP(w, req)
	})
}

// isProtobuf reports whether the body of a request is protobuf, which does not exist for objects of custom kinds. The library would
// look for a serializer that is strict and find none.
func isProtobuf(req *http.Request) bool {
	mediaType, _, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	return err == nil && mediaType == runtime.ContentTypeProtobuf
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, req *http.Request, gv schema.GroupVersion, err error) {
	responsewriters.ErrorNegotiated(err, codecs, gv, w, req)
}
