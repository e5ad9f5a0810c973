package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"reflect"

	"github.com/emicklei/go-restful/v3"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	pathvalidation "k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/kubeapiserver"
)

// server is the API server's own handler for the resources that it serves by default, on a storage that forgets every request. It has
// no admission plugins, and allows privileged containers, as clusters do.
type server struct {
	handler   http.Handler
	resources map[schema.GroupVersionKind]*served
}

// served is a resource that is served in a version.
type served struct {
	schema.GroupVersionKind
	namespaced bool
	prefix     string // of its path
	plural     string
	hasStatus  bool
}

func newServer() (*server, error) {
	capabilities.Setup(true, 0)
	stored := options.NewEtcdOptions(storagebackend.NewDefaultConfig("/registry", nil))
	stored.DefaultStorageMediaType = runtime.ContentTypeProtobuf // in which a list without elements is none
	config := kubeapiserver.NewStorageFactoryConfig()
	config.APIResourceConfig = enabled()
	factory, err := config.Complete(stored).New()
	if err != nil {
		return nil, err
	}
	container := restful.NewContainer()
	s := &server{resources: map[schema.GroupVersionKind]*served{}}
	for _, g := range groups() {
		info, err := g.NewRESTStorage(config.APIResourceConfig, storageOptions{factory})
		if err != nil {
			return nil, err
		}
		for version, storages := range info.VersionedResourcesStorageMap {
			gv := schema.GroupVersion{Group: info.PrioritizedVersions[0].Group, Version: version}
			if err := s.install(container, &info, gv, storages); err != nil {
				return nil, fmt.Errorf("%s: %w", gv, err)
			}
		}
	}
	resolver := &request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}
	s.handler = filters.WithAuditInit(filters.WithRequestInfo(filters.WithWarningRecorder(container), resolver))
	return s, nil
}

// install installs the handlers of a version of a group.
func (s *server) install(container *restful.Container, info *genericapiserver.APIGroupInfo, gv schema.GroupVersion, storages map[string]rest.Storage) error {
	root := "/apis"
	if gv.Group == "" {
		root = "/api"
	}
	version := &endpoints.APIGroupVersion{
		Storage: storages, Root: root, GroupVersion: gv,
		MetaGroupVersion: info.MetaGroupVersion, OptionsExternalVersion: info.OptionsExternalVersion,
		ParameterCodec: info.ParameterCodec, Serializer: info.NegotiatedSerializer,
		Creater: info.Scheme, Convertor: info.Scheme, ConvertabilityChecker: info.Scheme, Defaulter: info.Scheme, Typer: info.Scheme,
		UnsafeConvertor: runtime.UnsafeObjectConvertor(info.Scheme), Namer: runtime.Namer(meta.NewAccessor()),
		TypeConverter:              managedfields.NewDeducedTypeConverter(), // what it finds is not part of the answer
		EquivalentResourceRegistry: runtime.NewEquivalentResourceRegistry(),
		Admit:                      admission.NewChainHandler(), Authorizer: allow, MaxRequestBodyBytes: maxObject,
	}
	resources, _, err := version.InstallREST(container)
	for _, r := range resources {
		kind := schema.GroupVersionKind(*r.ResponseKind)
		kind.Group, kind.Version = cmp.Or(kind.Group, gv.Group), cmp.Or(kind.Version, gv.Version)
		_, hasStatus := storages[r.Resource+"/status"]
		s.resources[kind] = &served{kind, r.Scope == apidiscovery.ScopeNamespace, path.Join(root, gv.Group, gv.Version), r.Resource, hasStatus}
	}
	return err
}

// path returns the path of a resource's objects in a namespace.
func (r *served) path(namespace string) string {
	if !r.namespaced {
		return r.prefix + "/" + r.plural
	}
	return path.Join(r.prefix, "namespaces", cmp.Or(namespace, metav1.NamespaceDefault), r.plural)
}

// send sends a request to the API server.
func (s *server) send(ctx context.Context, method, path, contentType, fieldValidation string, body []byte) *response {
	query := url.Values{}
	if fieldValidation != "" {
		query.Set("fieldValidation", fieldValidation)
	}
	req := httptest.NewRequestWithContext(ctx, method, (&url.URL{Path: path, RawQuery: query.Encode()}).String(), bytes.NewReader(body))
	req.Header.Set("Content-Type", contentType)
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, req)
	r := &response{code: recorder.Code, body: bytes.TrimSpace(recorder.Body.Bytes())}
	warnings, _ := utilnet.ParseWarningHeaders(recorder.Header()["Warning"])
	for _, w := range warnings {
		r.warnings = append(r.warnings, w.Text)
	}
	return r
}

// response is the response to a request.
type response struct {
	code     int
	body     []byte
	warnings []string
	ofOld    bool // it is about the old object
}

func (r *response) isOK() bool { return r.code < http.StatusMultipleChoices }

// write creates the object of a question. If there is an old one, that is created first, with its status, and then changed as kubectl
// apply does: what the API server has added stays.
func (s *server) write(r *served, q *question) *response {
	namespace := cmp.Or(q.Namespace, q.head.namespace)
	if r.namespaced && namespace != "" {
		if refused := inPath("namespace", namespace); refused != nil {
			return refused
		}
	}
	if r.plural == "services" {
		defer alone()()
	}
	ctx := withObjects(request.WithUser(context.Background(), &user.DefaultInfo{Name: "prune-gen-builtin", Groups: []string{user.SystemPrivilegedGroup}}))
	path := r.path(namespace)
	if q.Old == nil {
		return s.send(ctx, http.MethodPost, path, runtime.ContentTypeJSON, q.FieldValidation, q.Object)
	}
	if refused := inPath("resource name", q.head.name); refused != nil {
		return refused
	}
	old := s.send(ctx, http.MethodPost, path, runtime.ContentTypeJSON, metav1.FieldValidationIgnore, q.Old)
	path += "/" + q.head.name
	if old.isOK() && r.hasStatus && headOf(q.Old).hasStatus {
		old = s.send(ctx, http.MethodPut, path+"/status", runtime.ContentTypeJSON, metav1.FieldValidationIgnore, identified(q.Old, old.body))
	}
	if old.ofOld = true; !old.isOK() {
		return old
	}
	patch, err := r.patch(q.Old, q.Object, old.body)
	if err != nil { // the object cannot be decoded
		return s.send(ctx, http.MethodPut, path, runtime.ContentTypeJSON, q.FieldValidation, identified(q.Object, old.body))
	}
	return s.send(ctx, http.MethodPatch, path, string(types.StrategicMergePatchType), q.FieldValidation, patch)
}

// inPath returns the response to a request whose path cannot have a name in it, nil if it can. No client sends such a request.
func inPath(what, name string) *response {
	//lint:ignore SA1019 older versions have no other
	wrong := pathvalidation.IsValidPathSegmentName(name)
	if len(wrong) == 0 {
		return nil
	}
	status := apierrors.NewBadRequest(fmt.Sprintf("invalid %s %q: %v", what, name, wrong)).Status()
	body, _ := json.Marshal(&status)
	return &response{code: http.StatusBadRequest, body: body}
}

// patch returns what kubectl apply sends if an object was applied before, and is stored with what the API server has added.
func (r *served) patch(before, now, stored []byte) ([]byte, error) {
	if len(undecodable(r.GroupVersionKind, now)) > 0 {
		return nil, errors.New("undecodable")
	}
	schema, err := strategicpatch.NewPatchMetaFromStruct(reflect.New(legacyscheme.Scheme.AllKnownTypes()[r.GroupVersionKind]).Interface())
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateThreeWayMergePatch(before, now, stored, schema, true)
}

// identified returns an object with the resourceVersion and the uid of the stored one, as if a client had read it before.
func identified(object, stored []byte) []byte {
	var fields, metadata map[string]json.RawMessage
	var was struct{ Metadata map[string]json.RawMessage }
	if json.Unmarshal(object, &fields) != nil || json.Unmarshal(fields["metadata"], &metadata) != nil || json.Unmarshal(stored, &was) != nil {
		return object
	}
	for _, name := range []string{"resourceVersion", "uid"} {
		metadata[name] = was.Metadata[name]
	}
	fields["metadata"], _ = json.Marshal(metadata)
	object, _ = json.Marshal(fields)
	return object
}
