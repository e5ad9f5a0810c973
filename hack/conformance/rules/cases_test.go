package rules

import (
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Rules about AllTypes on which the two sides once differed, or could.
func TestRulesThatOnceDiffered(t *testing.T) {
	prunert.SetLimits(prunert.Limits{})
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
		if d := this.Compare().Difference; d != nil {
			t.Errorf("%s", d)
		}
		said := strings.Join(s.Theirs(this.Object, this.Old).Errors, "\n")
		if c.says == "" && said != "" || !strings.Contains(said, c.says) {
			t.Errorf("%s: Kubernetes says %q, want %q", c.rule, said, c.says)
		}
	}
}
