package apiserver

import (
	"fmt"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// scenario is what an author of operators does, and what an API server answers.
type scenario struct {
	name string
	play func(*stage)
}

var scenarios = []scenario{
	{"apply again with a field that has a default", func(s *stage) {
		s.apply("me", s.site("a", `{"domain":"a.org"}`))
		s.managers("a")
		s.apply("me", s.site("a", `{"domain":"a.org","tier":"free"}`))
		s.apply("you", s.site("a", `{"replicas":2}`))
		s.apply("me", s.site("a", `{"domain":"a.org"}`))
		s.managers("a")
	}},
	{"apply a label to the object of another", func(s *stage) {
		s.create(s.site("a", `{"tier":"paid"}`))
		labelled := s.site("a", "")
		labelled.SetLabels(map[string]string{"k": "v"})
		s.apply("me", labelled)
		s.managers("a")
	}},
	{"apply a Go type with a field that has no omitempty", func(s *stage) {
		s.create(s.site("a", `{"domain":"a.org"}`))
		site := &Site{TypeMeta: metav1.TypeMeta{APIVersion: scenarioGroup.String(), Kind: "Site"},
			ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: "a", Labels: map[string]string{"k": "v"}}}
		//lint:ignore SA1019 controllers still use it
		s.said("patch", s.Patch(s.ctx, site.DeepCopyObject().(*Site), client.Apply, client.FieldOwner("me")))
		site.Spec.Domain = "a.org"
		//lint:ignore SA1019 controllers still use it
		s.said("patch", s.Patch(s.ctx, site, client.Apply, client.FieldOwner("me")), site)
		s.managers("a")
	}},
	{"apply to an atomic map", func(s *stage) {
		s.apply("me", s.site("a", `{"limits":{"cpu":"1"}}`))
		s.apply("you", s.site("a", `{"limits":{"memory":"2"}}`))
		s.apply("you", s.site("a", `{"limits":{"memory":"2"}}`), client.ForceOwnership)
		s.managers("a")
	}},
	{"apply to a list of type map", func(s *stage) {
		s.apply("me", s.site("a", `{"ports":[{"name":"http","port":80}]}`))
		s.apply("you", s.site("a", `{"ports":[{"name":"https","port":443}]}`))
		s.apply("you", s.site("a", `{"ports":[{"name":"https","port":443},{"name":"http","port":81}]}`))
		s.apply("you", s.site("a", `{"ports":[{"name":"https","port":443},{"name":"http","port":81}]}`), client.ForceOwnership)
		s.managers("a")
		s.apply("me", s.site("a", `{}`))
		s.apply("you", s.site("a", `{"ports":[{"name":"http","port":81},{"name":"http","port":82}]}`))
		s.apply("you", s.site("a", `{"ports":[{"port":81}]}`))
	}},
	{"apply to a set", func(s *stage) {
		s.apply("me", s.site("a", `{"tags":["x","y"]}`))
		s.apply("you", s.site("a", `{"tags":["y","z"]}`))
		s.apply("me", s.site("a", `{"tags":["x"]}`))
		s.apply("me", s.site("a", `{}`))
		s.managers("a")
	}},
	{"the same apply twice", func(s *stage) {
		s.apply("me", s.site("a", `{"domain":"a.org","ports":[{"name":"http"}]}`))
		s.apply("me", s.site("a", `{"domain":"a.org","ports":[{"name":"http"}]}`))
		s.apply("you", s.site("a", `{"domain":"a.org"}`))
		s.apply("you", s.site("a", `{"domain":"a.org"}`))
	}},
	{"watch an object that is applied", func(s *stage) {
		events := s.watch("Gadget/v2")
		s.apply("me", s.of("Gadget/v2", "a", `{"new":"x"}`))
		s.apply("me", s.of("Gadget/v2", "a", `{"new":"x"}`))
		s.apply("me", s.of("Gadget/v2", "a", `{"new":"y"}`))
		s.apply("end", s.of("Gadget/v2", "end", `{}`))
		events("end")
	}},
	{"watch an object of a Go type", func(s *stage) {
		events := s.watchFrom(&SiteList{}, s.list("watch", "Site").GetResourceVersion())
		s.create(s.site("a", `{"domain":"a.org","ports":[{"name":"http"}]}`))
		u := s.get("Site", "a")
		u.Object["status"] = map[string]any{"phase": "ready"}
		s.said("status", s.Status().Update(s.ctx, u), u)
		s.said("delete", s.Delete(s.ctx, u))
		s.create(s.site("end", `{}`))
		events("end")
	}},
	{"watch an object without its Go type", func(s *stage) {
		events := s.watch("Site")
		s.create(s.site("a", `{"domain":"a.org","ports":[{"name":"http"}]}`))
		s.create(s.site("end", `{}`))
		events("end")
	}},
	{"watch an object that is deleted", func(s *stage) {
		events := s.watch("Gadget/v2")
		u := s.of("Gadget/v2", "a", `{}`)
		u.SetFinalizers([]string{"example.com/one"})
		s.create(u)
		s.said("delete", s.Delete(s.ctx, u.DeepCopy()))
		u = s.get("Gadget/v2", "a")
		u.SetFinalizers(nil)
		s.update(u)
		s.create(s.of("Gadget/v2", "end", `{}`))
		events("end")
	}},
	{"give up a field that has a default, and one that another has", func(s *stage) {
		s.apply("me", s.site("a", `{"replicas":3,"domain":"a.org","secure":true}`))
		s.apply("you", s.site("a", `{"domain":"a.org"}`))
		s.apply("me", s.site("a", `{}`))
		s.managers("a")
	}},
	{"apply the status", func(s *stage) {
		withStatus := s.site("a", `{"domain":"a.org"}`)
		withStatus.Object["status"] = map[string]any{"phase": "ignored"}
		s.apply("me", withStatus)
		status := func(phase string) *unstructured.Unstructured {
			u := s.site("a", "")
			u.Object["status"] = map[string]any{"phase": phase}
			return u
		}
		for _, owner := range []string{"me", "you"} {
			u := status("by " + owner)
			err := s.Status().Apply(s.ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(owner))
			s.said(owner+" applies the status", err, u)
		}
		s.apply("me", s.site("a", `{}`))
		s.managers("a")
		none := s.site("none", "")
		s.said("apply the status of nothing", s.Status().Apply(s.ctx, client.ApplyConfigurationFromUnstructured(none), client.FieldOwner("me")))
	}},
	{"apply what an update owns", func(s *stage) {
		s.create(s.site("a", `{"domain":"a.org","tags":["x"]}`))
		u := s.get("Site", "a")
		unstructured.SetNestedField(u.Object, "b.org", "spec", "domain")
		s.update(u)
		s.managers("a")
		s.apply("me", s.site("a", `{"domain":"c.org"}`))
		s.apply("me", s.site("a", `{"domain":"c.org"}`), client.ForceOwnership)
		u = s.get("Site", "a")
		unstructured.SetNestedField(u.Object, "d.org", "spec", "domain")
		s.update(u)
		s.managers("a")
	}},
	{"apply what is wrong", func(s *stage) {
		s.apply("me", s.site("a", `{"odd":1,"domain":"a.org"}`))
		s.apply("me", s.site("a", `{"ports":[{"name":"http","odd":1}]}`))
		s.apply("me", s.site("a", `{"domain":1}`))
		s.apply("me", s.site("a", `{"ports":{"name":"http"}}`))
		s.apply("me", s.site("a", `{"replicas":11}`))
		s.apply("me", s.site("a", `{"replicas":null}`))
		s.apply("", s.site("a", `{}`))
		owned := s.site("a", `{}`)
		owned.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "x", Operation: "Apply", APIVersion: scenarioGroup.String(), FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1("{}")}})
		s.apply("me", owned)
		known := s.site("a", `{}`)
		known.SetUID("11111111-2222-3333-4444-555555555555")
		s.apply("me", known)
		s.apply("me", s.site("a", `{}`))
		versioned := s.site("a", `{"domain":"a.org"}`)
		versioned.SetResourceVersion("1000000")
		s.apply("me", versioned)
		s.apply("me", s.site("a", `{"options":{"level":"high","template":{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"k":"v"}},"data":{"k":[1]}}}}`))
		s.managers("a")
	}},
	{"delete with preconditions", func(s *stage) {
		s.create(s.site("a", `{}`))
		u := s.get("Site", "a")
		other, version := types.UID("11111111-2222-3333-4444-555555555555"), "1000000"
		uid, rv := u.GetUID(), u.GetResourceVersion()
		s.said("delete another UID", s.Delete(s.ctx, u.DeepCopy(), client.Preconditions{UID: &other}))
		s.said("delete another version", s.Delete(s.ctx, u.DeepCopy(), client.Preconditions{UID: &uid, ResourceVersion: &version}))
		s.get("Site", "a")
		s.said("delete", s.Delete(s.ctx, u.DeepCopy(), client.Preconditions{UID: &uid, ResourceVersion: &rv}))
		s.get("Site", "a")
		s.said("delete again", s.Delete(s.ctx, u.DeepCopy()))
	}},
	{"delete with finalizers", func(s *stage) {
		u := s.site("a", `{}`)
		u.SetFinalizers([]string{"example.com/one"})
		s.create(u)
		s.said("delete", s.Delete(s.ctx, u.DeepCopy()))
		u = s.get("Site", "a")
		s.said("delete again", s.Delete(s.ctx, u.DeepCopy()))
		u = s.get("Site", "a")
		u.SetFinalizers([]string{"example.com/one", "example.com/two"})
		s.update(u)
		u = s.get("Site", "a")
		unstructured.SetNestedField(u.Object, "a.org", "spec", "domain")
		s.update(u)
		u.SetFinalizers(nil)
		s.update(u)
		s.get("Site", "a")
	}},
	{"delete in the foreground, and orphan", func(s *stage) {
		for _, policy := range []metav1.DeletionPropagation{metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan, metav1.DeletePropagationBackground} {
			name := strings.ToLower(string(policy))
			s.create(s.site(name, `{}`))
			s.said("delete "+name, s.Delete(s.ctx, s.site(name, ""), client.PropagationPolicy(policy)))
			s.get("Site", name)
		}
		kept := s.site("kept", `{}`)
		kept.SetFinalizers([]string{"example.com/one"})
		s.create(kept)
		s.said("delete", s.Delete(s.ctx, kept, client.PropagationPolicy(metav1.DeletePropagationForeground)))
		s.said("delete otherwise", s.Delete(s.ctx, kept, client.PropagationPolicy(metav1.DeletePropagationOrphan)))
		s.get("Site", "kept")
		u := s.get("Site", "foreground")
		u.SetFinalizers(nil)
		s.update(u)
		s.get("Site", "foreground")
		s.said("delete oddly", s.Delete(s.ctx, kept, client.PropagationPolicy("Odd")))
	}},
	{"delete a collection", func(s *stage) {
		for i, tier := range []string{"free", "paid", "free"} {
			u := s.site(fmt.Sprintf("a%d", i), `{"tier":"`+tier+`"}`)
			u.SetLabels(map[string]string{"tier": tier})
			if i == 2 {
				u.SetFinalizers([]string{"example.com/one"})
			}
			s.create(u)
		}
		all := func(opts ...client.DeleteAllOfOption) {
			s.said("delete all", s.DeleteAllOf(s.ctx, s.site("", ""), append(opts, client.InNamespace(s.namespace))...))
			s.list("left", "Site")
		}
		all(client.MatchingFields{"metadata.name": "none"})
		all(client.MatchingLabels{"tier": "paid"}, client.DryRunAll)
		all(client.MatchingLabels{"tier": "paid"})
		all()
		s.get("Site", "a2")
	}},
	{"read and write the scale", func(s *stage) {
		s.create(s.site("a", `{"replicas":2}`))
		u := s.get("Site", "a")
		u.Object["status"] = map[string]any{"replicas": int64(1), "selector": "app=a"}
		s.said("status", s.Status().Update(s.ctx, u), u)
		a := &Site{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: s.namespace}}
		scale := &autoscalingv1.Scale{}
		if s.said("get", s.SubResource("scale").Get(s.ctx, a, scale), scale) {
			scale.Spec.Replicas = 3
		}
		s.said("update", s.SubResource("scale").Update(s.ctx, a, client.WithSubResourceBody(scale), client.FieldOwner("scaler")), scale)
		s.get("Site", "a") // this server has no merge types for a Scale, so who owns the replicas is not compared
		for _, replicas := range []int32{11, -1} {
			refused := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: s.namespace}, Spec: autoscalingv1.ScaleSpec{Replicas: replicas}}
			s.said("update", s.SubResource("scale").Update(s.ctx, a, client.WithSubResourceBody(refused)))
		}
		stale := scale.DeepCopy()
		stale.ResourceVersion, stale.Spec.Replicas = u.GetResourceVersion(), 4
		s.said("update of an old version", s.SubResource("scale").Update(s.ctx, a, client.WithSubResourceBody(stale)))
		a.Name = "none"
		s.said("get nothing", s.SubResource("scale").Get(s.ctx, a, &autoscalingv1.Scale{}))
		z := s.of("Zone", s.namespace, `{}`)
		s.create(z)
		untyped := newObject("Scale", "", nil)
		s.said("get of a kind without", s.SubResource("scale").Get(s.ctx, z, untyped))
		s.said("update of a kind without", s.SubResource("scale").Update(s.ctx, z, client.WithSubResourceBody(untyped)))
	}},
	{"patch the scale", func(s *stage) {
		s.create(s.site("a", `{}`))
		a := &Site{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: s.namespace}}
		scale := &autoscalingv1.Scale{}
		patch := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"replicas":5}}`))
		s.said("patch", s.SubResource("scale").Patch(s.ctx, a, patch, client.WithSubResourceBody(scale)), scale)
		s.get("Site", "a")
		patch = client.RawPatch(types.MergePatchType, []byte(`{"spec":{"replicas":11}}`))
		s.said("patch", s.SubResource("scale").Patch(s.ctx, a, patch, client.WithSubResourceBody(scale)))
	}},
	{"read the status", func(s *stage) {
		s.create(s.site("a", `{}`))
		u := s.site("a", "")
		s.said("get", s.SubResource("status").Get(s.ctx, s.site("a", ""), u), u)
		typed := &Site{}
		s.said("get", s.SubResource("status").Get(s.ctx, &Site{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: s.namespace}}, typed), typed)
		s.said("get nothing", s.SubResource("status").Get(s.ctx, s.site("none", ""), s.site("none", "")))
		z := s.of("Zone", s.namespace, `{}`)
		s.create(z)
		s.said("get of a kind without", s.SubResource("status").Get(s.ctx, z.DeepCopy(), z))
	}},
	{"update the spec and the status", func(s *stage) {
		u := s.site("a", `{}`)
		u.Object["status"] = map[string]any{"phase": "ignored"}
		s.create(u)
		unstructured.SetNestedField(u.Object, "ignored", "status", "phase")
		unstructured.SetNestedField(u.Object, "a.org", "spec", "domain")
		s.update(u)
		unstructured.SetNestedField(u.Object, "ready", "status", "phase")
		unstructured.SetNestedField(u.Object, "ignored", "spec", "domain")
		u.SetLabels(map[string]string{"also": "ignored"})
		s.said("status", s.Status().Update(s.ctx, u, client.FieldOwner("status")), u)
		u.SetLabels(map[string]string{"k": "v"})
		s.update(u)
		s.managers("a")
		z := s.of("Zone", s.namespace, `{"color":"red"}`)
		z.Object["status"] = map[string]any{"phase": "kept"}
		s.create(z)
		s.said("status of a kind without", s.Status().Update(s.ctx, z))
	}},
	{"list by fields", func(s *stage) {
		for i, tier := range []string{"free", "paid", "free"} {
			s.create(s.site(fmt.Sprintf("a%d", i), fmt.Sprintf(`{"tier":%q,"replicas":%d}`, tier, i)))
		}
		s.create(s.of("Gadget", "a0", `{"size":1}`))
		for _, selector := range []string{
			"spec.tier=free", "spec.tier!=free", "spec.replicas=1", "metadata.name=a1", "metadata.name!=a1", "metadata.namespace=" + s.namespace, "metadata.namespace=other",
			"spec.tier=free,metadata.name!=a0", "spec.tier=free,metadata.name=a1",
		} {
			s.list(selector, "Site", client.MatchingFieldsSelector{Selector: fields.ParseSelectorOrDie(selector)})
		}
		s.list("of another kind", "Gadget", client.MatchingFields{"metadata.name": "a0"})
	}},
	{"list by a field that cannot be selected", func(s *stage) {
		s.list("spec.domain", "Site", client.MatchingFields{"spec.domain": ""})
	}},
	{"list by labels", func(s *stage) {
		for i, tier := range []string{"free", "paid", ""} {
			u := s.site(fmt.Sprintf("a%d", i), `{}`)
			if tier != "" {
				u.SetLabels(map[string]string{"tier": tier})
			}
			s.create(u)
		}
		for _, selector := range []string{"tier=free", "tier!=free", "tier in (free,paid)", "!tier", "tier"} {
			l, err := labels.Parse(selector)
			if err != nil {
				s.t.Fatal(err)
			}
			s.list(selector, "Site", client.MatchingLabelsSelector{Selector: l})
		}
		s.list("both", "Site", client.MatchingLabels{"tier": "free"}, client.MatchingFields{"metadata.name": "a1"})
		typed := &SiteList{}
		if s.said("typed", s.List(s.ctx, typed, client.InNamespace(s.namespace), client.HasLabels{"tier"})) {
			for _, item := range typed.Items {
				s.note("  %s", s.text(&item))
			}
		}
	}},
	{"watch with a selector", func(s *stage) {
		byLabel := s.watch("Site", client.MatchingLabels{"k": "v"})
		byField := s.watch("Site", client.MatchingFields{"spec.tier": "paid"})
		byName := s.watch("Site", client.MatchingFields{"metadata.name": "b"})
		s.create(s.site("a", `{}`))
		s.create(s.site("b", `{}`))
		u := s.get("Site", "a")
		for _, step := range []string{"v", "v2", "v"} {
			u.SetLabels(map[string]string{"k": step})
			tier := "free"
			if step == "v2" {
				tier = "paid"
			}
			unstructured.SetNestedField(u.Object, tier, "spec", "tier")
			s.update(u)
		}
		s.said("delete", s.Delete(s.ctx, u))
		s.said("delete", s.Delete(s.ctx, s.site("b", "")))
		end := s.site("end", `{"tier":"paid"}`)
		end.SetLabels(map[string]string{"k": "v"})
		s.create(end)
		s.create(s.site("b", `{}`))
		s.note("by label")
		byLabel("end")
		s.note("by field")
		byField("end")
		s.note("by name")
		byName("b")
		byName("b")
	}},
	{"watch without a version", func(s *stage) {
		s.create(s.site("a", `{}`))
		s.create(s.site("b", `{}`))
		events := s.watchFrom(listOf("Site"), "")
		events("b")
		s.create(s.site("c", `{}`))
		s.create(s.site("end", `{}`))
		events("end")
	}},
	{"the version of a deletion", func(s *stage) {
		u := s.of("Gadget/v2", "a", `{}`)
		s.create(u)
		w, err := s.Watch(s.ctx, listOf("Gadget/v2"), client.InNamespace(s.namespace), &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: u.GetResourceVersion()}})
		if err != nil {
			s.t.Fatal(err)
		}
		defer w.Stop()
		s.said("delete", s.Delete(s.ctx, u.DeepCopy()))
		e := <-w.ResultChan()
		s.note("%s, of another version: %t", e.Type, e.Object.(client.Object).GetResourceVersion() != u.GetResourceVersion())
	}},
	{"change managedFields", func(s *stage) {
		s.apply("me", s.site("a", `{"domain":"a.org"}`))
		u := s.get("Site", "a")
		u.SetManagedFields(nil)
		s.update(u)
		s.managers("a")
		u.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "me", Operation: "Update", APIVersion: scenarioGroup.String(), FieldsType: "FieldsV1",
			FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:domain":{}}}`)}})
		s.update(u)
		s.managers("a")
		patch := client.RawPatch(types.JSONPatchType, []byte(`[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`))
		s.said("patch", s.Patch(s.ctx, u, patch, client.FieldOwner("patcher")), u)
		s.managers("a")
		s.apply("me", s.site("a", `{"domain":"b.org"}`))
	}},
	{"watch from the version of a list", func(s *stage) {
		s.create(s.site("a", `{}`))
		l := s.list("list", "Site")
		s.create(s.site("b", `{}`))
		s.said("delete", s.Delete(s.ctx, s.site("a", "")))
		events := s.watchFrom(listOf("Site"), l.GetResourceVersion())
		s.create(s.site("end", `{}`))
		events("end")
	}},
	{"list in pages", func(s *stage) {
		for i := range 5 {
			s.create(s.site(fmt.Sprintf("a%d", i), `{}`))
		}
		next := ""
		for range 3 {
			l := s.list("page", "Site", client.Limit(2), client.Continue(next))
			next = l.GetContinue()
			left := int64(-1)
			if n := l.GetRemainingItemCount(); n != nil {
				left = *n
			}
			s.note("  more: %t, remaining: %d", next != "", left)
		}
		s.list("an odd token", "Site", client.Continue("odd"))
	}},
	{"the version of a list", func(s *stage) {
		version := s.list("empty", "Site").GetResourceVersion()
		s.note("  has one: %t", version != "")
		s.create(s.site("a", `{}`))
		l := s.list("one", "Site")
		s.note("  has another: %t", l.GetResourceVersion() != "" && l.GetResourceVersion() != version)
	}},
	{"an update that changes nothing", func(s *stage) {
		s.create(s.site("a", `{"ports":[{"name":"http"}]}`))
		s.update(s.get("Site", "a"))
		typed := &Site{}
		s.said("get", s.Get(s.ctx, client.ObjectKey{Namespace: s.namespace, Name: "a"}, typed), typed)
		s.said("update", s.Update(s.ctx, typed), typed) // it drops the ports and has a domain
		s.said("update", s.Update(s.ctx, typed), typed)
		s.get("Site", "a")
	}},
	{"ask for resources and scopes", func(s *stage) {
		for _, kind := range []string{"Site", "Zone", "Gadget", "Gadget/v2", "None"} {
			u := newObject(kind, "a", nil)
			namespaced, err := s.IsObjectNamespaced(u)
			s.note("%s: namespaced %t, no match %t", kind, namespaced, meta.IsNoMatchError(err))
			m, err := s.RESTMapper().RESTMapping(u.GroupVersionKind().GroupKind(), u.GroupVersionKind().Version)
			if err != nil {
				s.note("  no match: %t", meta.IsNoMatchError(err))
				continue
			}
			s.note("  %s %s", m.Resource, m.Scope.Name())
			k, err := s.RESTMapper().KindFor(m.Resource)
			s.note("  %s %v", k, err)
		}
		m, err := s.RESTMapper().RESTMapping(scenarioGroup.WithKind("Gadget").GroupKind())
		if s.said("preferred", err) {
			s.note("  %s", m.Resource)
		}
		k, err := s.GroupVersionKindFor(&Site{})
		s.note("%s %v", k, err)
	}},
	{"create twice, and oddly", func(s *stage) {
		s.create(s.site("a", `{}`))
		s.create(s.site("a", `{}`))
		versioned := s.site("b", `{}`)
		versioned.SetResourceVersion("1")
		s.create(versioned)
		s.create(s.site("", `{}`))
		s.create(s.site("Not a name", `{}`))
		marked := s.site("c", `{}`)
		marked.SetUID("11111111-2222-3333-4444-555555555555")
		marked.SetGeneration(7)
		now := metav1.Now()
		marked.SetDeletionTimestamp(&now)
		s.create(marked)
		z := s.of("Zone", s.namespace, `{"color":"green"}`)
		s.create(z)
		z = s.of("Zone", s.namespace, `{"color":"red"}`)
		s.create(z)
		s.create(s.of("None", "a", `{}`))
	}},
	{"create with generateName", func(s *stage) {
		u := s.site("", `{}`)
		u.SetGenerateName("a-")
		err := s.Create(s.ctx, u)
		suffix, cut := strings.CutPrefix(u.GetName(), "a-")
		s.note("%v, %t with %d letters", err, cut, len(suffix))
		s.said("get", s.Get(s.ctx, client.ObjectKeyFromObject(u), u))
	}},
	{"update a version that is stale, and without a version", func(s *stage) {
		s.create(s.site("a", `{}`))
		old := s.get("Site", "a")
		u := old.DeepCopy()
		unstructured.SetNestedField(u.Object, "a.org", "spec", "domain")
		s.update(u)
		unstructured.SetNestedField(old.Object, "b.org", "spec", "domain")
		s.update(old)
		s.update(s.site("a", `{"domain":"c.org"}`))
		typed := &Site{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: "a"}}
		s.update(typed)
		s.update(s.site("none", `{}`))
		u.SetUID("11111111-2222-3333-4444-555555555555")
		s.update(u)
	}},
	{"patch", func(s *stage) {
		s.create(s.site("a", `{"domain":"a.org","tags":["x"]}`))
		patch := func(kind types.PatchType, text string, opts ...client.PatchOption) {
			u := s.site("a", "")
			s.said(text, s.Patch(s.ctx, u, client.RawPatch(kind, []byte(text)), append(opts, client.FieldOwner("patcher"))...), u)
		}
		patch(types.MergePatchType, `{"spec":{"domain":"b.org","tags":["y","z"]}}`)
		patch(types.MergePatchType, `{"spec":{"domain":null,"tier":null}}`)
		patch(types.MergePatchType, `{"metadata":{"resourceVersion":"1000000"},"spec":{"domain":"c.org"}}`)
		patch(types.MergePatchType, `{"spec":{"odd":1}}`)
		patch(types.MergePatchType, `{"spec":{"replicas":11}}`)
		patch(types.MergePatchType, `{"metadata":{"uid":"11111111-2222-3333-4444-555555555555"}}`)
		patch(types.JSONPatchType, `[{"op":"add","path":"/spec/tags/-","value":"w"}]`)
		patch(types.JSONPatchType, `[{"op":"test","path":"/spec/domain","value":"x"}]`)
		patch(types.JSONPatchType, `[{"op":"add","path":"/status","value":{"phase":"ignored"}}]`)
		patch(types.MergePatchType, `{}`)
		patch(types.StrategicMergePatchType, `{}`)
		s.managers("a")
		none := s.site("none", "")
		s.said("of nothing", s.Patch(s.ctx, none, client.RawPatch(types.MergePatchType, []byte(`{}`))))
		status := s.site("a", "")
		s.said("status", s.Status().Patch(s.ctx, status, client.RawPatch(types.MergePatchType, []byte(`{"status":{"phase":"ready"},"spec":{"domain":"ignored"}}`))), status)
	}},
	{"dry run", func(s *stage) {
		s.create(s.site("a", `{}`), client.DryRunAll)
		s.list("nothing", "Site")
		s.create(s.site("a", `{}`))
		u := s.get("Site", "a")
		unstructured.SetNestedField(u.Object, "a.org", "spec", "domain")
		s.update(u.DeepCopy(), client.DryRunAll)
		s.said("patch", s.Patch(s.ctx, u, client.RawPatch(types.MergePatchType, []byte(`{"spec":{"replicas":11}}`)), client.DryRunAll))
		s.apply("me", s.site("a", `{"domain":"b.org"}`), client.DryRunAll)
		s.apply("me", s.site("b", `{"domain":"b.org"}`), client.DryRunAll)
		s.said("delete", s.Delete(s.ctx, s.site("a", ""), client.DryRunAll))
		s.said("delete nothing", s.Delete(s.ctx, s.site("b", ""), client.DryRunAll))
		s.get("Site", "a")
		s.list("one", "Site")
	}},
	{"unknown fields", func(s *stage) {
		for _, validation := range []string{"Strict", "Warn", "Ignore", ""} {
			u := s.site("a"+strings.ToLower(validation), `{"odd":1,"ports":[{"name":"http","odd":1}]}`)
			u.Object["odd"] = "x"
			if validation == "" {
				s.create(u)
			} else {
				s.create(u, client.FieldValidation(validation))
			}
		}
		u := s.get("Site", "awarn")
		unstructured.SetNestedField(u.Object, "x", "spec", "even")
		s.update(u.DeepCopy(), client.FieldValidation("Strict"))
		s.update(u)
		patch := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"even":1}}`))
		s.said("patch", s.Patch(s.ctx, s.site("awarn", ""), patch, client.FieldValidation("Strict")))
		s.said("patch", s.Patch(s.ctx, s.site("awarn", ""), patch))
		s.create(s.site("b", `{"odd":1}`), client.FieldValidation("Odd"))
	}},
	{"two versions of a kind", func(s *stage) {
		s.create(s.of("Gadget", "a", `{"old":"x"}`))
		s.create(s.of("Gadget/v2", "b", `{"new":"y"}`))
		for _, kind := range []string{"Gadget", "Gadget/v2"} {
			for _, item := range s.list(kind, kind).Items {
				s.note("  %s", s.text(&item))
			}
		}
		u := s.get("Gadget/v2", "a")
		unstructured.SetNestedField(u.Object, int64(3), "spec", "size")
		s.update(u)
		s.get("Gadget", "a")
		s.said("delete", s.Delete(s.ctx, s.of("Gadget", "b", "")))
		s.get("Gadget/v2", "b")
		s.get("Gadget/v3", "a")
	}},
	{"read metadata only", func(s *stage) {
		u := s.site("a", `{"domain":"a.org"}`)
		u.SetLabels(map[string]string{"k": "v"})
		s.create(u)
		partial := &metav1.PartialObjectMetadata{}
		partial.SetGroupVersionKind(scenarioGroup.WithKind("Site"))
		s.said("get", s.Get(s.ctx, client.ObjectKeyFromObject(u), partial), partial)
		list := &metav1.PartialObjectMetadataList{}
		list.SetGroupVersionKind(scenarioGroup.WithKind("SiteList"))
		if s.said("list", s.List(s.ctx, list, client.InNamespace(s.namespace))) {
			for _, item := range list.Items {
				s.note("  %s", s.text(&item))
			}
		}
		partial.SetLabels(map[string]string{"k": "w"})
		s.said("patch", s.Patch(s.ctx, partial, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"k":"w"}}}`))), partial)
		s.get("Site", "a")
	}},
	{"objects of two namespaces, and of the cluster", func(s *stage) {
		other := s.site("a", `{"domain":"b.org"}`)
		other.SetNamespace(s.namespace + "-b")
		s.create(s.site("a", `{}`))
		s.create(other)
		s.list("one", "Site")
		s.get("Site", "a")
		z := s.of("Zone", s.namespace, `{"color":"red"}`)
		z.SetNamespace(s.namespace)
		s.create(z)
		s.said("delete", s.Delete(s.ctx, s.of("Zone", s.namespace, "")))
		s.get("Zone", s.namespace)
		s.create(newObject("Site", "a", nil))
	}},
}
