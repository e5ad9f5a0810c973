package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// stubs are modules with the paths of those of Kubernetes, and programs on them.
var stubs = map[string]string{
	"go.mod": `module example.com/operator

go 1.26

require (
	k8s.io/api v0.0.0
	k8s.io/apimachinery v0.0.0
	k8s.io/client-go v0.0.0
	sigs.k8s.io/controller-runtime v0.0.0
)

replace (
	k8s.io/api => ./_api
	k8s.io/apimachinery => ./_apimachinery
	k8s.io/client-go => ./_clientgo
	sigs.k8s.io/controller-runtime => ./_runtime
)
`,
	"_api/go.mod":          "module k8s.io/api\n\ngo 1.26\n\nrequire k8s.io/apimachinery v0.0.0\n",
	"_apimachinery/go.mod": "module k8s.io/apimachinery\n\ngo 1.26\n",
	"_clientgo/go.mod":     "module k8s.io/client-go\n\ngo 1.26\n\nrequire k8s.io/apimachinery v0.0.0\n",
	"_runtime/go.mod":      "module sigs.k8s.io/controller-runtime\n\ngo 1.26\n\nrequire k8s.io/apimachinery v0.0.0\n",
	"_apimachinery/pkg/apis/meta/v1/meta.go": tagged(`package v1

type TypeMeta struct {
	Kind       string 'json:"kind,omitempty"'
	APIVersion string 'json:"apiVersion,omitempty"'
}

type ObjectMeta struct {
	Name              string            'json:"name,omitempty"'
	Namespace         string            'json:"namespace,omitempty"'
	UID               string            'json:"uid,omitempty"'
	ResourceVersion   string            'json:"resourceVersion,omitempty"'
	Generation        int64             'json:"generation,omitempty"'
	CreationTimestamp string            'json:"creationTimestamp,omitempty"'
	DeletionTimestamp *string           'json:"deletionTimestamp,omitempty"'
	Labels            map[string]string 'json:"labels,omitempty"'
	Annotations       map[string]string 'json:"annotations,omitempty"'
	OwnerReferences   []string          'json:"ownerReferences,omitempty"'
	Finalizers        []string          'json:"finalizers,omitempty"'
	ManagedFields     []string          'json:"managedFields,omitempty"'
}
`),
	"_apimachinery/pkg/runtime/runtime.go": "package runtime\n\ntype Object interface{ DeepCopyObject() Object }\n",
	"_api/core/v1/types.go": tagged(`package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Pod struct {
	metav1.TypeMeta   'json:",inline"'
	metav1.ObjectMeta 'json:"metadata,omitempty"'

	Spec   PodSpec   'json:"spec,omitempty"'
	Status PodStatus 'json:"status,omitempty"'
}

func (p *Pod) DeepCopyObject() runtime.Object { return p }

type PodSpec struct {
	NodeName    string       'json:"nodeName,omitempty"'
	Containers  []Container  'json:"containers,omitempty"'
	Tolerations []Toleration 'json:"tolerations,omitempty"'
}

type Container struct {
	Name  string 'json:"name"'
	Image string 'json:"image,omitempty"'
}

type Toleration struct {
	Key string 'json:"key,omitempty"'
}

type PodStatus struct {
	Phase string 'json:"phase,omitempty"'
}
`),
	"_clientgo/tools/cache/cache.go": `package cache

import _ "k8s.io/apimachinery/pkg/runtime"

type TransformFunc func(any) (any, error)
`,
	"_runtime/pkg/cache/cache.go": `package cache

import (
	_ "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

type Options struct{ DefaultTransform cache.TransformFunc }

func New(Options) {}
`,
	"_runtime/pkg/client/client.go": `package client

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
)

type Object = runtime.Object

type Reader interface {
	Get(ctx context.Context, name string, obj Object) error
}

type Writer interface {
	Update(ctx context.Context, obj Object) error
	Patch(ctx context.Context, obj Object, patch Patch) error
}

type Patch interface{ Data(obj Object) }

func MergeFrom(obj Object) Patch { return nil }

type Client interface {
	Reader
	Writer
}

func New() Client { return nil }
`,
	"cmd/manager/main.go": `package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operator/internal/podcache"
)

func main() {
	cache.New(cache.Options{DefaultTransform: func(in any) (any, error) {
		if pod, ok := in.(*corev1.Pod); ok {
			podcache.ForScheduling(pod)
		}
		return in, nil
	}})
	c := client.New()
	var pod corev1.Pod
	if err := c.Get(context.Background(), "a", &pod); err != nil {
		panic(err)
	}
	println(pod.Name, pod.Spec.NodeName)
	for _, container := range pod.Spec.Containers {
		println(container.Image)
	}
}
`,
	"internal/podcache/doc.go": `// Package podcache makes Pods small.
package podcache

//go:generate go tool prune-gen project --type k8s.io/api/core/v1.Pod --keep pod.keep --name ForScheduling --program ../../cmd/manager
`,
	"internal/podcache/pod.keep": `# A plugin reads the phase.
status.phase
`,
}

func tagged(text string) string { return strings.ReplaceAll(text, "'", "`") }

const wantList = `# A plugin reads the phase.
status.phase

# What the program reads. prune-gen reads --write replaces all lines below.
spec.nodeName  # cmd/manager/main.go
spec.containers[].image  # cmd/manager/main.go
`

const wantFunction = `// Code generated by prune-gen. DO NOT EDIT.

package podcache

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ForScheduling sets to zero, in place, what the list pod.keep does not keep of obj. It writes to what pointers, lists and
// maps in obj hold, too: nothing else may use them meanwhile. In the transform of a cache, nothing does.
func ForScheduling(obj *corev1.Pod) {
	*obj = corev1.Pod{
		TypeMeta: obj.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Name:              obj.ObjectMeta.Name,
			Namespace:         obj.ObjectMeta.Namespace,
			UID:               obj.ObjectMeta.UID,
			ResourceVersion:   obj.ObjectMeta.ResourceVersion,
			Generation:        obj.ObjectMeta.Generation,
			CreationTimestamp: obj.ObjectMeta.CreationTimestamp,
			DeletionTimestamp: obj.ObjectMeta.DeletionTimestamp,
			Labels:            obj.ObjectMeta.Labels,
			OwnerReferences:   obj.ObjectMeta.OwnerReferences,
			Finalizers:        obj.ObjectMeta.Finalizers,
		},
		Spec: corev1.PodSpec{
			NodeName:   obj.Spec.NodeName,
			Containers: obj.Spec.Containers,
		},
		Status: corev1.PodStatus{
			Phase: obj.Status.Phase,
		},
	}
	for i := range obj.Spec.Containers {
		v := &obj.Spec.Containers[i]
		*v = corev1.Container{
			Image: v.Image,
		}
	}
}
`

// The way of docs/memory.md: a list of what a program reads, a function, and a check which fails when the program reads something else.
func TestProjectKeepsWhatTheProgramReads(t *testing.T) {
	testsize.NotShort(t)
	root := write(t, stubs)
	t.Setenv("GOFLAGS", "-mod=mod")
	const (
		dir  = "internal/podcache"
		list = dir + "/pod.keep"
		code = dir + "/zz_generated.project.forscheduling.go"
		main = "cmd/manager/main.go"
	)
	edit := func(file, old, new string) {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), old) {
			t.Fatal(file, err, old)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	is := func(file, want string) {
		t.Helper()
		if text, err := os.ReadFile(file); err != nil || string(text) != want {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
	generate := func(output string) {
		t.Helper()
		t.Chdir(filepath.Join(root, dir))
		_, words, _ := strings.Cut(strings.TrimSpace(stubs[dir+"/doc.go"]), "prune-gen ")
		wantRun(t, exitOK, output, "", strings.Fields(words)...)
		t.Chdir(root)
	}
	collect := func() {
		t.Helper()
		wantRun(t, exitOK, "", "", "reads", "--type", "k8s.io/api/core/v1.Pod", "--write", list, "./cmd/manager")
	}

	generate("zz_generated.project.forscheduling.go written\n") // so that the program compiles
	wantRun(t, exitInput, "", "cmd/manager/main.go:25:1: error: spec.nodeName of k8s.io/api/core/v1.Pod is read here, and "+list+" does not keep it", "verify", "./...")
	collect()
	is(list, wantList)
	collect()
	is(list, wantList)
	wantRun(t, exitInput, "+			NodeName:   obj.Spec.NodeName,\n", "1 of 1 file not up to date: run go generate ./...", "verify", "./...")
	generate("written\n")
	is(code, wantFunction)
	generate("unchanged\n")
	wantRun(t, exitOK, "1 file up to date\n", "", "verify", "./...")

	// A read that the list does not have.
	edit(main, "	println(pod.Name", "	println(len(pod.Spec.Tolerations))\n	println(pod.Name")
	r := wantRun(t, exitInput, "", main+":25:1: error: spec.tolerations of k8s.io/api/core/v1.Pod is read here, and "+list+" does not keep it [keep/read]", "verify", "./...")
	if !strings.Contains(r.stderr, "add spec.tolerations to "+list) {
		t.Error(r.stderr)
	}
	r = wantRun(t, exitInput, `"keep/read"`, "-", "verify", "--output", "json", "./...")
	if found := readFindings(t, r.stdout); len(found) != 1 || found[0].File != main || found[0].Line != 25 {
		t.Errorf("%+v", found)
	}
	edit(list, "status.phase\n", "status.phase\n-spec.tolerations\n")
	r = wantRun(t, exitInput, "", "and "+list+":3 does not keep it", "verify", "./...")
	if !strings.Contains(r.stderr, "remove line 3 of "+list+", add spec.tolerations unless another line keeps it, and run go generate") {
		t.Error(r.stderr)
	}
	edit(list, "-spec.tolerations\n", "")
	collect()
	is(list, wantList+"spec.tolerations  # cmd/manager/main.go\n")
	generate("written\n")
	wantRun(t, exitOK, "1 file up to date\n", "", "verify", "./...")

	// An object that is sent whole is kept whole, except for its managedFields.
	edit(main, "	println(pod.Name", "	c.Update(context.Background(), &pod)\n	println(pod.Name")
	const sent = main + ":26:1: warning: the object of k8s.io/api/core/v1.Pod is sent whole here, and " + list + " does not keep all of it"
	wantRun(t, exitOK, "1 file up to date\n", sent, "verify", "./...")
	wantRun(t, exitInput, "", sent, "verify", "--strict", "./...")
	wantRun(t, exitOK, "1 file up to date\n", "-", "verify", "--strict", "--disable", "keep/sent", "./...")
	collect()
	wantRun(t, exitInput, "", list+":9:1: error: the list keeps whole objects: nothing would be dropped", "verify", "./...")
	edit(list, "status.phase\n", "-metadata.managedFields\n")
	generate("written\n")
	wantRun(t, exitOK, "1 file up to date\n", "-", "verify", "--strict", "./...")

	// A patch does not need the whole object.
	edit(main, "c.Update(context.Background(), &pod)", "c.Patch(context.Background(), &pod, client.MergeFrom(&pod))")
	collect()
	if text, err := os.ReadFile(list); err != nil || strings.Contains(string(text), "\n*") || !strings.Contains(string(text), "\n# *  # "+main+": passed to client.") {
		t.Errorf("%v\n%s", err, text)
	}
	generate("written\n")
	wantRun(t, exitOK, "1 file up to date\n", "the object of k8s.io/api/core/v1.Pod is patched here", "verify", "./...")
}

func TestProjectRefuses(t *testing.T) {
	files := map[string]string{}
	for name, text := range stubs {
		files[name] = text
	}
	files["internal/podcache/bad.keep"] = "spec.nodName\nspec.containers.image\n-metadata.uid # never\nstatus.phase.x\n\nnowhere\n"
	files["internal/podcache/foreign/zz_generated.project.x.go"] = "package foreign\n"
	files["internal/podcache/broken/types.go"] = strings.Replace(stubs["_api/core/v1/types.go"], "package v1", "package broken", 1) + "\nvar _ = ForThis // to be generated\n\nfunc ForThat() {}\n"
	files["internal/podcache/hidden/types.go"] = tagged(strings.Replace(strings.Replace(stubs["_api/core/v1/types.go"], "package v1", "package hidden", 1), "type PodSpec struct {", "type PodSpec struct {\n	Secret secret 'json:\"secret\"'", 1) +
		"\ntype secret struct {\n	A, B string\n}\n")
	files["internal/podcache/2/v2/types.go"] = strings.Replace(stubs["_api/core/v1/types.go"], "package v1", "package v2", 1)
	t.Chdir(filepath.Join(write(t, files), "internal/podcache"))
	t.Setenv("GOFLAGS", "-mod=mod")
	odd := strings.ReplaceAll(crd("things", goodField), "kind: Thing", "kind: Odd-Thing")
	if err := os.WriteFile("odd.yaml", []byte(odd), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("fields.keep", []byte("field\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	const pod = "k8s.io/api/core/v1.Pod"
	for _, test := range []struct {
		code int
		want string
		args string
	}{
		{exitUsage, "--type or --crd is needed", "--keep pod.keep"},
		{exitUsage, "--keep is needed", "--type " + pod},
		{exitUsage, "it has to be a Go name of letters and digits", "--type " + pod + " --keep pod.keep --name a_test"},
		{exitUsage, "it has to be a Go name of letters and digits", "--type " + pod + " --keep pod.keep --name string"},
		{exitUsage, "it has to be a Go name of letters and digits", "--type " + pod + " --keep pod.keep --name init"},
		{exitUsage, "--type cannot be combined with --crd", "--type " + pod + " --crd x.yaml --keep pod.keep"},
		{exitUsage, "--type cannot be combined with --crd", "--type " + pod + " --kind x --keep pod.keep"},
		{exitUsage, "--type cannot be combined with --crd", "--type " + pod + " --crd-version v1 --keep pod.keep"},
		{exitUsage, "--output-dir is empty", "--type " + pod + " --keep pod.keep --output-dir="},
		{exitUsage, "the CRD cannot come from standard input", "--crd - --keep pod.keep"},
		{exitUsage, "unexpected argument x", "x"},
		{exitUsage, "--program and --crd cannot be combined", "--crd x.yaml --keep pod.keep --program ."},
		{exitInput, "nowhere.keep: no such file", "--type " + pod + " --keep nowhere.keep"},
		{exitInput, "package k8s.io/api/core/v1 has no type Pot", "--type k8s.io/api/core/v1.Pot --keep pod.keep"},
		{exitInput, "not a type of Kubernetes objects", "--type " + pod + "Spec --keep pod.keep"},
		{exitInput, "bad.keep:1:1: error: there is no field spec.nodName: did you mean spec.nodeName?", "--type " + pod + " --keep bad.keep"},
		{exitInput, "bad.keep:2:1: error: there is no field spec.containers.image: did you mean spec.containers[].image?", "--type " + pod + " --keep bad.keep"},
		{exitInput, "bad.keep:3:1: error: metadata.uid is always kept", "--type " + pod + " --keep bad.keep"},
		{exitInput, "bad.keep:4:1: error: status.phase is kept or dropped whole: it has no x to choose", "--type " + pod + " --keep bad.keep"},
		{exitInput, "bad.keep:6:1: error: there is no field nowhere [keep/list]", "--type " + pod + " --keep bad.keep"},
		{exitUsage, "--name is needed: ProjectOdd-Thing cannot be", "--crd odd.yaml --keep fields.keep"},
		{exitInput, "no CRD has that kind and version", "--crd odd.yaml --keep fields.keep --kind Thing"},
		{exitInput, "pod.keep:2:1: error: there is no field status.phase", "--crd odd.yaml --keep pod.keep"},
		{exitInput, "[files/foreign]", "--type " + pod + " --keep pod.keep --name X --output-dir foreign"},
		{exitInput, "ForThat redeclared", "--type Pod --keep pod.keep --name ForThat --output-dir broken"},
		{exitInput, "secret not exported by package hidden", "--type ./hidden.Pod --keep secret.keep"},
	} {
		if err := os.WriteFile("secret.keep", []byte("spec.secret.A\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		wantRun(t, test.code, "", test.want, append([]string{"project"}, strings.Fields(test.args)...)...)
	}
	// The package need not compile without the function.
	wantRun(t, exitOK, "broken/zz_generated.project.forthis.go written\n", "", "project", "--type", "Pod", "--keep", "pod.keep", "--name", "ForThis", "--output-dir", "broken")
	wantRun(t, exitOK, "written\n", "", "project", "--type", "Pod", "--keep", "secret.keep", "--output-dir", "hidden")
	// Names of imports are names, and not those of variables in loops.
	wantRun(t, exitOK, "written\n", "", "project", "--type", "./2/v2.Pod", "--keep", "pod.keep", "--output-dir", "broken", "--name", "ForV2")
	if text, err := os.ReadFile("broken/zz_generated.project.forv2.go"); err != nil || !strings.Contains(string(text), "v2_2 \"example.com") {
		t.Errorf("%v\n%s", err, text)
	}
	found, err := filepath.Glob("*/zz_*")
	if err != nil || !slices.Equal(found, []string{"broken/zz_generated.project.forthis.go", "broken/zz_generated.project.forv2.go", "foreign/zz_generated.project.x.go", "hidden/zz_generated.project.projectpod.go"}) {
		t.Error(found, err)
	}
}

// The paths in a directive are relative to its file.
func TestVerifyFindsTheCRDOfAProjection(t *testing.T) {
	root := write(t, map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.26\n",
		"crd.yaml":   crd("things", goodField),
		"api/x.keep": "field\n",
		"api/doc.go": "package api\n\n//go:generate prune-gen project --crd ../crd.yaml --keep x.keep\n",
	})
	t.Chdir(filepath.Join(root, "api"))
	wantRun(t, exitOK, "zz_generated.project.projectthing.go written\n", "", "project", "--crd", "../crd.yaml", "--keep", "x.keep")
	t.Chdir(root)
	wantRun(t, exitOK, "1 file up to date\n", "-", "verify", "./...")
}
