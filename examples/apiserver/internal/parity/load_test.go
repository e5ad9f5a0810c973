package parity

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	loadKinds    = flag.String("kinds", "1,50,200", "how many kinds to serve")
	loadClients  = flag.Int("clients", 4, "how many clients send requests at the same time")
	loadDuration = flag.Duration("duration", 5*time.Second, "for how long they do")
)

// BenchmarkServers runs this API server, as --local starts it, and the one of CustomResourceDefinitions, one after the other on the
// same machine, both with TLS and watch caches, and then the server for tests, which keeps objects in memory and interprets CRDs, with 1, 50
// and 200 kinds: copies of Certificate. Clients create, get, patch, list ten and delete. See the README for the figures.
func BenchmarkServers(b *testing.B) {
	program, crds := build(b, source{certificates.module, certificates.files[:1]})
	profile := filepath.Join(b.TempDir(), "profile")
	for kinds := range strings.SplitSeq(*loadKinds, ",") {
		for _, side := range []string{"theirs", "ours", "memory"} {
			b.Run("kinds="+kinds+"/"+side, func(b *testing.B) {
				check(b, measure(b, program, side+" "+kinds+" "+crds, profile))
			})
		}
	}
}

// child is a server in a process of its own.
type child struct {
	readyLine
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startChild(ctx context.Context, program, args string) (*child, error) {
	c := &child{cmd: exec.CommandContext(ctx, program)}
	c.cmd.Env, c.cmd.Stderr = append(os.Environ(), childVariable+"="+args), os.Stderr
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
	return c, c.read(&c.readyLine)
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

// measure runs one server and reports its figures.
func measure(b *testing.B, program, args, profile string) error {
	ctx := b.Context()
	c, err := startChild(ctx, program, args)
	if err != nil {
		return err
	}
	defer func() {
		c.in.Close()
		c.cmd.Wait()
	}()
	for i, path := range c.Collections {
		if err := c.send(ctx, "POST", path, "application/json", c.body(c.Kinds[i], "first"), http.StatusCreated); err != nil {
			return err
		}
		if err := c.send(ctx, "GET", path+"/first", "", "", http.StatusOK); err != nil {
			return err
		}
	}
	var first, loaded, idle memoryLine
	var said string
	if err := c.command("memory", &first); err != nil {
		return err
	}
	if err := c.command("profile "+profile, &said); err != nil {
		return err
	}
	b.ResetTimer()
	requests, took, err := c.load(ctx, *loadClients, *loadDuration)
	if err != nil {
		return err
	}
	b.StopTimer()
	if err := c.command("resident", &loaded); err != nil {
		return err
	}
	if err := c.command("stop", &said); err != nil {
		return err
	}
	if err := c.command("memory", &idle); err != nil {
		return err
	}
	b.ReportMetric(0, "ns/op") // not of interest
	b.ReportMetric(c.Seconds, "ready-s")
	b.ReportMetric(megabytes(first.Heap), "heap-MB")
	b.ReportMetric(megabytes(first.Resident), "resident-MB")
	b.ReportMetric(float64(requests)/took.Seconds(), "requests/s")
	b.ReportMetric(megabytes(loaded.Resident), "loaded-MB")
	b.ReportMetric(megabytes(idle.Resident), "idle-MB")
	return reportProfile(b, program, profile, requests)
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

// loadClient speaks HTTP/2 over TLS, as clients of Kubernetes do.
var loadClient = &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

// send sends a request and wants an answer with that code.
func (c *child) send(ctx context.Context, method, path, mediaType, body string, code int) error {
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	if mediaType != "" {
		req.Header.Set("Content-Type", mediaType)
	}
	resp, err := loadClient.Do(req)
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
	decoding   = regexp.MustCompile(`serializer/versioning\.\(\*codec\)\.Decode$|/apiserver\.\(\*storageCodec\)\.Decode$`)
	validating = regexp.MustCompile(`/customresource\.(customResourceStrategy|statusStrategy)\.Validate(Update)?$|/custom\.\(\*Strategy\)\.Validate(Update)?$`)
	totalLine  = regexp.MustCompile(`of ([0-9.]+)(ms|s) total|Total samples = ([0-9.]+)(ms|s)`)
	funcLine   = regexp.MustCompile(`^\s*\S+\s+\S+\s+\S+\s+([0-9.]+)(ms|s|mins)?\s+\S+\s+(.*?)( \(inline\))?$`)
)

// reportProfile reports how much of the CPU time went into decoding and validating.
func reportProfile(b *testing.B, program, profile string, requests int64) error {
	out, err := exec.CommandContext(b.Context(), "go", "tool", "pprof", "-top", "-cum", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0", program, profile).Output()
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
	b.ReportMetric(decode/float64(requests)*1e6, "decode-µs/request")
	b.ReportMetric(validate/float64(requests)*1e6, "validate-µs/request")
	b.ReportMetric((decode+validate)/total*100, "of-CPU-%")
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
