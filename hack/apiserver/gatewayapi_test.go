package apiserver

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/kube/prunetest"
	"github.com/prune-gen/prune-gen/kube/servertest"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Gateway API tests its CRDs with Go tests, which start an API server. The last version that has them in its main module.
const gatewayAPITests = "sigs.k8s.io/gateway-api@v1.4.0"

// The server has no discovery: the client of Gateway API's tests needs a mapper. This is their line that makes one, and the line and the file
// in its place.
const (
	theirClient = `client.New(restConfig, client.Options{
		Scheme: scheme,
	})`
	mappedClient = `newClient(restConfig, scheme)`
	newClient    = `package main

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func newClient(config *rest.Config, scheme *runtime.Scheme) (client.Client, error) {
	mapper := meta.NewDefaultRESTMapper(nil)
	for kind := range scheme.AllKnownTypes() {
		plural, singular := meta.UnsafeGuessKindToResource(kind)
		scope := meta.RESTScopeNamespace
		switch kind.Kind {
		case "Gateway":
			plural.Resource = "gateways"
		case "GatewayClass":
			scope = meta.RESTScopeRoot
		}
		mapper.AddSpecific(kind, plural, singular, scope)
	}
	config.QPS = -1
	return client.New(config, client.Options{Scheme: scheme, Mapper: mapper})
}
`
)

// The tests of Gateway API have the same results with servertest as with a server.
func TestGatewayAPITestsWithServertest(t *testing.T) {
	// One test wants the words of older servers: Invalid value: "object", where the server of today does not print an object.
	outdated := []string{"TestHTTPRouteTimeouts", "TestHTTPRouteTimeouts/invalid_timeout_request_200ms_less_than_backendRequest_1s"}
	for channel, want := range map[string]struct {
		passed int
		failed []string
	}{"standard": {141, nil}, "experimental": {236, outdated}} {
		t.Run(channel, func(t *testing.T) {
			files := gatewayCRDs(t, gatewayAPITests, channel)
			s, _ := install(t, files...)
			theirs := fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Config","current-context":"a","contexts":[{"name":"a","context":{"cluster":"a"}}],"clusters":[{"name":"a","cluster":{"server":%q}}]}`, s.URL)
			server, err := servertest.Start(servertest.Options{CRDs: files})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(server.Stop)
			ours, err := server.Kubeconfig()
			if err != nil {
				t.Fatal(err)
			}
			dir := gatewayTests(t)
			program := filepath.Join(dir, "cel.test")
			build := gocmd.Command(t, "", nil, "test", "-c", "-modfile="+filepath.Join(dir, "apiserver.mod"), "-tags="+channel, "-o", program,
				"sigs.k8s.io/gateway-api/pkg/test/cel")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			run := func(config []byte) (passed, failed []string, out []byte) {
				kubeconfig := filepath.Join(dir, "kubeconfig")
				writeFile(t, kubeconfig, string(config))
				cmd := exec.CommandContext(t.Context(), program, "-test.v")
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
				out, err := cmd.CombinedOutput()
				for _, m := range regexp.MustCompile(`(?m)^ *--- (PASS|FAIL): (.*) \(.*\)$`).FindAllStringSubmatch(string(out), -1) {
					if m[1] == "PASS" {
						passed = append(passed, m[2])
					} else {
						failed = append(failed, m[2])
					}
				}
				if (err != nil) != (len(failed) > 0) {
					t.Fatalf("%v: %s", err, out)
				}
				return passed, failed, out
			}
			passed, failed, out := run(ours)
			if len(passed) != want.passed || !slices.Equal(failed, want.failed) {
				t.Errorf("with servertest %d tests pass and %q fail, want %d and %q: %s", len(passed), failed, want.passed, want.failed, out)
			}
			theirPassed, theirFailed, out := run(theirs)
			if !slices.Equal(theirPassed, passed) || !slices.Equal(theirFailed, failed) {
				t.Errorf("with the server %d tests pass and %q fail, with servertest %d and %q: %s", len(theirPassed), theirFailed, len(passed), failed, out)
			}
		})
	}
}

// gatewayTests returns a directory with the module of Gateway API, as far as its tests need it, and a file apiserver.mod, which
// is the go.mod of this module with the other one in it.
func gatewayTests(t *testing.T) string {
	t.Helper()
	from, dir := download(t, gatewayAPITests), t.TempDir()
	for _, part := range []string{"apis", "apisx", "config/crd", "pkg/consts", "pkg/test/cel"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(from, part))); err != nil {
			t.Fatal(err)
		}
	}
	main := filepath.Join(dir, "pkg", "test", "cel", "main_test.go")
	text := string(readFile(t, main))
	if strings.Count(text, theirClient) != 1 {
		t.Fatalf("%s does not have the line %s", main, theirClient)
	}
	// Files that are copied from the module cache cannot be written.
	if err := os.Remove(main); err != nil {
		t.Fatal(err)
	}
	writeFile(t, main, strings.Replace(text, theirClient, mappedClient, 1))
	writeFile(t, filepath.Join(filepath.Dir(main), "client_test.go"), newClient)
	// All that the tests import is in the go.mod of this module, in its versions.
	writeFile(t, filepath.Join(dir, "go.mod"), "module sigs.k8s.io/gateway-api\n\ngo 1.24.0\n")
	writeFile(t, filepath.Join(dir, "apiserver.mod"), fmt.Sprintf("%s\nrequire sigs.k8s.io/gateway-api v1.4.0\n\nreplace sigs.k8s.io/gateway-api => %s\n", readFile(t, "go.mod"), dir))
	writeFile(t, filepath.Join(dir, "apiserver.sum"), string(readFile(t, "go.sum")))
	return dir
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// gatewayCRDs returns the files with the CRDs of a channel.
func gatewayCRDs(t *testing.T, module, channel string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(download(t, module), "config", "crd", channel, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	crds := slices.DeleteFunc(files, func(file string) bool {
		return !bytes.Contains(readFile(t, file), []byte("kind: CustomResourceDefinition"))
	})
	if len(crds) == 0 {
		t.Fatalf("%s has no CRDs in the channel %s", module, channel)
	}
	return crds
}

// Gateway API has manifests that a server must accept and others that it must refuse. With its CRDs they are fixtures: the
// server is asked first, and its words are what prunetest.Suite wants.
func TestGatewayAPIExamplesAreFixtures(t *testing.T) {
	const module = "sigs.k8s.io/gateway-api@v1.6.0"
	dir := download(t, module)
	// Objects of the standard channel are valid in the experimental one, too.
	for channel, examples := range map[string][]string{"standard": {"standard"}, "experimental": {"standard", "experimental"}} {
		t.Run(channel, func(t *testing.T) {
			files := gatewayCRDs(t, module, channel)
			s, resources := install(t, files...)
			fixtures := t.TempDir()
			count := map[string]int{}
			for _, of := range examples {
				for verdict, from := range map[string]string{"valid": "examples", "invalid": "hack/invalid-examples"} {
					for _, o := range manifestsBelow(t, filepath.Join(dir, from, of)) {
						apiVersion, _ := o.object["apiVersion"].(string)
						if !strings.HasPrefix(apiVersion, "gateway.networking.") {
							continue // of Kubernetes itself: a Service, for example
						}
						refusal := refusalOf(t, s, resourceOf(t, resources, o.object), o)
						if (refusal == "") != (verdict == "valid") {
							t.Errorf("%s:%d: the server says %q about an object that is %s", o.file, o.line, refusal, verdict)
						}
						count[verdict]++
						writeFile(t, filepath.Join(fixtures, verdict, fmt.Sprintf("%s-%d.yaml", filepath.Base(o.file), count[verdict])), "# "+refusal+"\n"+string(o.json)+"\n")
					}
				}
			}
			if count["valid"] < 60 || count["invalid"] < 30 {
				t.Errorf("only %v fixtures", count)
			}
			began := time.Now()
			crds, err := prunetest.FromFiles(files...)
			if err != nil {
				t.Fatal(err)
			}
			read := time.Since(began)
			prunetest.Suite(t, crds, fixtures)
			t.Logf("%v, in %v, of which %v to read the CRDs", count, time.Since(began), read)
		})
	}
}

// refusalOf returns the first cause for which a server refuses to create an object, empty if it does not.
func refusalOf(t *testing.T, s *server.Server, r *resource, o fixture) string {
	t.Helper()
	path := r.collection()
	if of := (&unstructured.Unstructured{Object: o.object}).GetNamespace(); of != "" {
		path = server.Path(r.crd.Group, r.version.Name, of, r.crd.Names.Plural)
	}
	resp := doRaw(t, s, http.MethodPost, path+"?dryRun=All&fieldValidation=Strict", server.JSON, o.json)
	if resp.Code == http.StatusCreated {
		return ""
	}
	status, err := resp.Status()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(status.Message, "is invalid") { // as the tests of Gateway API want it
		t.Errorf("%s:%d: %s", o.file, o.line, status.Message)
	}
	var causes []string
	for _, cause := range status.Details.Causes {
		causes = append(causes, cause.Field+": "+cause.Message)
	}
	return slices.Min(causes)
}

// fixture is an object in a file.
type fixture struct {
	file   string
	line   int
	object map[string]any
	json   []byte
}

// manifestsBelow returns the objects in the files of a directory and below it.
func manifestsBelow(t *testing.T, dir string) []fixture {
	t.Helper()
	var all []fixture
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".yaml" {
			return err
		}
		yamltext.Parse(readFile(t, file), func(doc *yamltext.Document) {
			objects.InDocument(doc, func(_, _ string) bool { return false },
				func(o objects.Object) {
					data, _ := o.JSON(meter.Bytes)
					all = append(all, fixture{file, o.Node.Pos.Line, o.Value(), data})
				},
				func(n *yamltext.Node) { t.Errorf("%s:%d: not an object", file, n.Pos.Line) })
		}, func(p *yamltext.Problem) { t.Errorf("%s:%d: %s", file, p.Pos.Line, p.Message) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
