package main

import (
	"encoding/ascii85"
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
	compressed := make([]byte, 5)
	ascii85.Encode(compressed, []byte("\x1f\x8b\x08\x00"))
	if !strings.Contains(page, `id="wasm">`+string(compressed)) {
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
				t.Fatalf("step %d: %s is not an input", i, value)
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
	a.run(t, 1, work, with("args", "--crd crd.yaml\ncrd.yaml\nsample.yaml\n"))
	a.run(t, 0, work, with("command", "lint", "args", "crd.yaml"))
	a.run(t, 0, work, with("command", "diff", "args", "crd.yaml crd.yaml"))
	a.run(t, 2, work, with("command", "generate"))
	a.run(t, 2, work, with("command", "lint", "args", "")) // there is no prune-gen.yaml
	a.run(t, 2, work, with("args", "--nope", "sarif", "none.sarif"))
	if _, err := os.Stat(filepath.Join(work, "none.sarif")); err == nil {
		t.Error("SARIF of a command that did not run")
	}
	if a.Inputs["version"].Default == "" || a.Inputs["releases"].Default == "" {
		t.Errorf("the defaults are %+v", a.Inputs)
	}
	for _, version := range []string{"main", "", version + "/../" + version, version + "\n::warning::x"} {
		if out := a.run(t, 1, work, with("version", version)); out != "::error::version is not that of a release, such as v0.1.0\n" {
			t.Errorf("%q: %s", version, out)
		}
	}
	if out := a.run(t, 1, work, with("version", "v8.8.8")); !strings.HasSuffix(out, "::error::prune-gen_8.8.8_linux_amd64.tar.gz cannot be downloaded\n") {
		t.Error(out)
	}
	// An archive that is not the one that was released is not run.
	forged := filepath.Join(releases, "v9.9.9")
	if err := os.Mkdir(forged, 0o755); err != nil {
		t.Fatal(err)
	}
	const archive = "prune-gen_9.9.9_linux_amd64.tar.gz"
	copyFile(t, filepath.Join(dist, r.here()), forged, archive)
	for sum, want := range map[string]string{
		strings.Repeat("0", 64) + "  " + archive + "\n": "::error::" + archive + " is not what was released\n",
		strings.Repeat("0", 64) + "  other.tar.gz\n":    "::error::there is no checksum of " + archive + "\n",
	} {
		if err := os.WriteFile(filepath.Join(forged, "prune-gen_9.9.9_checksums.txt"), []byte(sum), 0o644); err != nil {
			t.Fatal(err)
		}
		if out := a.run(t, 1, work, with("version", "v9.9.9")); !strings.HasSuffix(out, want) {
			t.Error(out)
		}
	}
}

// A repository with a wrong manifest cannot be committed, one with a right manifest can, whatever other files it has.
func TestHooks(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit is not installed")
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(root + "/examples/install/pre-commit.yaml")
	if err != nil {
		t.Fatal(err)
	}
	head := strings.TrimSpace(command(t, 0, exec.Command("git", "-C", root, "rev-parse", "HEAD")))
	local := regexp.MustCompile(`rev: \S+`).ReplaceAllLiteralString(strings.Replace(string(config), "https://github.com/prune-gen/prune-gen", here, 1), "rev: "+head)
	home, bin := t.TempDir(), unpack(t, theRelease(t).here())
	for _, config := range []string{regexp.MustCompile(`(id: \S+)`).ReplaceAllString(local, "$1-system"), local} {
		work := t.TempDir()
		write := func(name, text string) {
			t.Helper()
			file := filepath.Join(work, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		inside := func(status int, name string, args ...string) string {
			t.Helper()
			cmd := exec.Command(name, args...)
			cmd.Dir = work
			cmd.Env = append(os.Environ(), "PRE_COMMIT_HOME="+home, "PATH="+bin+":"+os.Getenv("PATH"))
			return command(t, status, cmd)
		}
		write(".pre-commit-config.yaml", config)
		write("config/crd/bases/kept", "")
		write("config/samples/kept", "")
		copyFile(t, crds, filepath.Join(work, "config/crd/bases"), "crd.yaml")
		copyFile(t, samples, filepath.Join(work, "config/samples"), "sample.yaml")
		inside(0, "git", "init", "--quiet")
		inside(0, "git", "add", ".")
		if out := inside(1, "pre-commit", "run", "--verbose"); !strings.Contains(out, refusal) || !strings.Contains(out, "read 1 CRD with 1 version") {
			t.Errorf("the hooks print\n%s", out)
		}
		write("config/samples/sample.yaml", "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a}\nspec: {cronSpec: '0 3 * * *', image: a, replicas: 1}\n")
		write("compose.yaml", "services: {}\n")
		inside(0, "git", "add", ".")
		inside(0, "pre-commit", "run", "--verbose", "--all-files")
		inside(0, "pre-commit", "run", "--verbose", "--files", "compose.yaml")
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
