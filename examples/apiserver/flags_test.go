package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// run runs a server that is to end by itself, and returns its exit code and what it said.
func run(t *testing.T, env []string, flags ...string) (int, string) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return runCommand(t, env, path, flags...)
}

// runCommand runs a command, and returns its exit code and what it said.
func runCommand(t *testing.T, env []string, name string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// A server refuses flags that it would have to ignore, and leaves no files.
func TestFlagsAreRefused(t *testing.T) {
	for _, c := range []struct {
		flags string
		code  int
		want  string
	}{
		{"--local yes", 2, `unexpected arguments ["yes"]`},
		{"--local --nonsense", 2, "unknown flag: --nonsense"},
		{"--local --secure-port=0", 1, "--secure-port 0 must be between 1 and 65535"},
		{"--local --bind-address=0.0.0.0", 1, "not with --bind-address=0.0.0.0"},
		{"--local --kubeconfig=k", 1, "--kubeconfig has no effect with --local"},
		{"--local --authorization-kubeconfig=k --client-ca-file=c", 1, "--client-ca-file has no effect with --local"},
		{"--local --disable-admission-plugins=NamespaceLifecycle", 1, "--disable-admission-plugins has no effect with --local"},
		{"--local --enable-priority-and-fairness=true", 1, "--enable-priority-and-fairness needs a cluster"},
		{"--local --data-dir=d --etcd-servers=http://127.0.0.1:1", 1, "--data-dir is for the embedded etcd"},
		{"--local --etcd-servers-overrides=/crontabs#http://127.0.0.1:1 --etcd-servers=http://127.0.0.1:1 --data-dir=d", 1, "--etcd-servers-overrides has no effect"},
		{"--local --storage-media-type=application/vnd.kubernetes.protobuf", 1, "--storage-media-type has no effect"},
		{"--local --feature-gates=Nonsense=true", 1, "unrecognized feature gate: Nonsense"},
		{"--local --request-timeout=-1s", 1, "--request-timeout can not be negative"},
		{"--kubeconfig=k", 1, "--data-dir or --etcd-servers must say where the data is kept"},
	} {
		temp := t.TempDir()
		code, out := run(t, []string{"TMPDIR=" + temp}, strings.Fields(c.flags)...)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d, want %d and %q: %s", c.flags, code, c.code, c.want, out)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", c.flags, left, err)
		}
	}
}

// A server that cannot use its data prints why, besides its exit code.
func TestServerSaysWhyItDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	p := start(t, "--data-dir", dir)
	code, out := run(t, nil, "--local", "--secure-port=1", "--data-dir", dir)
	if code != 1 || !strings.Contains(out, dir+" is in use by another server") {
		t.Errorf("a second server: exit code %d: %s", code, out)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	// Nothing is wrong with a first start.
	if errs := regexp.MustCompile(`(?m)^E.*|.*"level":.*`).FindAllString(p.stderr.String(), -1); len(errs) > 0 {
		t.Errorf("the first server logs %q", errs)
	}
}

// A full disk ends the server, which says so. So does the next one, even if the database has what the log of etcd has not, and etcd waits for it.
func TestServerSaysThatTheDiskIsFull(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("unshare", "--mount", "--map-root-user", "true").CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be made here: %v %s", err, out)
	}
	dir := t.TempDir()
	// etcd claims 64 MB for its log at once; the rest is for the database.
	const script = `mount -t tmpfs -o size=66m tmpfs "$1" && mkdir "$1/d" && shift && "$@" ; echo "first: exit code $?"; "$@"; echo "second: exit code $?"`
	port := freePort(t)
	cmd := exec.Command("unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", dir, path, "--local", "--data-dir", filepath.Join(dir, "d"), "--secure-port="+port)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	p := newProcess("https://127.0.0.1:" + port)
	for i := 0; ; i++ {
		select {
		case err := <-done:
			text := out.String()
			for _, want := range []string{`"level":"(error|fatal|panic)".*no space left on device`, `first: exit code [12]`, `(?s)first: .*no space left on device.*second: exit code [12]`} {
				if !regexp.MustCompile(want).MatchString(text) {
					t.Errorf("%v: the server does not say %s:\n%s", err, want, text)
				}
			}
			return
		case <-time.After(10 * time.Millisecond):
			body := strings.Replace(cronTab("n"), `{"name":"n"}`, `{"generateName":"n","annotations":{"a":"`+strings.Repeat("x", 200_000)+`"}}`, 1)
			p.do(t.Context(), "POST", cronTabs, body)
		}
		if i > 3000 {
			cmd.Process.Kill()
			t.Fatalf("the server does not end:\n%s", &out)
		}
	}
}

// Flags do what they say with --local as well.
func TestFlagsTakeEffectLocally(t *testing.T) {
	p := start(t, "--profiling=false", "--shutdown-delay-duration=1h", "--max-mutating-requests-inflight=1")
	if code, body, err := p.do(t.Context(), "GET", "/debug/pprof/", ""); err != nil || code != http.StatusNotFound {
		t.Errorf("profiling: %d %.200s, %v", code, body, err)
	}
	var refused sync.Map
	var writing sync.WaitGroup
	for range 16 {
		writing.Go(func() {
			for range 20 {
				if code, _, err := p.do(t.Context(), "POST", cronTabs, strings.Replace(cronTab("n"), `"name"`, `"generateName"`, 1)); err == nil {
					refused.Store(code, true)
				}
			}
		})
	}
	writing.Wait()
	if _, ok := refused.Load(http.StatusTooManyRequests); !ok {
		t.Error("no write was one too many")
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for { // until the signal has arrived
		code, body, err := p.do(t.Context(), "GET", "/readyz", "")
		if err == nil && code == http.StatusInternalServerError {
			break
		}
		if err != nil || code != http.StatusOK {
			t.Fatalf("/readyz of a server that ends: %d %s, %v", code, body, err)
		}
	}
	if code, body, err := p.do(t.Context(), "GET", cronTabs, ""); err != nil || code != http.StatusOK {
		t.Errorf("a server that ends, but not yet: %d %s, %v", code, body, err)
	}
}

// A body that trickles in ends with the timeout of its request: others can write then.
func TestTricklingBodiesEnd(t *testing.T) {
	p := start(t, "--request-timeout=1s", "--max-mutating-requests-inflight=1")
	// Go's client would end the request when it is answered.
	conn, err := tls.Dial("tcp", strings.TrimPrefix(p.URL, "https://"), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n", cronTabs)
	var trickling sync.WaitGroup
	trickling.Go(func() {
		for {
			if _, err := conn.Write([]byte(" ")); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	defer trickling.Wait()
	defer conn.Close()
	for _, want := range []int{http.StatusTooManyRequests, http.StatusCreated} {
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			code, body, err := p.do(t.Context(), "POST", cronTabs+"?dryRun=All", cronTab("a"))
			if err != nil {
				t.Fatal(err)
			}
			if code == want {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("another write: %d, want %d: %s", code, want, body)
			}
		}
	}
}

// The cost of an object with many errors is bounded by its size, however it is written.
func TestManyErrorsAreCheap(t *testing.T) {
	p := start(t)
	if code, body, err := p.do(t.Context(), "POST", cronTabs, cronTab("a")); err != nil || code != http.StatusCreated {
		t.Fatalf("%d %s, %v", code, body, err)
	}
	allocated := func() float64 {
		t.Helper()
		_, body, err := p.do(t.Context(), "GET", "/metrics", "")
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`(?m)^go_memstats_alloc_bytes_total (.*)$`).FindSubmatch(body)
		if found == nil {
			t.Fatal("/metrics does not say how much was allocated")
		}
		total, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	labels := &strings.Builder{}
	for i := range 3000 {
		fmt.Fprintf(labels, `"-%d":"v",`, i)
	}
	bad := func(name string) string {
		return strings.NewReplacer(`"metadata":{`, `"metadata":{"labels":{`+strings.TrimSuffix(labels.String(), ",")+`},`, `,"odd":1`, ``).Replace(cronTab(name))
	}
	for _, c := range []struct{ method, path, body string }{
		{"POST", cronTabs, bad("b")},
		{"PUT", cronTabs + "/a", strings.Replace(bad("a"), `"metadata":{`, `"metadata":{"resourceVersion":"2",`, 1)},
		{"PATCH", cronTabs + "/a?fieldManager=m&force=true", bad("a")},
		{"PATCH", cronTabs + "/b?fieldManager=m&force=true", bad("b")},
	} {
		before := allocated()
		code, body, err := p.do(t.Context(), c.method, c.path, c.body)
		if err != nil || code != http.StatusUnprocessableEntity {
			t.Fatalf("%s %s: %d %.1000s, %v", c.method, c.path, code, body, err)
		}
		if used := allocated() - before; used > 200*float64(len(body)) {
			t.Errorf("%s %s: %.0f bytes for an answer of %d", c.method, c.path, used, len(body))
		}
	}
}

// A server that ends does not wait for watches as long as for requests.
func TestWatchesEndWithTheServer(t *testing.T) {
	p := start(t, "--request-timeout=24h")
	watch, err := p.client.Get(p.URL + cronTabs + "?watch=1")
	if err != nil || watch.StatusCode != http.StatusOK {
		t.Fatal(watch, err)
	}
	defer watch.Body.Close()
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("%v\n%s", err, p.stderr)
	}
}

// kubectl and others parse the version of a server.
func TestVersionIsOne(t *testing.T) {
	_, body, err := start(t).do(t.Context(), "GET", "/version", "")
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ Major, Minor, GitVersion, GitCommit string }
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^v1\.[0-9]+\.[0-9]+$`).MatchString(v.GitVersion) || !strings.HasPrefix(v.GitVersion, "v"+v.Major+"."+v.Minor+".") || strings.Contains(v.GitCommit, "$") {
		t.Errorf("/version: %s", body)
	}
}
