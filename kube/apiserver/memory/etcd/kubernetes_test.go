package etcd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// All tests that Kubernetes has for its storage in etcd pass with this store in the place of etcd. They are run from a copy of the module
// whose function that starts an etcd is another one.
func TestKubernetesTestsOfItsStorage(t *testing.T) {
	testsize.Large(t, "compiles k8s.io/apiserver")
	dir := t.TempDir()
	apiserver := filepath.Join(dir, "apiserver")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) ([]byte, error) {
		t.Helper()
		return gocmd.Command(t, "../..", nil, args...).Output()
	}
	source, err := run("list", "-m", "-f", "{{.Dir}}", "k8s.io/apiserver")
	check(err)
	check(os.CopyFS(apiserver, os.DirFS(strings.TrimSpace(string(source)))))
	server, err := os.ReadFile("testdata/test_server.go.txt")
	check(err)
	file := filepath.Join(apiserver, "pkg/storage/etcd3/testserver/test_server.go")
	check(os.Chmod(file, 0o600))
	check(os.WriteFile(file, server, 0o600))

	mod := filepath.Join(dir, "go.mod")
	for from, to := range map[string]string{"../../go.mod": mod, "../../go.sum": filepath.Join(dir, "go.sum")} {
		data, err := os.ReadFile(from)
		check(err)
		check(os.WriteFile(to, data, 0o600))
	}
	root, err := filepath.Abs("../../../..")
	check(err)
	_, err = run("mod", "edit", "-replace=k8s.io/apiserver="+apiserver, "-replace=github.com/prune-gen/prune-gen="+root,
		"-replace=github.com/prune-gen/prune-gen/kube="+filepath.Join(root, "kube"), mod)
	check(err)
	out, err := run("test", "-mod=mod", "-modfile="+mod, "-vet=off", "-json", "-timeout=1h", "k8s.io/apiserver/pkg/storage/etcd3")
	results := map[string]int{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil || event.Test == "" {
			continue
		}
		results[event.Action]++
		if event.Action == "fail" || event.Action == "skip" {
			t.Logf("%s: %s", event.Test, event.Action)
		}
	}
	t.Logf("tests of k8s.io/apiserver/pkg/storage/etcd3: %d passed, %d failed, %d skipped", results["pass"], results["fail"], results["skip"])
	if err != nil || results["pass"] < 250 || results["fail"] > 0 {
		t.Errorf("%v\n%s", err, bytes.TrimSpace(out[max(0, len(out)-2000):]))
	}
}
