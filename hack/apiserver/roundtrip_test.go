package apiserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	webhookconversion "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"github.com/prune-gen/prune-gen/kube"
	"github.com/prune-gen/prune-gen/kube/prunetest"
)

// The Go types of lamps, without deep copies, which nothing needs here.
type (
	shade struct {
		Name    string `json:"name"`
		Opacity int64  `json:"opacity,omitempty"`
	}
	lampStatus struct {
		Lit bool `json:"lit,omitempty"`
	}
	lampSpec struct {
		Color    string            `json:"color,omitempty"`
		TimeZone string            `json:"timeZone,omitempty"`
		Tags     map[string]string `json:"tags,omitempty"`
		Shades   []shade           `json:"shades,omitempty"`
		Switches []lampSwitch      `json:"switches,omitempty"`
		Base     lampBase          `json:"base"`
	}
	// lampBase is always written, its mount with an invalid kind, and its feet as {} if they have no sizes.
	lampBase struct {
		Foot  string `json:"foot,omitempty"`
		Mount *struct {
			Kind string `json:"kind"`
		} `json:"mount,omitempty"`
		Feet struct {
			Sizes []int64 `json:"sizes,omitempty"`
		} `json:"feet,omitzero"`
	}
	lampSwitch struct {
		Name  string           `json:"name"`
		After *metav1.Duration `json:"after,omitempty"`
	}
	lamp struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Status            lampStatus `json:"status,omitzero"`
	}
	lampV1 struct {
		lamp
		Spec struct {
			lampSpec
			Brightness *int64 `json:"brightness,omitempty"`
		} `json:"spec"`
	}
	lampBeta struct {
		lamp
		Spec struct {
			lampSpec
			Level *int64 `json:"level,omitempty"`
		} `json:"spec"`
	}
	lampAlpha struct{ lampBeta }
)

func (l *lampV1) DeepCopyObject() runtime.Object    { panic("not copied") }
func (l *lampBeta) DeepCopyObject() runtime.Object  { panic("not copied") }
func (l *lampAlpha) DeepCopyObject() runtime.Object { panic("not copied") }

func (l *lampV1) Hub() {}

func (l *lampBeta) ConvertTo(hub conversion.Hub) error {
	to := hub.(*lampV1)
	if l.Spec.Color == "none" {
		return errors.New("no color")
	}
	to.ObjectMeta, to.Status, to.Spec.lampSpec, to.Spec.Brightness = l.ObjectMeta, l.Status, l.Spec.lampSpec, l.Spec.Level
	return nil
}

func (l *lampBeta) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*lampV1)
	l.ObjectMeta, l.Status, l.Spec.lampSpec, l.Spec.Level = from.ObjectMeta, from.Status, from.Spec.lampSpec, from.Spec.Brightness
	return nil
}

// lampScheme returns a scheme with some versions of lamps.
func lampScheme(versions ...string) *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, version := range versions {
		obj := map[string]runtime.Object{"v1": &lampV1{}, "v1beta1": &lampBeta{}, "v1alpha1": &lampAlpha{}}[version]
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Lamp"}, obj)
	}
	return scheme
}

const lamps = "../../kube/prunetest/testdata/roundtrip/lamps.yaml"

// reports keeps what is reported about a test.
type reports struct {
	testing.TB
	all []string
}

func (r *reports) Helper()                        {}
func (r *reports) Error(args ...any)              { r.all = append(r.all, fmt.Sprint(args...)) }
func (r *reports) Errorf(format string, a ...any) { r.Error(fmt.Sprintf(format, a...)) }
func (r *reports) Logf(string, ...any)            {}

func roundTrip(t *testing.T, convert kube.Converter, opts prunetest.RoundTripOptions) []string {
	t.Helper()
	crds, err := prunetest.FromFiles(lamps)
	if err != nil {
		t.Fatal(err)
	}
	opts.Objects = cmp.Or(opts.Objects, 40)
	r := &reports{TB: t}
	prunetest.RoundTrip(r, crds, convert, opts)
	return r.all
}

// hubConverter converts as the webhook of controller-runtime does.
func hubConverter(scheme *runtime.Scheme, registry webhookconversion.Registry) kube.Converter {
	return prunetest.HandlerConverter(webhookconversion.NewWebhookHandler(scheme, registry))
}

func TestHandlerConverterOfGoTypes(t *testing.T) {
	lamp := func(version, spec string) map[string]any {
		var obj map[string]any
		if err := json.Unmarshal([]byte(`{"apiVersion":"example.com/`+version+`","kind":"Lamp","metadata":{"name":"x"},"spec":`+spec+`}`), &obj); err != nil {
			t.Fatal(err)
		}
		return obj
	}
	for name, test := range map[string]struct {
		types    []string
		obj      map[string]any
		to, want string // the spec, or the error
	}{
		"to the hub":      {[]string{"v1", "v1beta1"}, lamp("v1beta1", `{"level":0}`), "v1", `{"base":{},"brightness":0}`},
		"from the hub":    {[]string{"v1", "v1beta1"}, lamp("v1", `{"brightness":5,"color":"red"}`), "v1beta1", `{"base":{},"color":"red","level":5}`},
		"by the hub":      {[]string{"v1", "v1beta1", "v1alpha1"}, lamp("v1alpha1", `{"level":5}`), "v1beta1", `{"base":{},"level":5}`},
		"an error":        {[]string{"v1", "v1beta1"}, lamp("v1beta1", `{"color":"none"}`), "v1", "no color"},
		"by the hub, too": {[]string{"v1", "v1beta1", "v1alpha1"}, lamp("v1alpha1", `{"color":"none"}`), "v1beta1", "no color"},
		"no version":      {[]string{"v1"}, lamp("v1", `{}`), "v2", `no kind "Lamp" is registered for version "example.com/v2"`},
		"another type":    {[]string{"v1", "v1beta1"}, lamp("v1", `{"shades":"many"}`), "v1beta1", "cannot unmarshal string"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := hubConverter(lampScheme(test.types...), webhookconversion.NewRegistry())(test.obj, "example.com/"+test.to)
			if err != nil {
				if !strings.Contains(err.Error(), test.want) {
					t.Error(err)
				}
				return
			}
			spec, _ := json.Marshal(out["spec"])
			if string(spec) != test.want || out["apiVersion"] != "example.com/"+test.to || out["kind"] != "Lamp" {
				t.Errorf("%v", out)
			}
			if !reflect.DeepEqual(out["metadata"], map[string]any{"name": "x"}) {
				t.Errorf("%v", out["metadata"])
			}
		})
	}
}

// What Go types omit is not reported.
func TestRoundTripOfGoTypes(t *testing.T) {
	crds, err := prunetest.FromFiles(lamps)
	if err != nil {
		t.Fatal(err)
	}
	scheme := lampScheme("v1", "v1beta1")
	convert := prunetest.HandlerConverter(webhookconversion.NewWebhookHandler(scheme, webhookconversion.NewRegistry()))
	prunetest.RoundTrip(t, crds, convert, prunetest.RoundTripOptions{Types: scheme})
	found := strings.Join(roundTrip(t, convert, prunetest.RoundTripOptions{Objects: 100}), "\n")
	for _, want := range []string{`spec.shades[].opacity: lost: 0`, `spec.timeZone: lost: ""`, `status: lost: {`} {
		if !strings.Contains(found, want) {
			t.Errorf("%s is not reported of a converter on maps: %s", want, found)
		}
	}
}

// lampDrifted is a Go type that lacks fields of its CRD, and that does not know that a number may be absent.
type lampDrifted struct {
	lamp
	Spec struct {
		Level  int64    `json:"level,omitempty"`
		Color  string   `json:"color"`
		Shades []shade  `json:"shades,omitempty"`
		Base   lampBase `json:"base"`
	} `json:"spec"`
}

func (l *lampDrifted) DeepCopyObject() runtime.Object { panic("not copied") }

// convertFunc is a function as a converter of controller-runtime.
type convertFunc func(src, dst runtime.Object) error

func (f convertFunc) ConvertObject(_ context.Context, src, dst runtime.Object) error {
	return f(src, dst)
}

func TestRoundTripFindsWhatGoTypesLack(t *testing.T) {
	scheme := lampScheme("v1")
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1beta1", Kind: "Lamp"}, &lampDrifted{})
	registry := webhookconversion.NewRegistry()
	registry.RegisterConverter(schema.GroupKind{Group: "example.com", Kind: "Lamp"}, convertFunc(func(src, dst runtime.Object) error {
		switch src := src.(type) {
		case *lampV1:
			dst := dst.(*lampDrifted)
			dst.ObjectMeta, dst.Status, dst.Spec.Color, dst.Spec.Shades, dst.Spec.Base = src.ObjectMeta, src.Status, src.Spec.Color, src.Spec.Shades, src.Spec.Base
			if src.Spec.Brightness != nil {
				dst.Spec.Level = *src.Spec.Brightness
			}
		case *lampDrifted:
			dst := dst.(*lampV1)
			dst.ObjectMeta, dst.Status, dst.Spec.Color, dst.Spec.Shades, dst.Spec.Base = src.ObjectMeta, src.Status, src.Spec.Color, src.Spec.Shades, src.Spec.Base
			dst.Spec.Brightness = &src.Spec.Level
		}
		return nil
	}))
	found := roundTrip(t, hubConverter(scheme, registry), prunetest.RoundTripOptions{Types: scheme})
	wanted := []string{
		"Lamp v1 to v1beta1: spec.brightness: changed from 0 to 50\n",
		"Lamp v1 to v1beta1: spec.color: v1beta1 refuses it: spec.color: Unsupported value: \"\"",
		"Lamp v1 to v1beta1: spec.switches: lost: [",
		"Lamp v1 to v1beta1: spec.tags: lost: {",
		"Lamp v1 to v1beta1: spec.timeZone: lost: \"",
		"Lamp v1beta1 to v1: spec.switches: lost: [",
		"Lamp v1beta1 to v1: spec.tags: lost: {",
		"Lamp v1beta1 to v1: spec.timeZone: lost: \"",
	}
	for i, text := range found {
		if i >= len(wanted) || !strings.HasPrefix(text, wanted[i]) {
			t.Errorf("unexpected: %s", text)
		}
	}
	if len(found) != len(wanted) {
		t.Errorf("%d findings instead of %d", len(found), len(wanted))
	}
}
