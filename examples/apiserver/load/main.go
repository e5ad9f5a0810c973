// Load runs this API server, as --local starts it, and the one of CustomResourceDefinitions, one after the other on the same
// machine, both with TLS and watch caches, with 1, 50 and 200 kinds, under load from several clients, and prints what they do in
// a second, how long they take to decode and to validate, and what they hold in memory before and after.
//
// Run it in examples/apiserver: go run ./load
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/prune-gen/prune-gen/examples/apiserver/internal/drive"
	"github.com/prune-gen/prune-gen/examples/apiserver/internal/scratch"
)

func main() {
	kinds := flag.String("kinds", "1,50,200", "how many kinds to serve, one table row each")
	clients := flag.Int("clients", 4, "how many clients send requests at the same time")
	duration := flag.Duration("duration", 5*time.Second, "for how long they do")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *kinds, *clients, *duration); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kinds string, clients int, duration time.Duration) error {
	dir, err := os.MkdirTemp("", "load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := scratch.Build(ctx, "../..", dir, scratch.Source{Module: scratch.Certificates.Module, Files: scratch.Certificates.Files[:1]})
	if err != nil {
		return err
	}
	fmt.Printf("Certificate of %s, under that many names; %d clients: create, get, patch, list 10, delete.\n", scratch.Certificates.Module, clients)
	fmt.Println("decode: CPU time between bytes and object, of requests and of etcd, for each request; validate: the same for validation.")
	fmt.Println("ready: from the start until objects of all kinds can be created; their server lets two seconds pass after the last CRD.")
	fmt.Println("heap: what is reachable after one object of each kind was written and read; resident: what the process, etcd included, occupies then.")
	fmt.Println("loaded: what it occupies when the load ends; idle: what it occupies after it gave back what it could.")
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "kinds\tserver\tready s\theap MB\tresident MB\trequests/s\tdecode µs\tvalidate µs\tof CPU %\tloaded MB\tidle MB\t")
	var same []string
	for text := range strings.SplitSeq(kinds, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		var both []*figures
		for _, side := range []drive.Side{drive.Theirs, drive.Ours} {
			f, err := measure(ctx, program, side, n, clients, duration, filepath.Join(dir, "profile"))
			if err != nil {
				return fmt.Errorf("%s with %d kinds: %w", side, n, err)
			}
			fmt.Fprintf(out, "%d\t%s\t%.1f\t%.0f\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\t%.0f\t%.0f\t\n",
				n, side, f.ready, f.heap, f.resident, f.rate, f.decode, f.validate, f.share, f.loaded, f.idle)
			fmt.Fprintf(os.Stderr, "%s with %d kinds: done\n", side, n)
			both = append(both, f)
		}
		same = append(same, alike(n, both[0], both[1])...)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if len(same) > 0 {
		fmt.Printf("No difference, or less than a tenth: %s.\n", strings.Join(same, "; "))
	}
	return nil
}

// alike names the figures in which two lines differ by less than a tenth.
func alike(kinds int, a, b *figures) []string {
	var names []string
	for _, f := range []struct {
		name string
		a, b float64
	}{
		{"ready", a.ready, b.ready}, {"heap", a.heap, b.heap}, {"resident", a.resident, b.resident}, {"requests/s", a.rate, b.rate},
		{"decode", a.decode, b.decode}, {"validate", a.validate, b.validate}, {"loaded", a.loaded, b.loaded}, {"idle", a.idle, b.idle},
	} {
		if math.Abs(f.a-f.b) < 0.1*max(f.a, f.b) {
			names = append(names, fmt.Sprintf("%s with %d kinds", f.name, kinds))
		}
	}
	return names
}

// figures are what a line of the table says.
type figures struct {
	ready, heap, resident, rate, decode, validate, share, loaded, idle float64
}

// child is a server in a process of its own.
type child struct {
	drive.Ready
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(ctx context.Context, program *scratch.Program, side drive.Side, kinds int) (*child, error) {
	c := &child{cmd: exec.CommandContext(ctx, program.Path, "serve", string(side), strconv.Itoa(kinds), program.CRDs)}
	c.cmd.Stderr = os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(stdout)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	return c, c.read(&c.Ready)
}

func (c *child) read(v any) error {
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

func (c *child) command(text string, answer any) error {
	if _, err := fmt.Fprintln(c.in, text); err != nil {
		return err
	}
	return c.read(answer)
}

// body returns an object of a kind.
func (c *child) body(kind, name string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q,"labels":{"app":"web"}},"spec":{"secretName":"web-tls","duration":"2160h",
	"commonName":"example.org","dnsNames":["example.org","www.example.org"],"privateKey":{"algorithm":"RSA","size":2048,"rotationPolicy":"Always"},
	"subject":{"organizations":["example"],"countries":["DE"]},"secretTemplate":{"labels":{"a":"b"},"annotations":{"c":"d"}},
	"additionalOutputFormats":[{"type":"CombinedPEM"}],"issuerRef":{"name":"ca","kind":"ClusterIssuer","group":"cert-manager.io"},
	"keystores":{"jks":{"create":true,"passwordSecretRef":{"name":"jks","key":"password"}}},"unknown":{"a":[1,2,3]}}}`, c.APIVersion, kind, name)
}

// measure runs one server and returns its line.
func measure(ctx context.Context, program *scratch.Program, side drive.Side, kinds, clients int, duration time.Duration, profile string) (*figures, error) {
	c, err := start(ctx, program, side, kinds)
	if err != nil {
		return nil, err
	}
	defer func() {
		c.in.Close()
		c.cmd.Wait()
	}()
	f := &figures{ready: c.Seconds}
	for i, path := range c.Collections {
		if err := c.send(ctx, "POST", path, "application/json", c.body(c.Kinds[i], "first"), http.StatusCreated); err != nil {
			return nil, err
		}
		if err := c.send(ctx, "GET", path+"/first", "", "", http.StatusOK); err != nil {
			return nil, err
		}
	}
	var m drive.Memory
	if err := c.command("memory", &m); err != nil {
		return nil, err
	}
	f.heap, f.resident = megabytes(m.Heap), megabytes(m.Resident)

	var said string
	if err := c.command("profile "+profile, &said); err != nil {
		return nil, err
	}
	requests, took, err := c.load(ctx, clients, duration)
	if err != nil {
		return nil, err
	}
	if err := c.command("resident", &m); err != nil {
		return nil, err
	}
	f.loaded = megabytes(m.Resident)
	if err := c.command("stop", &said); err != nil {
		return nil, err
	}
	if err := c.command("memory", &m); err != nil {
		return nil, err
	}
	f.idle = megabytes(m.Resident)
	f.rate = float64(requests) / took.Seconds()
	return f, f.readProfile(ctx, program.Path, profile, requests)
}

func megabytes(bytes uint64) float64 { return float64(bytes) / (1 << 20) }

// load lets clients send requests and returns how many were answered, in which time.
func (c *child) load(ctx context.Context, clients int, duration time.Duration) (int64, time.Duration, error) {
	var requests atomic.Int64
	var failed atomic.Pointer[error]
	var busy sync.WaitGroup
	started := time.Now()
	end := started.Add(duration)
	for client := range clients {
		busy.Go(func() {
			for i := 0; time.Now().Before(end) && failed.Load() == nil; i++ {
				name := fmt.Sprintf("o%d-%d", client, i)
				path := c.Collections[i%len(c.Collections)]
				kind := c.Kinds[i%len(c.Collections)]
				for _, r := range []struct {
					method, path, mediaType, body string
					code                          int
				}{
					{"POST", path, "application/json", c.body(kind, name), http.StatusCreated},
					{"GET", path + "/" + name, "", "", http.StatusOK},
					{"PATCH", path + "/" + name, "application/merge-patch+json", `{"spec":{"duration":"240h","unknown":1}}`, http.StatusOK},
					{"GET", path + "?limit=10", "", "", http.StatusOK},
					{"DELETE", path + "/" + name, "", "", http.StatusOK},
				} {
					if err := c.send(ctx, r.method, r.path, r.mediaType, r.body, r.code); err != nil {
						failed.Store(&err)
						return
					}
					requests.Add(1)
				}
			}
		})
	}
	busy.Wait()
	if err := failed.Load(); err != nil {
		return 0, 0, *err
	}
	return requests.Load(), time.Since(started), nil
}

// client speaks HTTP/2 over TLS, as clients of Kubernetes do.
var client = &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

// send sends a request and wants an answer with that code.
func (c *child) send(ctx context.Context, method, path, mediaType, body string, code int) error {
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	if mediaType != "" {
		req.Header.Set("Content-Type", mediaType)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != code {
		err = fmt.Errorf("%s %s: %d %s", method, path, resp.StatusCode, data)
	}
	return err
}

// The functions of both servers that all time of a step is spent in.
var (
	decoding   = regexp.MustCompile(`serializer/versioning\.\(\*codec\)\.Decode$|/serve\.\(\*storageCodec\)\.Decode$`)
	validating = regexp.MustCompile(`/customresource\.(customResourceStrategy|statusStrategy)\.Validate(Update)?$|/kube\.\(\*Strategy\)\.Validate(Update)?$`)
	totalLine  = regexp.MustCompile(`of ([0-9.]+)(ms|s) total|Total samples = ([0-9.]+)(ms|s)`)
	funcLine   = regexp.MustCompile(`^\s*\S+\s+\S+\s+\S+\s+([0-9.]+)(ms|s|mins)?\s+\S+\s+(.*?)( \(inline\))?$`)
)

// readProfile reads how much of the CPU time went into decoding and validating.
func (f *figures) readProfile(ctx context.Context, program, profile string, requests int64) error {
	out, err := exec.CommandContext(ctx, "go", "tool", "pprof", "-top", "-cum", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0", program, profile).Output()
	if err != nil {
		return fmt.Errorf("read the profile: %w", err)
	}
	var total, decode, validate float64
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if m := totalLine.FindStringSubmatch(line); m != nil && total == 0 {
			total = seconds(m[1]+m[3], m[2]+m[4])
		}
		m := funcLine.FindStringSubmatch(line)
		switch {
		case m == nil:
		case decoding.MatchString(m[3]):
			decode += seconds(m[1], m[2])
		case validating.MatchString(m[3]):
			validate += seconds(m[1], m[2])
		}
	}
	if total == 0 || decode == 0 {
		return fmt.Errorf("the profile has no samples of decoding:\n%.2000s", out)
	}
	f.decode, f.validate = decode/float64(requests)*1e6, validate/float64(requests)*1e6
	f.share = (decode + validate) / total * 100
	return nil
}

func seconds(number, unit string) float64 {
	v, _ := strconv.ParseFloat(number, 64) // the expression lets numbers in and nothing else
	switch unit {
	case "ms":
		return v / 1000
	case "mins":
		return v * 60
	}
	return v
}
