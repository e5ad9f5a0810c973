package parity

import (
	"fmt"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
)

// stored are objects as they may be in etcd: written by hand, by an older server, in a version that is no longer the storage version, or
// with an older schema. One without metadata is not among them: their server panics.
var stored = map[string]string{
	"unknown":   `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"unknown","namespace":"default","uid":"0001-2","generation":3,"odd":1},"odd":{"a":1},"spec":{"cronSpec":"* * * * *","image":"i","odd":1,"env":[{"name":"a","odd":1}]},"status":{"odd":1}}`,
	"nulls":     `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"nulls","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":null,"replicas":null,"note":null,"env":null}}`,
	"malformed": `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"malformed","namespace":"default","uid":"0001-2","labels":{"a":1},"annotations":{"a":"b"},"generation":"x"},"spec":{"cronSpec":"* * * * *","image":"i","podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":{"labels":1,"name":"p"}}}}`,
	"types":     `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"types","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":{"a":1},"image":["x",{"y":1}],"replicas":"many","env":{"a":{"b":1}},"nodeSelector":[{}]}}`,
	"old":       `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"old","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i","suspend":true,"odd":1}}`,
	"spaced": `{ "kind" : "CronTab",
		"apiVersion" : "stable.example.com\u002fv1", "metadata":{"name":"spaced","namespace":"default","uid":"0001-2"}, "spec":{"cronSpec":"* * * * *","image":"i","odd":1, "image":"j", "replicas":1e0} }`,
	"empty": `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"empty","namespace":"default","uid":"0001-2"}}`,
	// What a newer server has written, or somebody by hand.
	"future":        `{"apiVersion":"stable.example.com/v2","kind":"CronTab","metadata":{"name":"future","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i","newInV2":1}}`,
	"future-odd":    `{"apiVersion":"stable.example.com/v2","kind":"CronTab","metadata":{"name":"future-odd","namespace":"default","uid":"0001-2","labels":1,"odd":1},"spec":7}`,
	"other-group":   `{"apiVersion":"other.example.com/v1","kind":"CronTab","metadata":{"name":"other-group","namespace":"default","uid":"0001-2","odd":1},"spec":{"cronSpec":"* * * * *","image":"i","odd":1}}`,
	"other-kind":    `{"apiVersion":"stable.example.com/v1","kind":"Other","metadata":{"name":"other-kind","namespace":"default","uid":"0001-2","odd":1,"labels":{"a":1}},"spec":{"cronSpec":"* * * * *","image":"i","odd":1}}`,
	"other-old":     `{"apiVersion":"stable.example.com/v1beta1","kind":"Other","metadata":{"name":"other-old","namespace":"default","uid":"0001-2"},"spec":{"timeZone":"CET","suspend":true}}`,
	"other-future":  `{"apiVersion":"stable.example.com/v2","kind":"Other","metadata":{"name":"other-future","namespace":"default","uid":"0001-2"},"spec":{"odd":1}}`,
	"core":          `{"apiVersion":"v1","kind":"CronTab","metadata":{"name":"core","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i"}}`,
	"no-version":    `{"kind":"CronTab","metadata":{"name":"no-version","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i"}}`,
	"no-kind":       `{"apiVersion":"stable.example.com/v1","metadata":{"name":"no-kind","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i"}}`,
	"bad-version":   `{"apiVersion":"a/b/c","kind":"CronTab","metadata":{"name":"bad-version","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i"}}`,
	"number":        `{"apiVersion":7,"kind":"CronTab","metadata":{"name":"number","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i"}}`,
	"no-json":       `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":`,
	"embedded-text": `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"embedded-text","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i","podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":"text"}}}`,
	"embedded-list": `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"embedded-list","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i","podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":[{"name":"p"}]}}}`,
	"embedded-null": `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"embedded-null","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i","podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":null}}}`,
	"embedded-type": `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"embedded-type","namespace":"default","uid":"0001-2"},"spec":{"cronSpec":"* * * * *","image":"i","podTemplate":{"apiVersion":1,"kind":[],"metadata":{"name":1}}}}`,
	"root-text":     `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":"text","spec":{"cronSpec":"* * * * *","image":"i"}}`,
	"bad-spec":      `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"bad-spec","namespace":"default","uid":"0001-2"},"spec":"text","status":[]}`,
}

// What lies in etcd is pruned and filled in when it is read, and written back that way.
func TestServersReadAlike(t *testing.T) {
	theirs, ours, _ := servers(t, files(t))
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{ours.etcd.URL}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	const v1, beta = "/apis/stable.example.com/v1/namespaces/default/crontabs", "/apis/stable.example.com/v1beta1/namespaces/default/crontabs"
	for name, text := range stored {
		key := server.Key("stable.example.com", "crontabs", "default", name)
		for _, c := range []*clientv3.Client{client, theirs.Etcd} {
			if _, err := c.Put(t.Context(), key, text); err != nil {
				t.Fatal(err)
			}
		}
		script := []Request{
			{Name: name + ": list", Method: "GET", Path: v1},
			{Name: name + ": list in the old version", Method: "GET", Path: beta},
			{Name: name + ": get", Method: "GET", Path: v1 + "/" + name},
			{Name: name + ": get in the old version", Method: "GET", Path: beta + "/" + name},
			{Name: name + ": patch nothing", Method: "PATCH", Path: v1 + "/" + name, Type: MergePatch, Body: `{}`},
			{Name: name + ": patch a label", Method: "PATCH", Path: v1 + "/" + name, Type: MergePatch, Body: `{"metadata":{"labels":{"l":"1"}}}`},
			{Name: name + ": patch in the old version", Method: "PATCH", Path: beta + "/" + name, Type: MergePatch, Body: `{"spec":{"timeZone":"CET"}}`},
			{Name: name + ": patch status", Method: "PATCH", Path: v1 + "/" + name + "/status", Type: MergePatch, Body: `{"status":{"replicas":1}}`},
			{Name: name + ": get again", Method: "GET", Path: v1 + "/" + name},
			{Name: name + ": update", Method: "PUT", Path: v1 + "/" + name, Type: JSON, Body: `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"` + name + `","resourceVersion":"${rv:` + name + `}"},"spec":{"cronSpec":"* * * * *","image":"k"}}`},
			{Name: name + ": delete in the old version", Method: "DELETE", Path: beta + "/" + name + "?dryRun=All"},
			{Name: name + ": delete", Method: "DELETE", Path: v1 + "/" + name},
		}
		compareAll(t, theirs, ours, script)
		// What the last request left in etcd is the same, too.
		var left [2]string
		for i, c := range []*clientv3.Client{theirs.Etcd, client} {
			r, err := c.Get(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			left[i] = fmt.Sprint(r.Count)
			for _, kv := range r.Kvs {
				left[i] += " " + settled(kv.Value)
			}
			if _, err := c.Delete(t.Context(), key); err != nil {
				t.Fatal(err)
			}
		}
		if left[0] != left[1] {
			t.Errorf("%s: in etcd\n- %s\n+ %s", name, left[0], left[1])
		}
	}
}

// settled settles what lies in etcd.
func settled(data []byte) string {
	c := &client{vars: map[string]string{}}
	return text(c.settle(data))
}
