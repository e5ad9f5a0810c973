package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const crds = "../../../../examples/operator/config/crd/bases"

// The test is also the command that it runs with the server.
func TestMain(m *testing.M) {
	if os.Getenv("USE_EXISTING_CLUSTER") == "true" {
		os.Exit(ask())
	}
	os.Exit(m.Run())
}

// ask returns 7 if the server of KUBECONFIG answers.
func ask() int {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return 8
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return 9
	}
	groups, err := client.Discovery().ServerGroups()
	if err != nil || !strings.Contains(groups.String(), "stable.example.com") {
		return 10
	}
	return 7
}

func TestCommandsFindTheServer(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	for _, args := range [][]string{{crds, "--", self}, {"--kubeconfig", file, crds, "--", self}} {
		if code, err := run(args); code != 7 || err != nil {
			t.Errorf("%q: exit status %d, %v", args, code, err)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("kubeconfig: %v, %v", info, err)
	}
}

func TestArgumentsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{crds}, "nobody would find the server"},
		{[]string{"nowhere", "--", "true"}, "nowhere"},
		{[]string{"--", "no-such-command"}, "no-such-command"},
		{[]string{"--no-such-flag"}, "no-such-flag"},
	} {
		if code, err := run(c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: exit status %d, %v; want %s", c.args, code, err, c.want)
		}
	}
}
