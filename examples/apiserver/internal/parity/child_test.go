package parity

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/kube/apiserver"
	"github.com/prune-gen/prune-gen/kube/apiserver/options"
	"github.com/prune-gen/prune-gen/kube/servertest"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// childVariable says, in a process that is a server: ours or theirs, how many copies of the first kind, and the directory of the CRDs.
const childVariable = "PARITY_SERVE"

func TestMain(m *testing.M) {
	if args := strings.Fields(os.Getenv(childVariable)); len(args) == 3 {
		if err := runServer(context.Background(), args[0], args[1], args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// readyLine is what a server prints when it serves.
type readyLine struct {
	URL string
	// Seconds is how long it took from the start.
	Seconds float64
	// Collections are the paths of the kinds.
	Collections []string
	APIVersion  string
	Kinds       []string
}

// memoryLine is the answer to the commands resident and memory, in bytes.
type memoryLine struct {
	// Heap is what is reachable: only memory knows it. Resident is what the process occupies, for memory after it gave back what
	// it could.
	Heap, Resident uint64
}

// runServer runs one of the servers with copies of the first kind, and then does what its standard input says: resident, memory,
// profile FILE, stop. It ends with its input.
func runServer(ctx context.Context, side, kinds, crdDir string) error {
	n, err := strconv.Atoi(kinds)
	if err != nil {
		return err
	}
	crd, err := os.ReadFile(filepath.Join(crdDir, "0-0.yaml"))
	if err != nil {
		return err
	}
	crds, definitions, err := copies(crd, n)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ready := readyLine{APIVersion: definitions[0].Group + "/" + definitions[0].Storage}
	for _, d := range definitions {
		ready.Kinds = append(ready.Kinds, d.Names.Kind)
		ready.Collections = append(ready.Collections, server.Path(d.Group, d.Storage, "default", d.Names.Plural))
	}
	for i, crd := range crds {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), crd, 0o600); err != nil {
			return err
		}
	}
	started := time.Now()
	switch side {
	case "memory":
		server.Quiet()
		s, err := servertest.Start(servertest.Options{CRDs: []string{dir}, Linked: &prunert.Set{}})
		if err != nil {
			return err
		}
		defer s.Stop()
		ready.URL, ready.Seconds = s.Config.Host, time.Since(started).Seconds()
	case "ours":
		url, stop, err := serveLocally(ctx, definitions)
		if err != nil {
			return err
		}
		defer stop()
		ready.URL, ready.Seconds = url, time.Since(started).Seconds()
	case "theirs":
		s, err := server.StartWith(ctx, filepath.Join(dir, "etcd"), server.Options{TLS: true, WatchCache: true})
		if err != nil {
			return err
		}
		defer s.Close()
		if err := s.InstallCRDs(ctx, crds...); err != nil {
			return err
		}
		ready.URL, ready.Seconds = s.URL, time.Since(started).Seconds()
	default:
		return fmt.Errorf("there is no side %s", side)
	}
	return command(ready)
}

// serveLocally runs what the flag --local runs: TLS, watch caches and an etcd in a temporary directory.
func serveLocally(ctx context.Context, definitions []*apiserver.Definition) (url string, stop func(), err error) {
	server.Quiet()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	opts := options.New()
	opts.Local = true
	opts.Recommended.SecureServing.Listener = listener
	opts.Recommended.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- opts.Serve(ctx, definitions) }()
	url = "https://" + listener.Addr().String()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer client.CloseIdleConnections()
	for {
		if resp, err := client.Get(url + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return url, func() { cancel(); <-ended }, nil
			}
		}
		select {
		case err := <-ended:
			cancel()
			return "", nil, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// command does what the standard input says.
func command(ready readyLine) error {
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(ready); err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "resident":
			if err := out.Encode(memoryLine{Resident: resident()}); err != nil {
				return err
			}
		case "memory":
			if err := out.Encode(memory()); err != nil {
				return err
			}
		case "profile":
			f, err := os.Create(rest)
			if err != nil {
				return err
			}
			defer f.Close()
			if err := pprof.StartCPUProfile(f); err != nil {
				return err
			}
			if err := out.Encode("profiling"); err != nil {
				return err
			}
		case "stop":
			pprof.StopCPUProfile()
			if err := out.Encode("stopped"); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown command %q", in.Text())
		}
	}
	return in.Err()
}

func memory() memoryLine {
	runtime.GC()
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return memoryLine{Heap: stats.HeapAlloc, Resident: resident()}
}

// resident returns what the process occupies.
func resident() uint64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0 // there is no such file on this system
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(fields[1], 10, 64)
	return pages * uint64(os.Getpagesize())
}

// copies returns a CRD under n names, and links its code under them.
func copies(crd []byte, n int) (crds [][]byte, definitions []*apiserver.Definition, err error) {
	original, err := apiserver.Definitions(crd)
	if err != nil {
		return nil, nil, err
	}
	d := original[0]
	for i := range n {
		var obj map[string]any
		if err := yaml.Unmarshal(crd, &obj); err != nil {
			return nil, nil, err
		}
		kind, plural := fmt.Sprintf("%s%d", d.Names.Kind, i), fmt.Sprintf("%s%d", d.Names.Plural, i)
		obj["metadata"] = map[string]any{"name": plural + "." + d.Group}
		obj["spec"].(map[string]any)["names"] = map[string]any{"kind": kind, "plural": plural}
		data, err := yaml.Marshal(obj)
		if err != nil {
			return nil, nil, err
		}
		found, err := apiserver.Definitions(data)
		if err != nil {
			return nil, nil, err
		}
		crds, definitions = append(crds, bytes.Clone(data)), append(definitions, found...)
		for _, v := range d.Versions {
			if r, ok := prunert.Lookup(d.Group, v.Name, d.Names.Kind); ok {
				r.Kind, r.Plural, r.ListKind = kind, plural, ""
				prunert.Register(r)
			}
		}
	}
	return crds, definitions, nil
}
