package etcd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/kubernetes"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// startEtcd returns a client of a real etcd.
func startEtcd(t *testing.T) *kubernetes.Client {
	t.Helper()
	dir := t.TempDir()
	config := embed.NewConfig()
	socket := url.URL{Scheme: "unix", Path: filepath.Join(dir, "s")}
	config.Dir, config.UnsafeNoFsync = filepath.Join(dir, "data"), true
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{socket}, []url.URL{socket}
	config.ListenPeerUrls, config.AdvertisePeerUrls = nil, []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	config.TickMs, config.ElectionMs = 10, 100
	e, err := embed.StartEtcd(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	<-e.Server.ReadyNotify()
	client, err := kubernetes.New(clientv3.Config{Endpoints: []string{socket.String()}, Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// options leave out what names the member that has answered.
var options = cmp.Options{protocmp.Transform(), protocmp.IgnoreFields(&pb.ResponseHeader{}, "cluster_id", "member_id", "raft_term")}

// The store and etcd are asked the same, at random, and watched from random revisions.
func TestSameAsEtcd(t *testing.T) {
	testsize.NotShort(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	r := rand.New(rand.NewPCG(1, 54))
	for round := range 5 {
		both := [2]*kubernetes.Client{NewClient(ctx, Options{}), startEtcd(t)}
		ask := func(ask request) {
			t.Helper()
			var answers [2]any
			for i, client := range both {
				answers[i] = ask.do(ctx, client)
			}
			if diff := cmp.Diff(answers[1], answers[0], options); diff != "" {
				t.Fatalf("round %d: %s (-etcd +memory)\n%s", round, ask.name, diff)
			}
		}
		for range 300 {
			ask(randomRequest(r, true))
		}
		var watches [][2]clientv3.WatchChan
		for range 10 {
			watches = append(watches, watchBoth(ctx, r, both))
		}
		for range 100 { // after a compaction, it is a matter of luck how far a watch is
			ask(randomRequest(r, false))
		}
		for i := range both { // what comes last, so that all have something to wait for
			if _, err := both[i].KV.Put(ctx, "z", "the end"); err != nil {
				t.Fatal(err)
			}
		}
		for i, w := range watches {
			memory, etcd := eventsOf(w[0]), eventsOf(w[1])
			if diff := cmp.Diff(etcd, memory, options); diff != "" {
				t.Fatalf("round %d: watch %d (-etcd +memory)\n%s", round, i, diff)
			}
		}
	}
}

// request is something that is asked of a store.
type request struct {
	name string
	do   func(context.Context, *kubernetes.Client) any
}

// randomRequest returns one that compacts only if compacts says so.
func randomRequest(r *rand.Rand, compacts bool) request {
	key := func() string { return fmt.Sprintf("/%c/%c", 'a'+r.IntN(3), 'a'+r.IntN(6)) }
	k, end, value := key(), key(), fmt.Sprint(r.IntN(1000))
	back := int64(r.IntN(30)) // revisions, below zero in the future
	ranges := []clientv3.OpOption{clientv3.WithRange(""), clientv3.WithRange(end), clientv3.WithPrefix(), clientv3.WithFromKey()}
	opts := ranges[r.IntN(4):][:1:1]
	for _, o := range []clientv3.OpOption{clientv3.WithLimit(int64(1 + r.IntN(4))), clientv3.WithCountOnly(), clientv3.WithKeysOnly()} {
		if r.IntN(4) == 0 {
			opts = append(opts, o)
		}
	}
	switch r.IntN(12) {
	case 0, 1, 2, 3:
		return request{"put " + k, func(ctx context.Context, c *kubernetes.Client) any {
			return answer(c.KV.Put(ctx, k, value, clientv3.WithPrevKV()))
		}}
	case 4:
		return request{"delete " + k, func(ctx context.Context, c *kubernetes.Client) any {
			return answer(c.KV.Delete(ctx, k, clientv3.WithPrevKV()))
		}}
	case 5:
		return request{"delete all below " + k[:3], func(ctx context.Context, c *kubernetes.Client) any {
			return answer(c.KV.Delete(ctx, k[:3], clientv3.WithPrefix(), clientv3.WithPrevKV()))
		}}
	case 6, 7:
		return request{"get " + k, func(ctx context.Context, c *kubernetes.Client) any { return answer(c.KV.Get(ctx, k, opts...)) }}
	case 8:
		return request{fmt.Sprintf("get %s, %d revisions ago", k, back-2), func(ctx context.Context, c *kubernetes.Client) any {
			return answer(c.KV.Get(ctx, k, append(opts, clientv3.WithRev(max(1, revisionOf(ctx, c)-back+2)))...))
		}}
	case 9:
		if !compacts || back > 8 {
			return randomRequest(r, compacts)
		}
		return request{fmt.Sprintf("compact all but %d", back), func(ctx context.Context, c *kubernetes.Client) any {
			_, err := c.KV.Compact(ctx, max(1, revisionOf(ctx, c)-back+2))
			return fmt.Sprint(err)
		}}
	}
	compare := []clientv3.Cmp{clientv3.Compare(clientv3.ModRevision(k), "=", 0), clientv3.Compare(clientv3.Version(k), ">", 1), clientv3.Compare(clientv3.Value(k), "<", "500"),
		clientv3.Compare(clientv3.CreateRevision(k), "!=", 0), clientv3.Compare(clientv3.LeaseValue(k), "=", 0)}
	r.Shuffle(len(compare), func(i, k int) { compare[i], compare[k] = compare[k], compare[i] })
	compare = compare[:1+r.IntN(2)]
	op := func() clientv3.Op {
		switch r.IntN(3) {
		case 0:
			return clientv3.OpPut(key(), value)
		case 1:
			return clientv3.OpGet(key())
		}
		return clientv3.OpDelete(key())
	}
	// A key may be written only once, which etcd finds before it does anything: most of these are different.
	then, otherwise := []clientv3.Op{op(), op()}, []clientv3.Op{clientv3.OpGet(k)}
	return request{fmt.Sprintf("a transaction about %s: %v", k, then), func(ctx context.Context, c *kubernetes.Client) any {
		return answer(c.KV.Txn(ctx).If(compare...).Then(then...).Else(otherwise...).Commit())
	}}
}

// answer returns a response, or the error.
func answer[T any](r T, err error) any {
	if err != nil {
		return err.Error()
	}
	switch r := any(r).(type) {
	case *clientv3.GetResponse:
		return (*pb.RangeResponse)(r)
	case *clientv3.PutResponse:
		return (*pb.PutResponse)(r)
	case *clientv3.DeleteResponse:
		return (*pb.DeleteRangeResponse)(r)
	case *clientv3.TxnResponse:
		return (*pb.TxnResponse)(r)
	}
	panic(fmt.Sprintf("%T", r))
}

func revisionOf(ctx context.Context, c *kubernetes.Client) int64 {
	r, err := c.KV.Get(ctx, "nothing")
	if err != nil {
		return 1
	}
	return r.Header.Revision
}

// watchBoth begins the same watch in both.
func watchBoth(ctx context.Context, r *rand.Rand, both [2]*kubernetes.Client) (w [2]clientv3.WatchChan) {
	opts := []clientv3.OpOption{clientv3.WithRange("zz")}
	if r.IntN(3) > 0 {
		opts = append(opts, clientv3.WithPrevKV())
	}
	if r.IntN(4) > 0 {
		opts = append(opts, clientv3.WithRev(max(1, revisionOf(ctx, both[0])-int64(r.IntN(40)))))
	}
	for i, c := range both {
		w[i] = c.Watch(ctx, "/", opts...)
	}
	return w
}

// eventsOf returns what a watch tells, up to the end or an error.
func eventsOf(w clientv3.WatchChan) (all []any) {
	for response := range w {
		if err := response.Err(); err != nil {
			return append(all, err.Error())
		}
		for _, e := range response.Events {
			all = append(all, (*mvccpb.Event)(e))
			if string(e.Kv.Key) == "z" {
				return all
			}
		}
	}
	return append(all, "closed")
}
