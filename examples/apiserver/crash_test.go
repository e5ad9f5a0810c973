package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/prune-gen/prune-gen/kube/apiserver/embedded"
)

// asServer is the variable that makes the test binary, without flags of tests, the server: what is tested is what the tests were
// built with.
const asServer = "TEST_AS_APISERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" && !(len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "-test.")) {
		main()
		return
	}
	os.Setenv(asServer, "yes") // of those that the tests start
	os.Exit(runTests(m))
}

// runTests runs the tests, which have to leave no files: those of a server that was killed are large.
func runTests(m *testing.M) int {
	temp, err := os.MkdirTemp("", "apiserver-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(temp)
	os.Setenv("TMPDIR", temp)
	code := m.Run()
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		fmt.Fprintf(os.Stderr, "left behind: %v, %v\n", left, err)
		return 1
	}
	return code
}

// The variable does not turn a run of the tests into a server.
func TestTestsRunWithTheVariable(t *testing.T) {
	if code, out := run(t, nil, "-test.run=^$"); code != 0 || !strings.HasSuffix(out, "PASS\n") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// process is a server in a process of its own.
type process struct {
	URL    string
	token  string // of whoever sends the requests
	client *http.Client
	cmd    *exec.Cmd
	stderr *bytes.Buffer
}

func newProcess(url string) *process {
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	return &process{URL: url, client: client, stderr: &bytes.Buffer{}}
}

// freePort returns a port on loopback that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// start runs a server with --local on a free port and waits until it is ready.
func start(t *testing.T, flags ...string) *process {
	t.Helper()
	return startWith(t, append(flags, "--local")...)
}

// startWith runs a server on a free port and waits until it is ready.
func startWith(t *testing.T, flags ...string) *process {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startCommand(t, path, flags...)
}

// startCommand runs a command that becomes a server on a free port, and waits until the server is ready.
func startCommand(t *testing.T, name string, args ...string) *process {
	t.Helper()
	port := freePort(t)
	p := newProcess("https://127.0.0.1:" + port)
	p.cmd = exec.Command(name, append(args, "--secure-port="+port)...)
	p.cmd.Stderr = p.stderr
	p.cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // a server that is killed removes nothing
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.end(syscall.SIGKILL) })
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if resp, err := p.client.Get(p.URL + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return p
			}
		}
	}
	p.end(syscall.SIGKILL)
	t.Fatalf("the server is not ready: %s", p.stderr)
	return nil
}

// end sends a signal, waits for the process to be gone and returns what it ended with.
func (p *process) end(signal syscall.Signal) error {
	if p.cmd.ProcessState != nil {
		return nil
	}
	if err := p.cmd.Process.Signal(signal); err != nil {
		return err
	}
	return p.cmd.Wait()
}

// do sends a request and returns the code and the body of the answer.
func (p *process) do(ctx context.Context, method, path, body string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/apply-patch+yaml")
	}
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return resp.StatusCode, data, err
}

const cronTabs = "/apis/stable.example.com/v1/namespaces/default/crontabs"

// cronTab returns a CronTab with a field that its schema does not know.
func cronTab(name string) string {
	return fmt.Sprintf(`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":%q},"spec":{"cronSpec":"* * * * *","image":%q,"odd":1}}`, name, name)
}

// Acknowledged writes exist after a crash, pruned, and nothing else does. Each crash comes after a number of writes, while others are in
// flight.
func TestNothingAcknowledgedIsLostInACrash(t *testing.T) {
	const crashes, writers = 3, 4
	dir := t.TempDir()
	acknowledged := map[string]bool{}
	attempted := map[string]bool{}
	for crash := range crashes {
		p := start(t, "--data-dir", dir)
		check(t, p, acknowledged, attempted)
		left := 50 + 7*crash
		var mu sync.Mutex
		var writing sync.WaitGroup
		for w := range writers {
			writing.Go(func() {
				for i := 0; ; i++ {
					name := fmt.Sprintf("c%d-w%d-%d", crash, w, i)
					mu.Lock()
					attempted[name] = true
					mu.Unlock()
					code, body, err := p.do(t.Context(), "POST", cronTabs, cronTab(name))
					if err != nil {
						return // the server is gone
					}
					if code != http.StatusCreated {
						t.Errorf("create %s: %d %s", name, code, body)
						return
					}
					mu.Lock()
					acknowledged[name] = true
					if left--; left == 0 {
						p.cmd.Process.Kill()
					}
					mu.Unlock()
				}
			})
		}
		writing.Wait()
		if left > 0 {
			t.Errorf("the server ended by itself, %d writes before it was killed:\n%s", left, p.stderr)
		}
		p.end(syscall.SIGKILL)
	}
	p := start(t, "--data-dir", dir)
	check(t, p, acknowledged, attempted)
	t.Logf("%d writes acknowledged, %d attempted, %d crashes", len(acknowledged), len(attempted), crashes)
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("a server that is asked to end: %v\n%s", err, p.stderr)
	}
}

// check compares what the server has with what it should have.
func check(t *testing.T, p *process, acknowledged, attempted map[string]bool) {
	t.Helper()
	code, body, err := p.do(t.Context(), "GET", cronTabs, "")
	if err != nil || code != http.StatusOK {
		t.Fatalf("list: %d %s, %v", code, body, err)
	}
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Spec     map[string]any
		}
	}
	if err := json.Unmarshal(body, &list); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, item := range list.Items {
		name := item.Metadata.Name
		found[name] = true
		if !attempted[name] {
			t.Errorf("%s is there, and nobody created it", name)
		}
		if _, ok := item.Spec["odd"]; ok || item.Spec["image"] != name {
			t.Errorf("%s has the spec %v", name, item.Spec)
		}
	}
	for name := range acknowledged {
		if !found[name] {
			t.Errorf("%s was acknowledged, and is lost", name)
		}
	}
}

// One object that cannot be read keeps its own kind from being served, and no other.
func TestUnreadableObjectStopsItsOwnKind(t *testing.T) {
	dir := t.TempDir()
	p := start(t, "--data-dir", dir)
	if code, body, err := p.do(t.Context(), "POST", machines, machine); err != nil || code != http.StatusCreated {
		t.Fatalf("%d %s, %v", code, body, err)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	etcd, err := embedded.Start(t.Context(), dir, embedded.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{etcd.URL}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Put(t.Context(), "/registry/stable.example.com/crontabs/default/future", strings.Replace(cronTab("future"), "/v1", "/v2", 1)); err != nil {
		t.Fatal(err)
	}
	client.Close()
	etcd.Close()

	p = start(t, "--data-dir", dir, "--storage-initialization-timeout=1s")
	if code, body, err := p.do(t.Context(), "GET", machines, ""); err != nil || code != http.StatusOK || !strings.Contains(string(body), `"serial":"A-1234"`) {
		t.Errorf("another kind: %d %s, %v", code, body, err)
	}
	for path, want := range map[string]int{"/future": http.StatusInternalServerError, "": http.StatusTooManyRequests, "?limit=500": http.StatusInternalServerError, "?watch=1": http.StatusTooManyRequests} {
		if code, body, err := p.do(t.Context(), "GET", cronTabs+path, ""); err != nil || code != want || !strings.Contains(string(body), "from an invalid group/version: stable.example.com/v2") {
			t.Errorf("get %q: %d, want %d: %s, %v", path, code, want, body, err)
		}
	}
	// Whoever wants to lose it can.
	if code, body, err := p.do(t.Context(), "DELETE", cronTabs+"/future?ignoreStoreReadErrorWithClusterBreakingPotential=true", ""); err != nil || code != http.StatusOK {
		t.Errorf("delete it: %d %s, %v", code, body, err)
	}
	if code, body, err := p.do(t.Context(), "POST", cronTabs, cronTab("a")); err != nil || code != http.StatusCreated {
		t.Errorf("its kind after that: %d %s, %v", code, body, err)
	}
}

const (
	machines = "/apis/fleet.example.com/v1alpha1/machines"
	machine  = `{"apiVersion":"fleet.example.com/v1alpha1","kind":"Machine","metadata":{"name":"m"},"spec":{"serial":"A-1234"}}`
)
