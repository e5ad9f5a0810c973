package prunecel

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The reader spends at least as much for a function as the API server counts: for its arguments and its result, and 2 for the call.
func TestFunctionsCostNoMoreThanCodePays(t *testing.T) {
	const call = 2
	texts := func(n int, text string) (list []any) {
		for range n {
			list = append(list, text)
		}
		return list
	}
	values := []any{
		true, int64(0), int64(1), int64(11), uint64(1), 1.5, time.Minute, time.Unix(60, 0).UTC(),
		"", "a", "é", "abcdefghi", "abcdefghij", "abcdefghijk", strings.Repeat("a", 101), strings.Repeat("é", 95), "1.2.3", "1k", "10.0.0.1", "10.0.0.0/8",
		"http://a/b", "90s", "2024-01-01T00:00:00Z", "UTC",
		[]any{}, texts(1, "a"), texts(2, ""), texts(11, "b"), texts(40, "abcdefghijk"), []any{int64(1), int64(2), int64(3)},
	}
	for _, make := range []struct{ overload, text string }{
		{"string_to_ip", "10.0.0.1"}, {"string_to_ip", "2001:db8::1"}, {"string_to_cidr", "10.0.0.0/8"}, {"string_to_cidr", "2001:db8::/32"},
		{"string_to_url", "https://user@host:80/" + strings.Repeat("p", 50)}, {"string_to_quantity", "1k"}, {"string_to_semver", "1.2.3"},
	} {
		if f := Lookup(make.overload); f == nil {
			t.Errorf("there is no function %s", make.overload)
		} else if v, err := f.Call([]any{make.text}); err != nil {
			t.Errorf("%s: %v", make.overload, err)
		} else {
			values = append(values, v)
		}
	}
	called := 0
	for _, f := range Functions() {
		if f.Go == "" {
			continue
		}
		arity := len(f.params)
		if f.guard == guardOperator {
			arity = strings.Count(f.Name, "_")
		}
		n := 0
		var try func(args []any)
		try = func(args []any) {
			if len(args) < arity {
				for _, v := range values {
					if len(args) < 2 || len(args) == 2 && n < 20_000 || n < 40_000 {
						try(append(args[:len(args):len(args)], v))
					}
				}
				return
			}
			n++
			result, err := f.Call(args)
			if err != nil {
				return // the program decides
			}
			called++
			cost := uint64(1)
			if f.Cost != nil {
				cost = f.Cost(args, result)
			}
			r := Reader{Spent: call}
			for _, a := range append(args[:len(args):len(args)], result) {
				r.pay(a)
			}
			if r.Spent < int64(cost) {
				t.Errorf("%s(%.60s) = %.60s costs %d, and code pays %d", f.Overload, fmt.Sprint(args), fmt.Sprint(result), cost, r.Spent)
			}
		}
		try(nil)
	}
	if called < 5_000 {
		t.Errorf("only %d calls succeed", called)
	}
}
