package rules

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
)

// Rules about AllTypes on which the two sides once differed, or could.
func TestRulesThatOnceDiffered(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{})
	for _, c := range []struct {
		rule, message string
		obj, old      string
		says          string // part of what both sides say, "" for nothing
	}{
		{rule: "(self.ll[0] + self.li).size() == 1", obj: `{"ll": [[]], "li": []}`, says: "failed rule"},
		{rule: "self.set + self.set2 == ['c', 'b', 'a']", obj: `{"set": ["a", "b"], "set2": ["b", "c"]}`},
		{rule: "self.set + self.l != ['a', 'b']", obj: `{"set": ["a"], "l": [1]}`},
		{rule: "(self.ml + self.ml).size() == 2 && self.ml + self.ml == self.ml", obj: `{"ml": [{"s": "a"}, {"s": "b", "i": 1}]}`},
		{rule: "[] + self.set == ['b', 'a']", obj: `{"set": ["a", "b"]}`},
		{rule: "{self.l: 1, self.l: 2}.size() == 2", obj: `{"l": ["a"]}`},
		{rule: "{bytes(self.s): 1}.size() == 1", obj: `{"s": "a"}`, says: "internal error: runtime error: hash of unhashable type types.Bytes"},
		{rule: "optional.of(null).hasValue()", obj: `{}`},
		{rule: "!dyn(self.i)", obj: `{"i": 1}`, says: "'no such overload':"},
		{rule: "size(dyn(self.i)) == 1", obj: `{"i": 1}`, says: "'no such overload: size':"},
		{rule: "true || self.li.sort() == []", obj: `{}`},
		{rule: "self.li.sort() == [] || true", obj: `{}`, says: "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add"},
		{rule: "self.l[?0].hasValue()", obj: `{"l": [1]}`},
		{rule: "self.?dt.hasValue()", obj: `{"dt": "x"}`, says: "Invalid date-time formatted string x"},
		{rule: "self.o == oldSelf.o", obj: `{"o": {"s": "a"}}`, old: `{"o": "x"}`, says: "expected a map"},
		{rule: "self.m[self.l[0]] == 'x'", obj: `{"l": [1], "m": {}}`, says: "invalid qualifier type: *types.Err"},
		{rule: "false", message: "'was ' + oldSelf.s", obj: `{"s": "a"}`, old: `{"s": "b"}`, says: "failed rule: false"},
		{rule: "oldSelf.s == self.s", message: "'was ' + oldSelf.s", obj: `{"s": "a"}`, old: `{"s": "b"}`, says: "was b"},
		{rule: "type(ip('10.0.0.1')) == net.IP && type(cidr('10.0.0.0/8')) == net.CIDR", obj: `{}`},
		{rule: "self.e.apiVersion.format(self.lios) == ''", obj: `{}`, says: "no such key: e"},
		{rule: "self.ml == oldSelf.ml", obj: `{"ml": [null, {}]}`, old: `{"ml": [null, {}]}`, says: "failed rule"},
		{rule: "self.ml2 == oldSelf.ml2", obj: `{"ml2": [{"s": {}}]}`, old: `{"ml2": [{"s": {}}]}`, says: "internal error: runtime error: hash of unhashable type map[string]interface {}"},
		{rule: "self.ml2 == oldSelf.ml2", obj: `{"ml2": [{"s": "a", "i": 1}, {"s": "b", "i": 1.5}]}`, old: `{"ml2": [{"s": "b", "i": 1.5}, {"s": "a", "i": 1}]}`,
			says: "expected int, got float64"},
		{rule: "[self.o, self.o].lastIndexOf(self.o) == 1", obj: `{"o": {"unknown": "x", "s": "a"}}`},
		{rule: "self.nl.exists(x, dyn(x) == null) && self.nm.exists(k, dyn(self.nm[k]) == null)", obj: `{"nl": [null], "nm": {"a": null}}`},
		{rule: "self.l.exists(x, x == 'a')", obj: `{"l": [null, "a"]}`},
		{rule: "self.l.all(Need, Need != 'a')", obj: `{"l": ["a"]}`, says: "failed rule"},
		{rule: "google.protobuf.Int64Value{value: self.i} == 3 && google.protobuf.Int64Value{} == 0", obj: `{"i": 3}`},
		{rule: "google.protobuf.Int32Value{value: self.i} == self.i", obj: `{"i": 2147483647}`},
		{rule: "google.protobuf.Int32Value{value: self.i} == self.i", obj: `{"i": 2147483648}`,
			says: "field type conversion error for google.protobuf.Int32Value.value value type: integer overflow"},
		{rule: "google.protobuf.UInt64Value{value: 18446744073709551615u} == 18446744073709551615u && google.protobuf.UInt32Value{} == 0u", obj: `{}`},
		{rule: "google.protobuf.UInt32Value{value: uint(self.i)} == 5u", obj: `{"i": 4294967296}`, says: "unsigned integer overflow"},
		{rule: "google.protobuf.DoubleValue{value: self.d} == 0.1 && google.protobuf.FloatValue{value: self.d} != 0.1", obj: `{"d": 0.1}`},
		{rule: "google.protobuf.FloatValue{value: 1e300} > 1e300 && google.protobuf.FloatValue{} == 0.0", obj: `{}`},
		{rule: "google.protobuf.BoolValue{value: self.b} && !google.protobuf.BoolValue{}", obj: `{"b": true}`},
		{rule: "google.protobuf.StringValue{value: self.s} + google.protobuf.StringValue{} == 'a'", obj: `{"s": "a"}`},
		{rule: "google.protobuf.BytesValue{value: self.bytes} == b'abc' && google.protobuf.BytesValue{} == b''", obj: `{"bytes": "YWJj"}`},
		{rule: "google.protobuf.Duration{seconds: self.i, nanos: 5} == duration('1s') + duration('5ns')", obj: `{"i": 1}`},
		{rule: "google.protobuf.Duration{seconds: self.i} == google.protobuf.Duration{seconds: 9223372036, nanos: 854775807}", obj: `{"i": 9223372037}`},
		{rule: "google.protobuf.Duration{nanos: self.i} == duration('0s')", obj: `{"i": 4294967296}`, says: "google.protobuf.Duration.nanos value type: integer overflow"},
		{rule: "google.protobuf.Timestamp{seconds: self.i} == timestamp('1970-01-01T00:00:01Z') && google.protobuf.Timestamp{}.getFullYear() == 1970", obj: `{"i": 1}`},
		{rule: "google.protobuf.Int64Value{?value: self.?i} == 0", obj: `{}`},
		{rule: "google.protobuf.Int64Value{value: 1, ?value: self.?i} == 7", obj: `{"i": 7}`},
		{rule: "google.protobuf.Int64Value{value: self.i} == 1", obj: `{}`, says: "no such key: i"},
		{rule: "type(google.protobuf.Int64Value{}) == int && [google.protobuf.StringValue{value: 'x'}].all(x, x == 'x')", obj: `{}`},
		{rule: "false", message: "google.protobuf.StringValue{value: 'made of ' + self.s}", obj: `{"s": "text"}`, says: "failed rule"},
	} {
		r := apiextensionsv1.ValidationRule{Rule: c.rule, MessageExpression: c.message}
		s, err := subjectOf(c.rule, apiextensionsv1.ValidationRules{r})
		if err != nil {
			t.Fatal(err)
		}
		this := Case{Subject: s}
		if err := utiljson.Unmarshal([]byte(c.obj), &this.Object); err != nil {
			t.Fatal(err)
		}
		if c.old != "" {
			if err := utiljson.Unmarshal([]byte(c.old), &this.Old); err != nil {
				t.Fatal(err)
			}
		}
		if out := this.Compare(); out.Differs {
			t.Error(out)
		}
		said := strings.Join(s.Theirs(this.Object, this.Old).Errors, "\n")
		if kube.Version() != 0 {
			continue // older versions say less, or do not have the function
		}
		if c.says == "" && said != "" || !strings.Contains(said, c.says) {
			t.Errorf("%s: Kubernetes says %q, want %q", c.rule, said, c.says)
		}
	}
}
