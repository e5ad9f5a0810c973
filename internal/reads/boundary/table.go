// Package boundary says what functions do with Kubernetes objects whose source is not followed.
package boundary

import (
	"go/types"
	"slices"
	"strings"
)

// Effect says what a function that is not followed does with the objects that it is given.
type Effect int

const (
	ReadsAll  Effect = iota // reads everything: what is assumed of functions that no row knows
	ReadsKept               // reads nothing but what is always kept
	Fills                   // reads nothing, and fills the objects from a cache or the server
	Writes                  // sends the objects whole to the server
	Passes                  // reads nothing, and returns what it is given, or parts or copies of it
	Calls                   // reads nothing, and calls the methods of what it is given
	Informs                 // reads nothing: the object is an example of those that the cache shall hold
)

var names = map[Effect]string{ReadsKept: "reads kept", Fills: "fills", Writes: "writes", Passes: "passes", Calls: "calls", Informs: "informs"}

// A row says what the functions with a name do. A name is that of types.Func.FullName, without the star of a receiver; * at its end stands for
// any rest.
type row struct {
	effect Effect
	names  []string
	why    string
}

// table has the functions that are not followed and do not read everything. TestTable of hack/apiserver/reads executes them with poison.
var table = []row{
	{Fills, []string{
		"(sigs.k8s.io/controller-runtime/pkg/client.Reader).*",
		"(k8s.io/client-go/rest.Result).Into",
	}, "the cache copies an object into its argument"},
	{Writes, []string{
		"(sigs.k8s.io/controller-runtime/pkg/client.Writer).Create", "(sigs.k8s.io/controller-runtime/pkg/client.Writer).Update",
		"(sigs.k8s.io/controller-runtime/pkg/client.Writer).Patch", "(sigs.k8s.io/controller-runtime/pkg/client.Writer).Apply",
		"(sigs.k8s.io/controller-runtime/pkg/client.SubResourceWriter).*",
		"(sigs.k8s.io/controller-runtime/pkg/client.SubResourceClient).*",
		"(sigs.k8s.io/controller-runtime/pkg/client.StatusWriter).*",
		"sigs.k8s.io/controller-runtime/pkg/client.MergeFrom*", "sigs.k8s.io/controller-runtime/pkg/client.StrategicMergeFrom*",
		"(k8s.io/client-go/rest.Request).Body",
	}, "the object is encoded for the server"},
	{ReadsKept, []string{
		"(sigs.k8s.io/controller-runtime/pkg/client.Writer).Delete", "(sigs.k8s.io/controller-runtime/pkg/client.Writer).DeleteAllOf",
		"sigs.k8s.io/controller-runtime/pkg/client.ObjectKeyFromObject", "k8s.io/klog/v2.KObj", "k8s.io/klog/v2.KObjs", "k8s.io/klog/v2.KObjSlice",
		"k8s.io/client-go/tools/cache.MetaNamespaceKeyFunc", "k8s.io/client-go/tools/cache.DeletionHandlingMetaNamespaceKeyFunc",
		"k8s.io/client-go/tools/cache.ObjectToName", "k8s.io/client-go/tools/cache.DeletionHandlingObjectToName",
	}, "name and namespace"},
	{ReadsKept, []string{
		"(k8s.io/client-go/tools/record.EventRecorder).*", "(k8s.io/client-go/tools/record.EventRecorderLogger).*",
		"(k8s.io/client-go/tools/events.EventRecorder).*", "(k8s.io/client-go/tools/internal/events.EventRecorder).*", "k8s.io/client-go/tools/reference.GetReference",
	}, "a reference: group, version, kind, name, namespace, uid and resourceVersion"},
	{ReadsKept, []string{
		"(k8s.io/apimachinery/pkg/runtime.ObjectTyper).*", "(k8s.io/apimachinery/pkg/runtime.Scheme).ObjectKinds",
		"(k8s.io/apimachinery/pkg/runtime.Scheme).AddKnownType*", "(k8s.io/apimachinery/pkg/runtime.Scheme).AddTypeDefaultingFunc",
		"(k8s.io/apimachinery/pkg/runtime.Scheme).IsUnversioned", "(k8s.io/apimachinery/pkg/runtime.SchemeBuilder).*",
		"(sigs.k8s.io/controller-runtime/pkg/scheme.Builder).*", "(k8s.io/apimachinery/pkg/runtime.Scheme).AddConversionFunc",
		"(k8s.io/apimachinery/pkg/runtime.Scheme).AddGeneratedConversionFunc",
		"sigs.k8s.io/controller-runtime/pkg/client/apiutil.GVKForObject", "sigs.k8s.io/controller-runtime/pkg/client/apiutil.IsObjectNamespaced",
		"(sigs.k8s.io/controller-runtime/pkg/client.Client).GroupVersionKindFor", "(sigs.k8s.io/controller-runtime/pkg/client.Client).IsObjectNamespaced",
	}, "the Go type, apiVersion and kind"},
	{Informs, []string{
		"sigs.k8s.io/controller-runtime/pkg/builder.*", "(sigs.k8s.io/controller-runtime/pkg/builder.TypedBuilder*", "(sigs.k8s.io/controller-runtime/pkg/builder.Builder*",
		"(sigs.k8s.io/controller-runtime/pkg/builder.WebhookBuilder*", "(sigs.k8s.io/controller-runtime/pkg/client.FieldIndexer).IndexField",
		"sigs.k8s.io/controller-runtime/pkg/source.*", "(sigs.k8s.io/controller-runtime/pkg/cache.Informers).*",
		"sigs.k8s.io/controller-runtime/pkg/handler.EnqueueRequestForOwner", "sigs.k8s.io/controller-runtime/pkg/handler.TypedEnqueueRequestForOwner",
		"k8s.io/client-go/tools/cache.NewShared*", "k8s.io/client-go/tools/cache.NewInformer*", "k8s.io/client-go/tools/cache.NewIndexerInformer*",
		"sigs.k8s.io/controller-runtime.NewControllerManagedBy", "sigs.k8s.io/controller-runtime.NewWebhookManagedBy",
	}, "the Go type of an example"},
	{ReadsKept, []string{
		"(sigs.k8s.io/controller-runtime/pkg/handler.TypedEventHandler).*", "(sigs.k8s.io/controller-runtime/pkg/handler.EventHandler).*",
		"(sigs.k8s.io/controller-runtime/pkg/handler.EnqueueRequestForObject).*", "(sigs.k8s.io/controller-runtime/pkg/handler.TypedEnqueueRequestForObject*",
		"(sigs.k8s.io/controller-runtime/pkg/predicate.TypedPredicate).*", "(sigs.k8s.io/controller-runtime/pkg/predicate.Predicate).*",
	}, "those of the program and of package predicate are followed; the others read names and owners"},
	{Calls, []string{
		"sort.Sort", "sort.Stable", "sort.IsSorted", "sort.Reverse",
	}, "Len, Less and Swap"},
	{Passes, []string{
		"sort.Slice", "sort.SliceStable", "sort.SliceIsSorted",
	}, "the elements move; the comparison is followed"},
	{Passes, []string{
		UnstructuredPath + ".Nested*",
	}, "a part of a map that the program has"},
	{ReadsKept, []string{
		"(" + AdmissionPath + ".Decoder).*",
	}, "the object comes from a request"},
}

// exact and prefixes are the table by name.
var exact, prefixes = func() (map[string]row, map[string]row) {
	exact, prefixes := map[string]row{}, map[string]row{}
	for _, r := range table {
		for _, name := range r.names {
			if short, ok := strings.CutSuffix(name, "*"); ok {
				prefixes[short] = r
			} else {
				exact[name] = r
			}
		}
	}
	return exact, prefixes
}()

// Table returns the names of the functions that the table knows, with what they do.
func Table() map[string]string {
	all := map[string]string{}
	for _, r := range table {
		for _, name := range r.names {
			all[name] = names[r.effect]
		}
	}
	return all
}

// Of returns what a function does, and whether the table has it.
func Of(f *types.Func) (Effect, bool) {
	if f == nil {
		return ReadsAll, false
	}
	name := strings.Replace(f.Origin().FullName(), "(*", "(", 1)
	if r, ok := exact[name]; ok {
		return r.effect, true
	}
	for end := len(name); end > 0; end-- {
		if r, ok := prefixes[name[:end]]; ok {
			return r.effect, true
		}
	}
	if strings.Contains(name, "/typed/") || strings.Contains(name, "/gentype.") { // of a clientset
		switch f.Name() {
		case "Create", "Update", "UpdateStatus", "Apply", "ApplyStatus":
			return Writes, true
		}
	}
	return ReadsAll, false
}

// isClientset reports whether a function is generated for clients, listers and informers of types of objects.
func isClientset(name string) bool {
	return slices.ContainsFunc([]string{"/typed/", "/listers", "/gentype."}, func(part string) bool { return strings.Contains(name, part) })
}

// ReturnsCopies reports whether the lists that a function returns are not used by anything else.
func ReturnsCopies(f *types.Func) bool {
	return f != nil && f.Pkg() != nil && Closed(f.Pkg().Path()) && isClientset(f.FullName())
}

// KnowsObjects reports whether a package of the API machinery knows objects.
func KnowsObjects(path string) bool {
	return strings.HasPrefix(path, "k8s.io/apimachinery/") && path != "k8s.io/apimachinery/pkg/types"
}

// GetsRequests reports whether the functions that a function is given are called with objects that come from requests, or that the program
// passes to other functions, which read them whole.
func GetsRequests(f *types.Func) bool {
	name := ""
	if f != nil {
		name, _ = strings.CutPrefix(f.FullName(), "(*k8s.io/apimachinery/pkg/runtime.Scheme).")
	}
	return name == "AddConversionFunc" || name == "AddGeneratedConversionFunc" || name == "AddTypeDefaultingFunc"
}

// IsWebhook reports whether an interface is one of webhooks. Their objects come from requests.
func IsWebhook(name string) bool {
	return slices.Contains([]string{
		AdmissionPath + ".CustomDefaulter", AdmissionPath + ".CustomValidator", AdmissionPath + ".Defaulter", AdmissionPath + ".Validator",
		"sigs.k8s.io/controller-runtime/pkg/conversion.Convertible",
	}, name)
}

// IsGetter reports whether a method of the API machinery reads what it is called on, and does nothing else.
func IsGetter(f *types.Func) bool {
	s := f.Signature()
	return f.Pkg() != nil && f.Pkg().Path() == MetaPath && s.Params().Len() == 0 && s.Results().Len() == 1 && !types.IsInterface(s.Results().At(0).Type())
}

// FillsCache reports whether functions of a type list, watch or change objects before they are cached.
func FillsCache(name string) bool {
	name, ok := strings.CutPrefix(name, "k8s.io/client-go/tools/cache.")
	return ok && slices.Contains([]string{"TransformFunc", "ListFunc", "ListWithContextFunc", "WatchFunc", "WatchFuncWithContext"}, name)
}

// Paths of packages that the analysis knows.
const (
	MetaPath         = "k8s.io/apimachinery/pkg/apis/meta/v1"
	UnstructuredPath = MetaPath + "/unstructured"
	AdmissionPath    = "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// closedPaths are the packages that know Kubernetes objects and are not followed; those below openPaths are.
var (
	closedPaths = []string{
		"k8s.io/api/", "k8s.io/apiextensions-apiserver/", "k8s.io/apimachinery/", "k8s.io/apiserver/", "k8s.io/client-go/", "k8s.io/code-generator/",
		"k8s.io/component-base/", "k8s.io/klog/", "k8s.io/kube-aggregator/", "k8s.io/kube-openapi/", "k8s.io/kubectl/", "k8s.io/metrics/",
		"k8s.io/cli-runtime/", "k8s.io/kms/", "sigs.k8s.io/controller-runtime/", "sigs.k8s.io/structured-merge-diff/", "sigs.k8s.io/apiserver-network-proxy/",
		"github.com/prune-gen/prune-gen/kube/",
	}
	openPaths = []string{
		MetaPath + "/", "k8s.io/apimachinery/pkg/api/meta/", "sigs.k8s.io/controller-runtime/pkg/controller/controllerutil/",
		"sigs.k8s.io/controller-runtime/pkg/predicate/", "sigs.k8s.io/controller-runtime/",
	}
)

// Closed reports whether the functions of a package are not followed although it knows Kubernetes objects.
func Closed(path string) bool {
	if Opened(path) {
		return false
	}
	for _, prefix := range closedPaths {
		if strings.HasPrefix(path+"/", prefix) {
			return true
		}
	}
	return false
}

// ExecutesTemplates reports whether a closed package executes templates, which call methods by names. The others call DeepCopyInto and
// WithNamespace, and what they import to call more gets no values of programs.
func ExecutesTemplates(path string) bool {
	return strings.HasPrefix(path, "k8s.io/kubectl/") || strings.HasPrefix(path, "k8s.io/cli-runtime/")
}

// Opened reports whether a package is followed although its neighbours are not.
func Opened(path string) bool { return slices.Contains(openPaths, path+"/") }
