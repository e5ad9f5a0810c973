package parity

import (
	"fmt"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
)

// stored are objects as they may lie in etcd: written by hand, by an older server, in a version that is no longer the storage
// version, or before the schema was what it is. One without metadata is not among them: their server panics.
var stored = map[string]string{
	"unknown":   `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"unknown","namespace":"default","uid":"u","generation":3,"odd":1},"odd":{"a":1},"spec":{"cronSpec":"* * * * *","image":"i","odd":1,"env":[{"name":"a","odd":1}]},"status":{"odd":1}}`,
	"nulls":     `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"nulls","namespace":"default","uid":"u"},"spec":{"cronSpec":"* * * * *","image":null,"replicas":null,"note":null,"env":null}}`,
	"malformed": `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"malformed","namespace":"default","uid":"u","labels":{"a":1},"annotations":{"a":"b"},"generation":"x"},"spec":{"cronSpec":"* * * * *","image":"i","podTemplate":{"apiVersion":"v1","kind":"Pod","metadata":{"labels":1,"name":"p"}}}}`,
	"types":     `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"types","namespace":"default","uid":"u"},"spec":{"cronSpec":{"a":1},"image":["x",{"y":1}],"replicas":"many","env":{"a":{"b":1}},"nodeSelector":[{}]}}`,
	"old":       `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"old","namespace":"default","uid":"u"},"spec":{"cronSpec":"* * * * *","image":"i","suspend":true,"odd":1}}`,
	"spaced": `{ "kind" : "CronTab",
		"apiVersion" : "stable.example.com\u002fv1", "metadata":{"name":"spaced","namespace":"default","uid":"u"}, "spec":{"cronSpec":"* * * * *","image":"i","odd":1, "image":"j", "replicas":1e0} }`,
	"empty":    `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"empty","namespace":"default","uid":"u"}}`,
	"bad-spec": `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"bad-spec","namespace":"default","uid":"u"},"spec":"text","status":[]}`,
}

// What lies in etcd is pruned and filled in when it is read, and written back that way.
func TestServersReadAlike(t *testing.T) {
	theirs, ours, _ := servers(t)
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{ours.EtcdURL}})
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
			{Name: name + ": delete", Method: "DELETE", Path: v1 + "/" + name},
		}
		differences, err := Compare(t.Context(), theirs.URL, ours.URL, script)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences {
			t.Errorf("%s\n%s", d.Request.Name, d.Text)
		}
		// Whatever the last request left there is the same too.
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
