package servertest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	appsv1apply "k8s.io/client-go/applyconfigurations/apps/v1"
	autoscalingv1apply "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/prune-gen/prune-gen/kube/servertest"
)

const crds = "../../examples/apiserver/apis/crds"

var cronTabs = schema.GroupVersionResource{Group: "stable.example.com", Version: "v1", Resource: "crontabs"}

func cronTab(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": map[string]any{"name": name, "namespace": "default"},
		"spec": map[string]any{"cronSpec": "* * * * *", "image": "i", "unknown": true},
	}}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func client[T any](t *testing.T, config *rest.Config, new func(*rest.Config) (T, error)) T {
	t.Helper()
	c, err := new(config)
	check(t, err)
	return c
}

// As in docs/testing.md.
func TestExample(t *testing.T) {
	config := servertest.StartServer(t, []string{"../../examples/operator/config/crd/bases"})
	c := client(t, config, dynamic.NewForConfig).Resource(cronTabs).Namespace("default")
	_, err := c.Create(t.Context(), cronTab("a"), metav1.CreateOptions{})
	check(t, err)
}

func TestStartAndStop(t *testing.T) {
	server, err := servertest.Start(servertest.Options{CRDs: []string{"../../examples/operator/config/crd/bases"}})
	check(t, err)
	c := client(t, server.Config, kubernetes.NewForConfig).CoreV1().Pods("")
	_, err = c.List(t.Context(), metav1.ListOptions{})
	check(t, err)
	server.Stop()
	if _, err := c.List(t.Context(), metav1.ListOptions{}); err == nil {
		t.Error("the server answers after its end")
	}
}

// A CRD that the API server refuses, and a file without any, are named.
func TestStartRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"none.yaml":    {"kind: Other\n", "none.yaml: there is no CustomResourceDefinition"},
		"broken.yaml":  {"kind: [\n", "broken.yaml:1: invalid YAML"},
		"refused.yaml": {strings.Replace(thing, `"type": "object", "properties": {"image"`, `"properties": {"image"`, 1), `refused.yaml: CustomResourceDefinition.apiextensions.k8s.io "crontabs.stable.example.com" is invalid: spec.validation.openAPIV3Schema.properties[spec].type: Required value`},
	} {
		file := filepath.Join(dir, name)
		check(t, os.WriteFile(file, []byte(c.text), 0o600))
		s, err := servertest.Start(servertest.Options{CRDs: []string{file}})
		if err == nil {
			s.Stop()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestCustomResources(t *testing.T) {
	c := client(t, servertest.StartServer(t, []string{crds}), dynamic.NewForConfig).Resource(cronTabs).Namespace("default")
	obj, err := c.Create(t.Context(), cronTab("a"), metav1.CreateOptions{})
	check(t, err)
	if _, found, _ := unstructured.NestedBool(obj.Object, "spec", "unknown"); found {
		t.Error("an unknown field is kept")
	}
	_, err = c.Create(t.Context(), cronTab("a"), metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		t.Errorf("created twice: %v", err)
	}
	bad := cronTab("b")
	check(t, unstructured.SetNestedField(bad.Object, "no", "spec", "cronSpec"))
	if _, err := c.Create(t.Context(), bad, metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		t.Errorf("an invalid object: %v", err)
	}
}

// What controllers do with built-in kinds works over protobuf, which their clients speak by default.
func TestBuiltinKinds(t *testing.T) {
	config := rest.CopyConfig(servertest.StartServer(t, nil))
	config.ContentType = "application/vnd.kubernetes.protobuf"
	k := client(t, config, kubernetes.NewForConfig)
	ctx := t.Context()

	_, err := k.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "n"}}, metav1.CreateOptions{})
	check(t, err)
	_, err = k.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "No"}}, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) {
		t.Errorf("a bad name: %v", err)
	}
	secret, err := k.CoreV1().Secrets("n").Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{GenerateName: "s-"}, StringData: map[string]string{"a": "b"}}, metav1.CreateOptions{})
	check(t, err)
	if string(secret.Data["a"]) != "b" || secret.StringData != nil || !strings.HasPrefix(secret.Name, "s-") {
		t.Errorf("%+v", secret)
	}
	_, err = k.CoordinationV1().Leases("n").Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "l"}}, metav1.CreateOptions{})
	check(t, err)

	pod, err := k.CoreV1().Pods("n").Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Labels: map[string]string{"app": "x"}},
		Spec: corev1.PodSpec{NodeName: "node", Containers: []corev1.Container{{Name: "c", Image: "i"}}}, Status: corev1.PodStatus{Phase: corev1.PodRunning}}, metav1.CreateOptions{})
	check(t, err)
	if pod.Status.Phase != corev1.PodPending {
		t.Errorf("the phase of a new Pod is %q", pod.Status.Phase)
	}
	pod.Status.Phase = corev1.PodRunning
	pod.Spec.NodeName = "other"
	pod, err = k.CoreV1().Pods("n").UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	check(t, err)
	if pod.Status.Phase != corev1.PodRunning || pod.Spec.NodeName != "node" || pod.Generation != 1 {
		t.Errorf("status update: %+v", pod)
	}
	pod, err = k.CoreV1().Pods("n").Patch(ctx, "p", types.StrategicMergePatchType, []byte(`{"spec":{"containers":[{"name":"c","image":"j"},{"name":"d"}]}}`), metav1.PatchOptions{})
	check(t, err)
	if len(pod.Spec.Containers) != 2 || pod.Spec.Containers[0].Image != "j" || pod.Status.Phase != corev1.PodRunning || pod.Generation != 2 {
		t.Errorf("strategic merge patch: %+v", pod)
	}
	for selector, want := range map[string]int{"spec.nodeName=node": 1, "spec.nodeName!=node": 0, "status.phase=Running": 1, "metadata.name=q": 0} {
		list, err := k.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: selector, LabelSelector: "app=x"})
		check(t, err)
		if len(list.Items) != want {
			t.Errorf("%s: %d pods, want %d", selector, len(list.Items), want)
		}
	}
	if _, err := k.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "spec.hostname=x"}); !apierrors.IsBadRequest(err) {
		t.Errorf("an unknown selector: %v", err)
	}

	apply := corev1apply.ConfigMap("c", "n").WithData(map[string]string{"a": "1"})
	_, err = k.CoreV1().ConfigMaps("n").Apply(ctx, apply, metav1.ApplyOptions{FieldManager: "one"})
	check(t, err)
	_, err = k.CoreV1().ConfigMaps("n").Apply(ctx, corev1apply.ConfigMap("c", "n").WithData(map[string]string{"a": "2"}), metav1.ApplyOptions{FieldManager: "two"})
	if !apierrors.IsConflict(err) {
		t.Errorf("a field of another manager: %v", err)
	}
	merged, err := k.CoreV1().ConfigMaps("n").Apply(ctx, corev1apply.ConfigMap("c", "n").WithData(map[string]string{"b": "2"}), metav1.ApplyOptions{FieldManager: "two"})
	check(t, err)
	if len(merged.Data) != 2 {
		t.Errorf("applied by two: %v", merged.Data)
	}
	wrong := types.UID("wrong")
	if err := k.CoreV1().ConfigMaps("n").Delete(ctx, "c", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &wrong}}); !apierrors.IsConflict(err) {
		t.Errorf("deleted with a wrong UID: %v", err)
	}
}

// What envtest and controllers expect to find, and to be possible, on every API server.
func TestNewServer(t *testing.T) {
	k := client(t, servertest.StartServer(t, nil), kubernetes.NewForConfig)
	ctx := t.Context()
	for _, name := range []string{"default", "kube-node-lease", "kube-public", "kube-system"} {
		list, err := k.CoreV1().Namespaces().List(ctx, metav1.ListOptions{LabelSelector: "kubernetes.io/metadata.name=" + name, FieldSelector: "status.phase=Active"})
		check(t, err)
		if len(list.Items) != 1 || list.Items[0].Name != name {
			t.Errorf("%s: %v", name, list.Items)
		}
	}
	service, err := k.CoreV1().Services("default").Get(ctx, "kubernetes", metav1.GetOptions{})
	check(t, err)
	named, err := k.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "n-"}}, metav1.CreateOptions{})
	check(t, err)
	if named.Labels["kubernetes.io/metadata.name"] != named.Name {
		t.Errorf("labels of a namespace with a generated name: %v", named.Labels)
	}

	// A watch without a timeout lasts.
	w, err := k.CoreV1().Services("").Watch(ctx, metav1.ListOptions{})
	check(t, err)
	defer w.Stop()
	if event, ok := <-w.ResultChan(); !ok || event.Type != watch.Added || event.Object.(*corev1.Service).UID != service.UID {
		t.Errorf("%v, %v", event, ok)
	}
}

func TestActions(t *testing.T) {
	k := client(t, servertest.StartServer(t, nil), kubernetes.NewForConfig)
	ctx := t.Context()
	pods := k.CoreV1().Pods("default")
	create := func(name string) *corev1.Pod {
		t.Helper()
		pod, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		check(t, err)
		return pod
	}
	bind := func(name, node string, uid types.UID) error {
		return pods.Bind(ctx, &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: name, UID: uid}, Target: corev1.ObjectReference{Name: node}}, metav1.CreateOptions{})
	}
	evict := func(name string, opts *metav1.DeleteOptions) error {
		return pods.EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: name}, DeleteOptions: opts})
	}

	// A Pod on a Node stays until its kubelet ends it; others are deleted at once.
	create("free")
	check(t, evict("free", &metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}))
	check(t, evict("free", nil))
	if err := evict("free", nil); !apierrors.IsNotFound(err) {
		t.Errorf("evicted twice: %v", err)
	}
	pod := create("bound")
	if err := bind("bound", "node", "wrong"); !apierrors.IsConflict(err) {
		t.Errorf("bound with a wrong UID: %v", err)
	}
	check(t, bind("bound", "node", pod.UID))
	if err := bind("bound", "other", ""); !apierrors.IsConflict(err) {
		t.Errorf("bound twice: %v", err)
	}
	check(t, evict("bound", nil))
	pod, err := pods.Get(ctx, "bound", metav1.GetOptions{})
	check(t, err)
	if pod.Spec.NodeName != "node" || len(pod.Status.Conditions) != 1 || pod.DeletionTimestamp == nil || *pod.DeletionGracePeriodSeconds != 30 {
		t.Errorf("%+v", pod)
	}
	check(t, pods.Delete(ctx, "bound", *metav1.NewDeleteOptions(0)))
	if _, err := pods.Get(ctx, "bound", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("deleted without a grace period: %v", err)
	}

	accounts := k.CoreV1().ServiceAccounts("default")
	if _, err := accounts.CreateToken(ctx, "a", &authenticationv1.TokenRequest{}, metav1.CreateOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a token of nobody: %v", err)
	}
	_, err = accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
	check(t, err)
	token, err := accounts.CreateToken(ctx, "a", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	check(t, err)
	if token.Status.Token == "" || !token.Status.ExpirationTimestamp.After(token.CreationTimestamp.Time) {
		t.Errorf("%+v", token)
	}

	csrs := k.CertificatesV1().CertificateSigningRequests()
	csr, err := csrs.Create(ctx, &certificatesv1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "c"}}, metav1.CreateOptions{})
	check(t, err)
	csr.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{{Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue}}
	csr, err = csrs.UpdateApproval(ctx, "c", csr, metav1.UpdateOptions{})
	check(t, err)
	if len(csr.Status.Conditions) != 1 {
		t.Errorf("%+v", csr)
	}
}

// The subresource status changes metadata, too, except what the API server protects.
func TestStatusAndMetadata(t *testing.T) {
	k := client(t, servertest.StartServer(t, nil), kubernetes.NewForConfig)
	ctx := t.Context()
	patch := []byte(`{"metadata":{"annotations":{"a":"1"},"labels":{"l":"1"}},"spec":{"paused":true,"nodeName":"n"},"status":{"replicas":1}}`)
	_, err := k.AppsV1().Deployments("default").Create(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "d"}}, metav1.CreateOptions{})
	check(t, err)
	d, err := k.AppsV1().Deployments("default").Patch(ctx, "d", types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	check(t, err)
	if len(d.Annotations) != 1 || len(d.Labels) != 0 || d.Spec.Paused || d.Status.Replicas != 1 || d.Generation != 1 {
		t.Errorf("%+v", d)
	}
	_, err = k.StorageV1().VolumeAttachments().Create(ctx, &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: "v"}}, metav1.CreateOptions{})
	check(t, err)
	v, err := k.StorageV1().VolumeAttachments().Patch(ctx, "v", types.MergePatchType, []byte(`{"metadata":{"annotations":{"a":"1"}},"status":{"attached":true}}`), metav1.PatchOptions{}, "status")
	check(t, err)
	if len(v.Annotations) != 0 || !v.Status.Attached {
		t.Errorf("%+v", v)
	}
}

func TestScaleOfBuiltinKinds(t *testing.T) {
	k := client(t, servertest.StartServer(t, nil), kubernetes.NewForConfig)
	ctx, replicas := t.Context(), int32(2)
	created, err := k.AppsV1().Deployments("n").Create(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "d"},
		Spec: appsv1.DeploymentSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}}}, metav1.CreateOptions{})
	check(t, err)
	scale, err := k.AppsV1().Deployments("n").GetScale(ctx, "d", metav1.GetOptions{})
	check(t, err)
	if scale.Spec.Replicas != 2 || scale.Status.Selector != "a=b" {
		t.Errorf("%+v", scale)
	}
	scale.Spec.Replicas = 0
	_, err = k.AppsV1().Deployments("n").UpdateScale(ctx, "d", scale, metav1.UpdateOptions{})
	check(t, err)
	scale.ResourceVersion = created.ResourceVersion
	if _, err := k.AppsV1().Deployments("n").UpdateScale(ctx, "d", scale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("a stale scale: %v", err)
	}
	_, err = k.AppsV1().Deployments("n").Patch(ctx, "d", types.MergePatchType, []byte(`{"spec":{"replicas":5}}`), metav1.PatchOptions{}, "scale")
	check(t, err)
	d, err := k.AppsV1().Deployments("n").Get(ctx, "d", metav1.GetOptions{})
	check(t, err)
	if *d.Spec.Replicas != 5 || d.Generation != 3 {
		t.Errorf("replicas %d, generation %d", *d.Spec.Replicas, d.Generation)
	}

	// Applied replicas belong to who applied them, also in the object itself.
	apply := autoscalingv1apply.Scale().WithName("d").WithSpec(autoscalingv1apply.ScaleSpec().WithReplicas(7))
	if _, err := k.AppsV1().Deployments("n").ApplyScale(ctx, "d", apply, metav1.ApplyOptions{FieldManager: "me"}); !apierrors.IsConflict(err) {
		t.Errorf("replicas of another manager: %v", err)
	}
	_, err = k.AppsV1().Deployments("n").ApplyScale(ctx, "d", apply, metav1.ApplyOptions{FieldManager: "me", Force: true})
	check(t, err)
	_, err = k.AppsV1().Deployments("n").Apply(ctx, appsv1apply.Deployment("d", "n").WithSpec(appsv1apply.DeploymentSpec().WithReplicas(8)), metav1.ApplyOptions{FieldManager: "you"})
	if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `"me"`) {
		t.Errorf("replicas that were applied to the scale: %v", err)
	}
}

// Discovery lists what a cluster serves by default, and CRDs that clients create, at once.
// Informers list and watch, of built-in kinds by protobuf.
func TestInformers(t *testing.T) {
	k := client(t, servertest.StartServer(t, nil), kubernetes.NewForConfig)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	factory := informers.NewSharedInformerFactory(k, 0)
	lister := factory.Core().V1().ConfigMaps().Lister()
	informer := factory.Core().V1().ConfigMaps().Informer()
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	defer cancel()
	factory.WaitForCacheSync(ctx.Done())
	_, err := k.CoreV1().ConfigMaps("n").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "c"}}, metav1.CreateOptions{})
	check(t, err)
	for informer.HasSynced() {
		if _, err := lister.ConfigMaps("n").Get("c"); err == nil {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("the informer does not see the object")
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("not synced")
}

// Whatever the order of writes of a CRD is, its kind is served as the CRD is stored at the end.
// A CRD of a built-in group would hide the built-in kinds.
// Selectors and generations are those of the API server, which has rules of its own for some kinds.
func TestSelectorsAndGenerations(t *testing.T) {
	k := client(t, servertest.StartServer(t, nil), kubernetes.NewForConfig)
	ctx := t.Context()
	node, err := k.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Status: corev1.NodeStatus{Phase: "x"}}, metav1.CreateOptions{})
	check(t, err)
	if node.Status.Phase != "x" || node.Generation != 0 {
		t.Errorf("a node begins with %+v", node)
	}
	list, err := k.CoreV1().Nodes().List(ctx, metav1.ListOptions{FieldSelector: "spec.unschedulable=false"})
	check(t, err)
	if len(list.Items) != 1 {
		t.Error("a node is not selected by a value that it does not have to have")
	}
	event, err := k.CoreV1().Events("d").Create(ctx, &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: "e", Namespace: "d"}, Source: corev1.EventSource{Component: "c"}}, metav1.CreateOptions{})
	check(t, err)
	events, err := k.CoreV1().Events("d").List(ctx, metav1.ListOptions{FieldSelector: "source=c,reason="})
	check(t, err)
	if len(events.Items) != 1 || event.Generation != 0 {
		t.Errorf("events of a component: %v", events.Items)
	}
	job, err := k.BatchV1().Jobs("d").Create(ctx, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "j"}}, metav1.CreateOptions{})
	check(t, err)
	job.Status.Succeeded = 2
	_, err = k.BatchV1().Jobs("d").UpdateStatus(ctx, job, metav1.UpdateOptions{})
	check(t, err)
	jobs, err := k.BatchV1().Jobs("d").List(ctx, metav1.ListOptions{FieldSelector: "status.successful=2"})
	check(t, err)
	if len(jobs.Items) != 1 {
		t.Error("a job is not selected by its successes")
	}
	policy, err := k.NetworkingV1().NetworkPolicies("d").Create(ctx, &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p"}}, metav1.CreateOptions{})
	check(t, err)
	policy.Spec.PolicyTypes = []networkingv1.PolicyType{"Ingress"}
	changed, err := k.NetworkingV1().NetworkPolicies("d").Update(ctx, policy, metav1.UpdateOptions{})
	check(t, err)
	changed.Labels = map[string]string{"a": "b"}
	labelled, err := k.NetworkingV1().NetworkPolicies("d").Update(ctx, changed, metav1.UpdateOptions{})
	check(t, err)
	if policy.Generation != 1 || changed.Generation != 2 || labelled.Generation != 2 {
		t.Errorf("generations %d, %d, %d", policy.Generation, changed.Generation, labelled.Generation)
	}
}
