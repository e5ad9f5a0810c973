package main

import (
	"context"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	discoveryclient "k8s.io/client-go/discovery"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/resource"
	kubeletclient "k8s.io/kubernetes/pkg/kubelet/client"
	admissionregistration "k8s.io/kubernetes/pkg/registry/admissionregistration/rest"
	apps "k8s.io/kubernetes/pkg/registry/apps/rest"
	autoscaling "k8s.io/kubernetes/pkg/registry/autoscaling/rest"
	batch "k8s.io/kubernetes/pkg/registry/batch/rest"
	coordination "k8s.io/kubernetes/pkg/registry/coordination/rest"
	endpointstore "k8s.io/kubernetes/pkg/registry/core/endpoint/storage"
	limitrangestore "k8s.io/kubernetes/pkg/registry/core/limitrange/storage"
	nodestore "k8s.io/kubernetes/pkg/registry/core/node/storage"
	volumestore "k8s.io/kubernetes/pkg/registry/core/persistentvolume/storage"
	claimstore "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim/storage"
	templatestore "k8s.io/kubernetes/pkg/registry/core/podtemplate/storage"
	controllerstore "k8s.io/kubernetes/pkg/registry/core/replicationcontroller/storage"
	core "k8s.io/kubernetes/pkg/registry/core/rest"
	servicestore "k8s.io/kubernetes/pkg/registry/core/service/storage"
	discovery "k8s.io/kubernetes/pkg/registry/discovery/rest"
	events "k8s.io/kubernetes/pkg/registry/events/rest"
	flowcontrol "k8s.io/kubernetes/pkg/registry/flowcontrol/rest"
	networking "k8s.io/kubernetes/pkg/registry/networking/rest"
	node "k8s.io/kubernetes/pkg/registry/node/rest"
	policy "k8s.io/kubernetes/pkg/registry/policy/rest"
	rbac "k8s.io/kubernetes/pkg/registry/rbac/rest"
	scheduling "k8s.io/kubernetes/pkg/registry/scheduling/rest"
	storageclasses "k8s.io/kubernetes/pkg/registry/storage/rest"
	storagemigration "k8s.io/kubernetes/pkg/registry/storagemigration/rest"
)

// group makes the storages of a group's resources, as the API server does when it starts.
type group interface {
	NewRESTStorage(serverstorage.APIResourceConfigSource, generic.RESTOptionsGetter) (genericapiserver.APIGroupInfo, error)
}

// eventTTL is how long the API server keeps events, unless it is told otherwise.
const eventTTL = time.Hour

// groups returns the groups that the API server has. Those of reviews are missing: an answer to one of them depends on the cluster.
// Whoever authorizes allows everything, and there are no other objects.
func groups() []group {
	return append(versionedGroups(),
		coreGroup{},
		admissionregistration.RESTStorageProvider{Authorizer: allow, DiscoveryClient: nothing{}},
		apps.StorageProvider{},
		autoscaling.RESTStorageProvider{},
		batch.RESTStorageProvider{},
		coordination.RESTStorageProvider{},
		discovery.StorageProvider{},
		events.RESTStorageProvider{TTL: eventTTL},
		flowcontrol.RESTStorageProvider{},
		networking.RESTStorageProvider{},
		node.RESTStorageProvider{},
		policy.RESTStorageProvider{},
		rbac.RESTStorageProvider{Authorizer: allow},
		scheduling.RESTStorageProvider{},
		storageclasses.RESTStorageProvider{},
		storagemigration.RESTStorageProvider{},
	)
}

// allow allows everything.
var allow = authorizerfactory.NewAlwaysAllowAuthorizer()

// nothing is a cluster in which there is nothing but namespaces, which allow everything.
type nothing struct {
	discoveryclient.DiscoveryInterface
	coreclient.NamespaceInterface
}

func (nothing) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{resource.DRAAdminNamespaceLabelKey: "true"}}}, nil
}

// enabled returns what the API server serves by default: all that is stable, and nothing else.
func enabled() *serverstorage.ResourceConfig {
	config := serverstorage.NewResourceConfig()
	for _, gv := range legacyscheme.Scheme.PrioritizedVersionsAllGroups() {
		if !strings.ContainsAny(strings.TrimPrefix(gv.Version, "v"), "ab") { // of alpha and beta
			config.EnableVersions(gv)
		}
	}
	return config
}

// coreGroup is the group without a name. The API server's own connects to etcd for the addresses and ports of Services; here they are
// allocated in memory.
type coreGroup struct{}

func (coreGroup) NewRESTStorage(enabled serverstorage.APIResourceConfigSource, opts generic.RESTOptionsGetter) (info genericapiserver.APIGroupInfo, err error) {
	info, err = (&core.GenericConfig{EventTTL: eventTTL}).NewRESTStorage(enabled, opts)
	if err != nil {
		return info, err
	}
	v1 := info.VersionedResourcesStorageMap["v1"]
	add := func(resource string, s rest.Storage, problem error) {
		if err == nil {
			err = problem
		}
		v1[resource] = s
	}
	endpoints, problem := endpointstore.NewREST(opts)
	add("endpoints", endpoints, problem)
	limits, problem := limitrangestore.NewREST(opts)
	add("limitranges", limits, problem)
	nodes, problem := nodestore.NewStorage(opts, kubeletclient.KubeletClientConfig{}, nil)
	if problem != nil {
		return info, problem
	}
	add("nodes", nodes.Node, nil)
	add("nodes/status", nodes.Status, nil)
	claims, claimStatus, problem := claimstore.NewREST(opts)
	add("persistentvolumeclaims", claims, problem)
	add("persistentvolumeclaims/status", claimStatus, nil)
	volumes, volumeStatus, problem := volumestore.NewREST(opts)
	add("persistentvolumes", volumes, problem)
	add("persistentvolumes/status", volumeStatus, nil)
	pods, problem := newPods(opts)
	if problem != nil {
		return info, problem
	}
	add("pods", pods.Pod, nil)
	add("pods/status", pods.Status, nil)
	templates, problem := templatestore.NewREST(opts)
	add("podtemplates", templates, problem)
	controllers, problem := controllerstore.NewStorage(opts)
	add("replicationcontrollers", controllers.Controller, problem)
	add("replicationcontrollers/status", controllers.Status, nil)
	services, serviceStatus, _, problem := servicestore.NewREST(opts, api.IPv4Protocol, anyAddress, nodePorts, nil, pods.Pod, nil)
	add("services", services, problem)
	add("services/status", serviceStatus, nil)
	return info, err
}
