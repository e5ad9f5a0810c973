package caches

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/prune-gen/prune-gen/hack/apiserver/caches/projections"
	"github.com/prune-gen/prune-gen/kube"
)

// Each trap of docs/memory.md does what the page says, and ReadOnly is in front of it.
func TestTraps(t *testing.T) {
	restConfig := start(t)
	c := newClient(t, restConfig)
	like := parse[corev1.Pod](podText)
	like.GenerateName, like.Finalizers = "", []string{"example.com/theirs"}
	names := 0
	// from returns a Pod as it is on the server and as it is in a cache.
	from := func(t *testing.T, project func(*corev1.Pod)) (server, cached *corev1.Pod) {
		t.Helper()
		names++
		server = stored(t, c, like, "p"+string(rune('a'+names)))
		cached = server.DeepCopy()
		project(cached)
		return server, cached
	}
	now := func(t *testing.T, p *corev1.Pod) *corev1.Pod {
		t.Helper()
		out := &corev1.Pod{}
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(p), out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	check := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	refused := func(t *testing.T, err error) {
		t.Helper()
		if !isRefused(err) {
			t.Errorf("it is not refused: %v", err)
		}
	}

	t.Run("finalizers", func(t *testing.T) {
		drop := func(p *corev1.Pod) { p.Finalizers = nil }
		_, cached := from(t, drop)
		before := cached.DeepCopy()
		controllerutil.AddFinalizer(cached, "example.com/ours")
		refused(t, guarded(t, restConfig, drop).Patch(t.Context(), cached.DeepCopy(), client.MergeFrom(before)))
		check(t, c.Patch(t.Context(), cached.DeepCopy(), client.MergeFrom(before)))
		if is := now(t, cached).Finalizers; len(is) != 1 {
			t.Errorf("the finalizers of others are still there: %v", is)
		}
		// The generated function keeps them.
		_, cached = from(t, projections.ForScheduling)
		before = cached.DeepCopy()
		controllerutil.AddFinalizer(cached, "example.com/ours")
		check(t, guarded(t, restConfig, projections.ForScheduling).Patch(t.Context(), cached, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})))
		if is := now(t, cached).Finalizers; len(is) != 2 {
			t.Errorf("finalizers: %v", is)
		}
	})
	g := guarded(t, restConfig, projections.ForScheduling)
	t.Run("merge patch of a list", func(t *testing.T) {
		_, cached := from(t, projections.ForScheduling)
		before := cached.DeepCopy()
		cached.Spec.Containers = cached.Spec.Containers[:1]
		refused(t, g.Patch(t.Context(), cached.DeepCopy(), client.MergeFrom(before)))
		check(t, c.Patch(t.Context(), cached.DeepCopy(), client.MergeFrom(before)))
		if is := now(t, cached).Spec.Containers[0].Image; is != "" {
			t.Errorf("the other container still has the image %s", is)
		}
	})
	t.Run("update", func(t *testing.T) {
		_, cached := from(t, projections.ForScheduling)
		cached.Labels["a"] = "b"
		refused(t, g.Update(t.Context(), cached.DeepCopy()))
		_, err := controllerutil.CreateOrUpdate(t.Context(), g, cached.DeepCopy(), func() error { return nil })
		check(t, err) // it has read the object from the server and found no change
		check(t, c.Update(t.Context(), cached.DeepCopy()))
		if is := now(t, cached).Spec.Volumes; is != nil {
			t.Errorf("the volumes are still there: %v", is)
		}
	})
	t.Run("status", func(t *testing.T) {
		_, cached := from(t, projections.ForScheduling)
		before := cached.DeepCopy()
		cached.Status.Phase = corev1.PodFailed
		refused(t, g.Status().Update(t.Context(), cached.DeepCopy()))
		check(t, g.Status().Patch(t.Context(), cached.DeepCopy(), client.MergeFrom(before)))
		if is := now(t, cached).Status; is.Phase != corev1.PodFailed || is.ContainerStatuses == nil {
			t.Errorf("after a patch: %v", is)
		}
		cached.ResourceVersion = ""
		check(t, c.Status().Update(t.Context(), cached.DeepCopy()))
		is := now(t, cached)
		if is.Status.ContainerStatuses != nil || is.Spec.Volumes == nil {
			t.Errorf("the server does not ignore the rest, or keeps the status: %v", is)
		}
	})
	t.Run("apply", func(t *testing.T) {
		for name, drop := range map[string]func(*corev1.Pod){
			"without managedFields": func(p *corev1.Pod) { p.ManagedFields = nil },
			"with managedFields":    func(p *corev1.Pod) { p.Annotations = nil },
		} {
			names++
			config := applycorev1.Pod("applied"+string(rune('a'+names)), "default").WithAnnotations(map[string]string{"ours": "1"}).WithLabels(map[string]string{"ours": "1"})
			check(t, c.Apply(t.Context(), config, client.FieldOwner("us")))
			pod := now(t, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: *config.Name}})
			drop(pod)
			extracted, err := applycorev1.ExtractPod(pod, "us")
			check(t, err)
			extracted.WithLabels(map[string]string{"more": "1"})
			refused(t, guarded(t, restConfig, drop).Apply(t.Context(), extracted, client.FieldOwner("us")))
			check(t, c.Apply(t.Context(), extracted, client.FieldOwner("us")))
			if is := now(t, pod); is.Annotations["ours"] != "" {
				t.Errorf("%s, what was applied before is still there: %v", name, is.ObjectMeta)
			}
		}
	})
	t.Run("zero", func(t *testing.T) {
		_, cached := from(t, projections.ForScheduling)
		before := cached.DeepCopy()
		cached.Spec.ServiceAccountName = ""
		data, err := client.MergeFrom(before).Data(cached)
		check(t, err)
		if string(data) != "{}" {
			t.Errorf("the patch is %s", data)
		}
	})
	t.Run("new struct", func(t *testing.T) {
		drop := func(p *corev1.Pod) { p.Status.ExtendedResourceClaimStatus = nil }
		server, cached := from(t, drop)
		server.Status.ExtendedResourceClaimStatus = &corev1.PodExtendedResourceClaimStatus{
			RequestMappings: []corev1.ContainerExtendedResourceRequest{{ContainerName: "checkout", ResourceName: "example.com/gpu", RequestName: "r"}}}
		check(t, c.Status().Update(t.Context(), server))
		before := cached.DeepCopy()
		cached.Status.ExtendedResourceClaimStatus = &corev1.PodExtendedResourceClaimStatus{ResourceClaimName: "claim"}
		refused(t, guarded(t, restConfig, drop).Status().Patch(t.Context(), cached.DeepCopy(), client.MergeFrom(before)))
		check(t, c.Status().Patch(t.Context(), cached.DeepCopy(), client.MergeFrom(before)))
		if is := now(t, cached).Status.ExtendedResourceClaimStatus; is.RequestMappings != nil {
			t.Errorf("what was not changed is still there: %v", is)
		}
	})
	t.Run("JSON patch", func(t *testing.T) {
		drop := func(p *corev1.Pod) { p.Labels = nil }
		_, cached := from(t, drop)
		before := cached.DeepCopy()
		cached.Labels = map[string]string{"ours": "1"}
		patch := jsonPatch(before, cached)
		refused(t, guarded(t, restConfig, drop).Patch(t.Context(), cached.DeepCopy(), patch))
		check(t, c.Patch(t.Context(), cached.DeepCopy(), patch))
		if is := now(t, cached).Labels; len(is) != 1 {
			t.Errorf("the labels of others are still there: %v", is)
		}
	})
	t.Run("what passes", func(t *testing.T) {
		pod, _ := from(t, projections.ForScheduling)
		check(t, g.DeleteAllOf(t.Context(), pod, client.InNamespace("other")))
		check(t, g.Delete(t.Context(), pod.DeepCopy(), client.Preconditions{ResourceVersion: &pod.ResourceVersion}))
		created := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "new", Namespace: "default"}}
		check(t, g.Create(t.Context(), created))
		_, err := controllerutil.CreateOrPatch(t.Context(), g, created, func() error { created.Spec.NodeName = "n"; return nil })
		check(t, err)
		check(t, g.Get(t.Context(), client.ObjectKeyFromObject(created), created))
		if created.Spec.NodeName != "n" {
			t.Errorf("%v", created.Spec)
		}
	})
}

// As in docs/memory.md.
func TestExample(t *testing.T) {
	config := start(t)
	stored(t, newClient(t, config), parse[corev1.Pod](podText), "a")
	ForScheduling := projections.ForScheduling

	options := cache.Options{DefaultTransform: cache.TransformStripManagedFields()}
	options.ByObject = map[client.Object]cache.ByObject{
		&corev1.Pod{}: {Transform: kube.Project(ForScheduling)},
	}
	config.Wrap(kube.ReadOnly(corev1.Resource("pods"), ForScheduling))

	pods, err := cache.New(config, options)
	must(err)
	go pods.Start(t.Context())
	if _, err := pods.GetInformer(t.Context(), &corev1.Pod{}); err != nil || !pods.WaitForCacheSync(t.Context()) {
		t.Fatalf("the cache does not start: %v", err)
	}
	c, err := client.New(config, client.Options{Cache: &client.CacheOptions{Reader: pods}})
	must(err)
	pod := &corev1.Pod{}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "a"}, pod); err != nil || pod.Spec.Volumes != nil || pod.Spec.NodeName == "" {
		t.Fatalf("%v, %v", pod, err)
	}
	if err := c.Update(t.Context(), pod); !isRefused(err) {
		t.Errorf("it is not refused: %v", err)
	}
	base := pod.DeepCopy()
	pod.Status.Phase = corev1.PodFailed
	if err := c.Status().Patch(t.Context(), pod, client.MergeFrom(base)); err != nil {
		t.Error(err)
	}
}

// All that use a factory of informers see its projected objects, and an informer that runs takes no other transform.
func TestSharedInformers(t *testing.T) {
	config := start(t)
	like := parse[corev1.Pod](podText)
	like.GenerateName = ""
	stored(t, newClient(t, config), like, "a")
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	factory := informers.NewSharedInformerFactory(clients, 50*time.Millisecond)
	ours := factory.Core().V1().Pods().Informer()
	if err := ours.SetTransform(kube.Project(projections.ForScheduling)); err != nil {
		t.Fatal(err)
	}
	library := factory.Core().V1().Pods().Lister()
	factory.StartWithContext(t.Context())
	factory.WaitForCacheSync(t.Context().Done())
	pod, err := library.Pods("default").Get("a")
	if err != nil || pod.Spec.Volumes != nil || pod.Spec.NodeName == "" {
		t.Errorf("the library sees %v, %v", pod, err)
	}
	if err := ours.SetTransform(func(in any) (any, error) { return in, nil }); err == nil {
		t.Error("a running informer takes another transform")
	}
}
