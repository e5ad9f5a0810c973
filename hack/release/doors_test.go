package main

import (
	"encoding/base64"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"sigs.k8s.io/yaml"
)

// The example that README shows: its manifest is wrong.
const (
	crds    = root + "/examples/operator/config/crd/bases/stable.example.com_crontabs.yaml"
	samples = root + "/examples/operator/config/samples/crontab.yaml"
	refusal = "should match '^(\\S+\\s+){4}\\S+$'"
)

// command runs a program, wants an exit status, and returns what it prints.
func command(t *testing.T, status int, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if have := cmd.ProcessState.ExitCode(); have != status {
		t.Fatalf("%s: exit status %d, want %d\n%s", cmd, have, status, out)
	}
	return string(out)
}

// copyFile copies a file to dir.
func copyFile(t *testing.T, from, dir, name string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func readYAML(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The image has nothing but an archive. What it has to do works there: there is no Go, no shell and no library.
func TestImage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can change the root directory")
	}
	r := theRelease(t)
	text, err := os.ReadFile(root + "/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	instruction := func(name string) string {
		m := regexp.MustCompile(`(?m)^`+name+` (.*)$`).FindAllStringSubmatch(string(text), -1)
		if len(m) != 1 {
			t.Fatalf("%d times %s", len(m), name)
		}
		return m[0][1]
	}
	if from := instruction("FROM"); from != "scratch" {
		t.Errorf("it is from %s", from)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		if have, want := strings.NewReplacer("${VERSION}", r.Version, "${TARGETARCH}", arch).Replace(instruction("ADD")), "dist/"+r.archive("linux", arch)+" /"; have != want {
			t.Errorf("it adds %s, want %s", have, want)
		}
	}
	dir := unpack(t, r.here())
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	work := instruction("WORKDIR")
	if err := os.Mkdir(filepath.Join(dir, work), 0o755); err != nil {
		t.Fatal(err)
	}
	copyFile(t, crds, filepath.Join(dir, work), "crd.yaml")
	copyFile(t, samples, filepath.Join(dir, work), "sample.yaml")
	program := strings.Trim(instruction("ENTRYPOINT"), `["]`)
	inside := func(status int, args ...string) string {
		t.Helper()
		if user := instruction("USER"); user != "65532:65532" {
			t.Errorf("it runs as %s", user)
		}
		return command(t, status, &exec.Cmd{Path: program, Args: append([]string{program}, args...), Dir: work, Env: []string{},
			SysProcAttr: &syscall.SysProcAttr{Chroot: dir, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}})
	}
	if out := inside(0, "version"); !strings.Contains(out, ", commit "+r.Commit+"\n") {
		t.Errorf("the version is %s, want the commit %s", out, r.Commit)
	}
	if out := inside(1, "validate", "--crd", "crd.yaml", "sample.yaml"); !strings.Contains(out, refusal) {
		t.Error(out)
	}
	page := inside(0, "explain", "--output", "html", "crd.yaml")
	if !strings.Contains(page, `id="wasm">`+base64.StdEncoding.EncodeToString([]byte("\x1f\x8b\x08"))) {
		t.Error("the page has no engine")
	}
}

// actionInput is an input of the action.
type actionInput struct{ Default string }

// action is action.yml.
type action struct {
	Inputs map[string]actionInput
	Runs   struct {
		Steps []struct {
			Run string
			Env map[string]string
		}
	}
}

// run runs the steps of the action as a runner does, up to the one that fails, and returns what they print.
func (a action) run(t *testing.T, status int, work string, inputs map[string]string) string {
	t.Helper()
	temp := t.TempDir()
	paths := filepath.Join(temp, "path")
	var out strings.Builder
	for i, s := range a.Runs.Steps {
		added, _ := os.ReadFile(paths)
		env := append(os.Environ(), "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP="+temp, "GITHUB_PATH="+paths,
			"PATH="+strings.TrimSpace(string(added))+":"+os.Getenv("PATH"))
		for name, value := range s.Env {
			input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
			if _, known := a.Inputs[input]; !known {
				t.Fatalf("step %d: %s is no input", i, value)
			}
			value, given := inputs[input]
			if !given {
				value = a.Inputs[input].Default
			}
			env = append(env, name+"="+value)
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		cmd.Dir, cmd.Env = work, env
		text, err := cmd.CombinedOutput()
		out.Write(text)
		if err != nil || i == len(a.Runs.Steps)-1 {
			if have := cmd.ProcessState.ExitCode(); have != status {
				t.Fatalf("exit status %d, want %d\n%s", have, status, &out)
			}
			break
		}
	}
	return out.String()
}

// The action takes an archive from where releases are, compares its sum, and runs a command.
func TestAction(t *testing.T) {
	r := theRelease(t)
	var a action
	readYAML(t, root+"/action.yml", &a)
	version := "v" + r.Version
	here, err := filepath.Abs(dist)
	if err != nil {
		t.Fatal(err)
	}
	releases := t.TempDir()
	if err := os.Symlink(here, filepath.Join(releases, version)); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	copyFile(t, crds, work, "crd.yaml")
	copyFile(t, samples, work, "sample.yaml")
	with := func(more ...string) map[string]string {
		inputs := map[string]string{"version": version, "releases": "file://" + releases, "args": "--crd crd.yaml sample.yaml"}
		for i := 0; i < len(more); i += 2 {
			inputs[more[i]] = more[i+1]
		}
		return inputs
	}
	if out := a.run(t, 1, work, with("sarif", "found.sarif")); !strings.Contains(out, "::error file=sample.yaml,line=9,") || !strings.Contains(out, ": OK\n") {
		t.Errorf("the findings are\n%s", out)
	}
	var sarif struct {
		Runs []struct{ Results []struct{ RuleID string } }
	}
	readYAML(t, filepath.Join(work, "found.sarif"), &sarif)
	if len(sarif.Runs) != 1 || len(sarif.Runs[0].Results) == 0 {
		t.Errorf("SARIF has %+v", sarif)
	}
	a.run(t, 0, work, with("command", "lint", "args", "crd.yaml"))
	a.run(t, 0, work, with("command", "diff", "args", "crd.yaml crd.yaml"))
	a.run(t, 2, work, with("command", "generate"))
	if out := a.run(t, 1, work, with("version", "main")); !strings.Contains(out, "::error::main is not a release") {
		t.Error(out)
	}
	// An archive that is not the one that was released is not run.
	forged := filepath.Join(releases, "v9.9.9")
	if err := os.Mkdir(forged, 0o755); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(dist, "prune-gen_"+r.Version+"_checksums.txt"), forged, "prune-gen_9.9.9_checksums.txt")
	copyFile(t, filepath.Join(dist, r.here()), forged, "prune-gen_9.9.9_linux_amd64.tar.gz")
	if out := a.run(t, 1, work, with("version", "v9.9.9")); strings.Contains(out, "OK") || strings.Contains(out, "::error file") {
		t.Error(out)
	}
}

// A repository with a wrong manifest cannot be committed.
func TestHooks(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit is not installed")
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	work, home := t.TempDir(), t.TempDir()
	copyFile(t, crds, work, "crd.yaml")
	copyFile(t, samples, work, "sample.yaml")
	if err := os.WriteFile(filepath.Join(work, "prune-gen.yaml"), []byte("crds: [crd.yaml]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"init", "add ."} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Dir = work
		command(t, 0, cmd)
	}
	bin := unpack(t, theRelease(t).here())
	for hook, status := range map[string]int{"prune-gen-validate-system": 1, "prune-gen-lint-system": 0, "prune-gen-validate": 1, "prune-gen-lint": 0} {
		cmd := exec.Command("pre-commit", "try-repo", here, hook, "--all-files", "--verbose")
		cmd.Dir = work
		path := os.Getenv("PATH")
		if strings.HasSuffix(hook, "-system") {
			path = bin + ":" + path
		}
		cmd.Env = append(os.Environ(), "PRE_COMMIT_HOME="+home, "PATH="+path)
		out := command(t, status, cmd)
		if status == 1 && !strings.Contains(out, refusal) || status == 0 && !strings.Contains(out, "read 1 CRD with 1 version") {
			t.Errorf("%s prints\n%s", hook, out)
		}
	}
}

// Krew takes the file for a platform, compares its sum, and links the program under the name of the plugin.
func TestKrewManifest(t *testing.T) {
	r := theRelease(t)
	var plugin struct {
		Metadata struct{ Name string }
		Spec     struct {
			Version   string
			Platforms []struct {
				Bin, URI, SHA256 string
				Selector         struct{ MatchLabels struct{ OS, Arch string } }
			}
		}
	}
	readYAML(t, dist+"/krew/prunegen.yaml", &plugin)
	if len(plugin.Spec.Platforms) != 6 || plugin.Spec.Version != "v"+r.Version {
		t.Errorf("%+v", plugin.Spec)
	}
	sums := r.sums(t)
	for _, p := range plugin.Spec.Platforms {
		name := r.archive(p.Selector.MatchLabels.OS, p.Selector.MatchLabels.Arch)
		if path.Base(p.URI) != name || p.SHA256 != sums[name] {
			t.Errorf("%s has the sum %s", p.URI, p.SHA256)
		}
		if open(t, name)[p.Bin].data == nil {
			t.Errorf("%s is not in %s", p.Bin, name)
		}
	}
	link := filepath.Join(t.TempDir(), "kubectl-"+plugin.Metadata.Name)
	if err := os.Symlink(filepath.Join(unpack(t, r.here()), "prune-gen"), link); err != nil {
		t.Fatal(err)
	}
	if out := command(t, 0, exec.Command(link, "help", "validate")); !strings.HasPrefix(out, "Usage: kubectl prunegen validate ") {
		t.Errorf("the plugin prints %s", out)
	}
}

// The formula names the archives with their sums, and what it installs is in them.
func TestFormula(t *testing.T) {
	r := theRelease(t)
	text, err := os.ReadFile(dist + "/homebrew/prune-gen.rb")
	if err != nil {
		t.Fatal(err)
	}
	pairs := regexp.MustCompile(`url ".*/([^"/]+)"\s+sha256 "(\w+)"`).FindAllStringSubmatch(string(text), -1)
	if len(pairs) != 4 {
		t.Fatalf("%d archives", len(pairs))
	}
	sums := r.sums(t)
	for _, pair := range pairs {
		if pair[2] != sums[pair[1]] {
			t.Errorf("%s has the sum %s", pair[1], pair[2])
		}
		files := slices.Collect(maps.Keys(open(t, pair[1])))
		for _, m := range regexp.MustCompile(`\w+\.install (?:Dir\[)?"([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
			if !slices.ContainsFunc(files, func(name string) bool { ok, _ := path.Match(m[1], name); return ok }) {
				t.Errorf("%s is not in %s", m[1], pair[1])
			}
		}
	}
}
