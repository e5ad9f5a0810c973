package prunecel

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// The reader spends at least as much for a function as the API server counts: for its arguments and its result, and 2 for the call.
func TestFunctionsCostNoMoreThanCodePays(t *testing.T) {
	const call = 2
	values := []any{
		int64(0), int64(1), int64(11), int64(math.MinInt64),
		"", "a", "é", "abcdefghi", "abcdefghij", "abcdefghijk", strings.Repeat("a", 101), strings.Repeat("é", 95), "1.2.3", "1k", "10.0.0.1", "10.0.0.0/8",
		"http://a/b", "90s", "17",
	}
	for _, address := range []string{"10.0.0.1", "2001:db8::1"} {
		ip, _ := parseIP(address)
		cidr, _ := parseCIDR(address + "/8")
		values = append(values, ip, cidr)
	}
	u, _ := parseURL("https://user@host:80/" + strings.Repeat("p", 50))
	values = append(values, u)
	called := 0
	for _, f := range Functions() {
		if f.Go == "" {
			continue
		}
		var try func(args []any)
		try = func(args []any) {
			if len(args) < len(f.params) {
				for _, v := range values {
					try(append(args[:len(args):len(args)], v))
				}
				return
			}
			r := Reader{Spent: call}
			method := reflect.ValueOf(&r).MethodByName(f.Go)
			var in []reflect.Value
			for i, a := range args {
				in = append(in, reflect.ValueOf(a))
				if method.IsValid() && in[i].Type() != method.Type().In(i) {
					return
				}
			}
			result, err := f.Call(args)
			if err != nil {
				return // the program decides
			}
			called++
			cost := uint64(1)
			if f.Cost != nil {
				cost = f.Cost(args, result)
			}
			if method.IsValid() {
				method.Call(in)
			} else if f.Go[0] != '.' {
				t.Fatalf("there is no method %s", f.Go)
			}
			if r.Spent < int64(cost) {
				t.Errorf("%s(%.60s) = %.60s costs %d, and code pays %d", f.Overload, fmt.Sprint(args), fmt.Sprint(result), cost, r.Spent)
			}
		}
		try(nil)
	}
	if called < 200 {
		t.Errorf("only %d calls succeed", called)
	}
}
