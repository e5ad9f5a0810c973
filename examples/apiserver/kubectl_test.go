package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

// kubectl runs kubectl against a server.
type kubectl struct {
	t    *testing.T
	path string
	dir  string
	env  []string
}

// newKubectl builds kubectl from its own packages, as README.md says.
func newKubectl(t *testing.T, p *process) *kubectl {
	t.Helper()
	dir := t.TempDir()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	flags := regexp.MustCompile(`cd kubectl && go build -ldflags '(.*)'`).FindSubmatch(readme)
	if flags == nil {
		t.Fatal("README.md does not say how to build kubectl")
	}
	k := &kubectl{t: t, path: gocmd.Build(t, "examples/apiserver/kubectl", ".", "-ldflags", string(flags[1])), dir: dir}
	// Without a token kubectl asks for a user's name. The server does not look at it.
	k.write("config", `{"apiVersion":"v1","kind":"Config","current-context":"c",
		"clusters":[{"name":"c","cluster":{"server":"`+p.URL+`","insecure-skip-tls-verify":true}}],
		"users":[{"name":"u","user":{"token":"none"}}],
		"contexts":[{"name":"c","context":{"cluster":"c","user":"u","namespace":"default"}}]}`)
	k.env = append(os.Environ(), "KUBECONFIG="+filepath.Join(dir, "config"), "HOME="+dir)
	return k
}

func (k *kubectl) write(name, text string) string {
	k.t.Helper()
	path := filepath.Join(k.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		k.t.Fatal(err)
	}
	return path
}

// run returns what kubectl printed, on both outputs, and whether it was content.
func (k *kubectl) run(args ...string) (string, bool) {
	k.t.Helper()
	cmd := exec.Command(k.path, args...)
	cmd.Env, cmd.Dir = k.env, k.dir
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// want runs kubectl and wants it to be content and to print every one of the texts.
func (k *kubectl) want(texts []string, args ...string) {
	k.t.Helper()
	out, ok := k.run(args...)
	if !ok {
		k.t.Errorf("kubectl %s: %s", strings.Join(args, " "), out)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			k.t.Errorf("kubectl %s does not print %q:\n%s", strings.Join(args, " "), text, out)
		}
	}
}

// refuse runs kubectl and wants it to fail and to print every one of the texts.
func (k *kubectl) refuse(texts []string, args ...string) {
	k.t.Helper()
	out, ok := k.run(args...)
	if ok {
		k.t.Errorf("kubectl %s succeeds: %s", strings.Join(args, " "), out)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			k.t.Errorf("kubectl %s does not print %q:\n%s", strings.Join(args, " "), text, out)
		}
	}
}

const tab = `
apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  name: nightly
spec:
  cronSpec: "0 3 * * *"
  image: registry.example.com/job:1
  env:
  - {name: A, value: "1"}
`

func TestKubectlWorks(t *testing.T) {
	k := newKubectl(t, start(t))
	file := k.write("tab.yaml", tab)
	k.want([]string{"crontabs", "ct", "stable.example.com/v1", "true", "CronTab", "machines", "fleet.example.com/v1alpha1", "false"}, "api-resources")
	k.want([]string{"crontab.stable.example.com/nightly created"}, "create", "-f", file)
	k.refuse([]string{`crontabs.stable.example.com "nightly" already exists`}, "create", "-f", file)
	k.want([]string{"NAME", "SCHEDULE", "REPLICAS", "AGE", "nightly", "0 3 * * *", "1"}, "get", "ct")
	k.want([]string{"image: registry.example.com/job:1", "replicas: 1"}, "get", "crontab", "nightly", "-o", "yaml")
	k.want([]string{"nightly"}, "get", "all")

	odd := k.write("odd.yaml", strings.Replace(tab, "spec:", "spec:\n  odd: 1", 1))
	k.refuse([]string{`strict decoding error: unknown field "spec.odd"`}, "apply", "-f", odd)
	k.want([]string{`Warning: unknown field "spec.odd"`, "crontab.stable.example.com/nightly configured"}, "apply", "--validate=warn", "-f", odd)
	bad := k.write("bad.yaml", strings.Replace(tab, "spec:", "spec:\n  replicas: 50", 1))
	k.refuse([]string{"spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10"}, "apply", "-f", bad)

	more := k.write("more.yaml", strings.Replace(tab, "spec:", "spec:\n  suspend: true", 1))
	k.want([]string{"configured"}, "apply", "-f", more)
	k.want([]string{"unchanged"}, "apply", "-f", more)
	k.want([]string{"true"}, "get", "ct", "nightly", "-o", "jsonpath={.spec.suspend}")
	k.want([]string{"configured"}, "apply", "-f", file)
	k.want([]string{"none"}, "get", "ct", "nightly", "-o", "go-template={{or .spec.suspend \"none\"}}")
	side := k.write("side.yaml", strings.Replace(tab, "- {name: A, value: \"1\"}", "- {name: B, value: \"2\"}", 1))
	k.want([]string{"serverside-applied"}, "apply", "--server-side", "--force-conflicts", "--field-manager=other", "-f", side)
	k.want([]string{"A B"}, "get", "ct", "nightly", "-o", "jsonpath={.spec.env[*].name}")
	k.want([]string{"patched"}, "patch", "ct", "nightly", "--type=merge", "-p", `{"spec":{"replicas":4}}`)
	k.want([]string{"labeled"}, "label", "ct", "nightly", "team=a")
	k.want([]string{"patched"}, "patch", "ct", "nightly", "--subresource=status", "--type=merge", "-p", `{"status":{"replicas":4}}`)

	k.want([]string{"crontab.stable.example.com/nightly scaled"}, "scale", "ct", "nightly", "--replicas=6")
	k.refuse([]string{"should be less than or equal to 10"}, "scale", "ct", "nightly", "--replicas=60")
	k.refuse([]string{"Expected replicas to be 1, was 6"}, "scale", "ct", "nightly", "--current-replicas=1", "--replicas=2")
	k.want([]string{"nightly 6 4"}, "get", "ct", "nightly", "--subresource=scale", "-o", "jsonpath={.metadata.name} {.spec.replicas} {.status.replicas}")
	k.want([]string{"NAME", "DESIRED", "AVAILABLE", "nightly"}, "get", "ct", "nightly", "--subresource=scale")

	editor := k.write("editor", "#!/bin/sh\nsed -i 's/job:1/job:2/' \"$1\"\n")
	k.env = append(k.env, "KUBE_EDITOR="+editor)
	k.want([]string{"crontab.stable.example.com/nightly edited"}, "edit", "ct", "nightly")
	k.want([]string{"registry.example.com/job:2 6 a 4"}, "get", "ct", "nightly", "-o", "jsonpath={.spec.image} {.spec.replicas} {.metadata.labels.team} {.status.replicas}")

	k.want([]string{"KIND:       CronTab", "VERSION:    v1", "CronTab runs an image on a schedule."}, "explain", "crontab")
	k.want([]string{"FIELD: cronSpec <string>", "The schedule, in the form that cron knows."}, "explain", "ct.spec.cronSpec")
	k.want([]string{"KIND:     CronTab", "The schedule, in the form that cron knows."}, "explain", "crontab.spec", "--output=plaintext-openapiv2")
	k.want([]string{"Server Version: v1."}, "version")
	k.want([]string{"serial\t<string>", "The number on its back."}, "explain", "machines.spec")
	k.want([]string{"Warning: stable.example.com/v1beta1 CronTab is deprecated; use stable.example.com/v1 CronTab", "nightly"}, "get", "crontabs.v1beta1.stable.example.com")
	k.want([]string{`crontab.stable.example.com "nightly" deleted`}, "delete", "-f", file)
	k.refuse([]string{`crontabs.stable.example.com "nightly" not found`}, "get", "ct", "nightly")
}
