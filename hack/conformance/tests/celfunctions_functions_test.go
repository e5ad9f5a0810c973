package tests

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

var tuplesFlag = flag.Int("tuples", 0, "`number` of calls of each overload")

// tuples returns how often each overload is called.
func tuples() int {
	switch {
	case *tuplesFlag > 0:
		return *tuplesFlag
	case testsize.All():
		return 2000
	}
	return 200
}

// maxReported is how many differences of an overload are shown.
const maxReported = 3

// TestOverloadsAreThoseOfTheServer compares the table with the environment, both ways, with the order of overloads.
func TestOverloadsAreThoseOfTheServer(t *testing.T) {
	for name, f := range serverFunctions() {
		var want, got []string
		for _, o := range f.OverloadDecls() {
			if elsewhere(name, o.ID()) == "" {
				want = append(want, o.ID())
			}
		}
		for _, f := range ourFunctions() {
			if f.Name == name {
				got = append(got, f.Overload)
			}
		}
		if kube.Version() != 0 { // the order is that of the newest version
			slices.Sort(got)
			slices.Sort(want)
			want = slices.DeleteFunc(want, func(id string) bool {
				return id == "int64_to_duration" && !kube.Version().Has(kubeversion.IntegerDurations)
			})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has the overloads\n%v\nwant\n%v", name, got, want)
		}
	}
	for _, f := range ourFunctions() {
		o := overloadDecl(f.Name, f.Overload)
		if o == nil {
			t.Errorf("the server has no %s of %s", f.Overload, f.Name)
			continue
		}
		if f.Signature != "" {
			if got := signature(f.Name, o.IsMemberFunction(), o.ArgTypes(), o.ResultType()); f.Signature != got {
				t.Errorf("%s is %q, want %q", f.Overload, f.Signature, got)
			}
		}
	}
}

// ourFunctions are the functions that rules may call in the version that is linked.
func ourFunctions() []prunecel.Function {
	return slices.DeleteFunc(slices.Clone(prunecel.Functions()), func(f prunecel.Function) bool { return !kube.Version().Has(f.Since) })
}

// olderCalls says why calls are compared with the newest version only.
const olderCalls = "the libraries of older ones refuse less and fill the memory; package rules compares rules"

// elsewhere returns why an overload of the server is not in the table.
func elsewhere(name, overload string) string {
	switch name {
	case "_==_", "_!=_", "_in_", "@in", "in", "_&&_", "_||_", "_?_:_", "!_", "_[_]", "_?._", "_[?_]", "size", "@not_strictly_false",
		"__not_strictly_false__", "cel.@mapInsert":
		return "the evaluator's"
	}
	return ""
}

// signature returns the text of a declaration.
func signature(name string, member bool, args []*types.Type, result *types.Type) string {
	var texts []string
	for _, arg := range args {
		texts = append(texts, typeText(arg))
	}
	prefix := ""
	if member {
		prefix, texts = texts[0]+".", texts[1:]
	}
	return prefix + name + "(" + strings.Join(texts, ", ") + ") " + typeText(result)
}

func typeText(t *types.Type) string {
	s := strings.NewReplacer("<A>", "A", "google.protobuf.Duration", "duration", "google.protobuf.Timestamp", "timestamp").Replace(t.String())
	return s
}

// TestCallsAreTheServers calls every overload with arguments of its types.
func TestCallsAreTheServers(t *testing.T) {
	scratch.Newest(t, olderCalls)
	for _, f := range prunecel.Functions() {
		if f.Name == "@sortByAssociatedKeys" {
			continue // rules cannot call it; see TestSortByIsTheServers
		}
		t.Run(f.Overload, func(t *testing.T) {
			t.Parallel()
			o := overloadDecl(f.Name, f.Overload)
			argTypes := make([]*types.Type, len(o.ArgTypes()))
			for i, arg := range o.ArgTypes() {
				argTypes[i] = withoutParams(arg)
			}
			c, err := newCall(f.Name, o.IsMemberFunction(), argTypes)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(c.overloads, []string{f.Overload}) {
				t.Fatalf("the call has the overloads %v", c.overloads)
			}
			compareCalls(t, c, func(g callMaker) []pair {
				return g.args(argTypes, func(i int) pair { return g.of(argTypes[i]) })
			})
		})
	}
}

// TestDynamicCallsAreTheServers calls every function with arguments of any type.
func TestDynamicCallsAreTheServers(t *testing.T) {
	scratch.Newest(t, olderCalls)
	seen := map[string]bool{}
	for _, f := range prunecel.Functions() {
		o := overloadDecl(f.Name, f.Overload)
		name := fmt.Sprintf("%s/%d/%t", f.Name, len(o.ArgTypes()), o.IsMemberFunction())
		if seen[name] || f.Name == "@sortByAssociatedKeys" || len(o.ArgTypes()) == 0 {
			continue
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			argTypes := make([]*types.Type, len(o.ArgTypes()))
			for i := range argTypes {
				argTypes[i] = types.DynType
			}
			c, err := newCall(f.Name, o.IsMemberFunction(), argTypes)
			if err != nil {
				t.Fatal(err)
			}
			compareCalls(t, c, func(g callMaker) []pair {
				return g.args(argTypes, func(i int) pair {
					arg := g.any()
					// Often something that an overload takes.
					for _, id := range c.overloads {
						if o := overloadDecl(f.Name, id); g.IntN(len(c.overloads)+1) == 0 {
							arg = g.of(withoutParams(o.ArgTypes()[i]))
						}
					}
					return arg
				})
			}, f.Name)
		})
	}
}

// compareCalls compares results and costs of calls. A call with several overloads is dispatched by the name of the function.
func compareCalls(t *testing.T, c *call, generate func(callMaker) []pair, name ...string) {
	g := newGenerator(1, 2)
	reported := 0
	var got, want, before []byte // reused: most of the time went into making texts
	for range tuples() {
		args := generate(g)
		ours := make([]any, len(args))
		before = before[:0]
		for i, arg := range args {
			ours[i] = arg.ours
			before = append(appendOurs(before, arg.ours), ", "...)
		}
		result, wantCost := c.eval(args)
		want = appendTheirs(want[:0], result)
		if bytes.HasPrefix(want, []byte("error internal error: interface conversion")) {
			continue // the server's count of costs panics
		}
		v, cost := c.ours(ours, name...)
		got = appendOurs(got[:0], v)
		if !bytes.Equal(got, want) || cost != wantCost {
			t.Errorf("(%s)\n got  %s, cost %d\n want %s, cost %d", before, got, cost, want, wantCost)
			reported++
		} else {
			for i, arg := range args { // comparing a quantity changes it
				if got, want = appendOurs(got[:0], arg.ours), appendTheirs(want[:0], arg.theirs); !bytes.Equal(got, want) {
					t.Errorf("(%s): argument %d is %s afterwards, want %s", before, i, got, want)
					reported++
				}
			}
		}
		if reported >= maxReported {
			return
		}
	}
}

// ours returns the result of prunecel, which may be an error, and what the call costs.
func (c *call) ours(args []any, name ...string) (result any, cost uint64) {
	if len(c.overloads) > 1 {
		result = resultOf(prunecel.Dispatch(name[0], args))
		return result, prunecel.DispatchCost(name[0], args, result)
	}
	f := prunecel.Lookup(c.overloads[0])
	result = resultOf(f.Call(args))
	if f.Cost == nil {
		return result, 1
	}
	return result, f.Cost(args, result)
}

func TestSortByIsTheServers(t *testing.T) {
	scratch.Newest(t, olderCalls)
	g := newGenerator(3, 4)
	reported := 0
	for range 20 * tuples() {
		list, keys := g.of(types.NewListType(types.DynType)), g.of(types.NewListType(types.DynType))
		if g.IntN(3) > 0 {
			pairs := make([]pair, len(list.ours.([]any)))
			for i := range pairs {
				pairs[i] = plain(int64(g.IntN(4)))
			}
			keys = listOf(pairs)
		}
		want := appendTheirs(nil, serverCall("@sortByAssociatedKeys", list.theirs, keys.theirs))
		got := appendOurs(nil, resultOf(prunecel.Dispatch("@sortByAssociatedKeys", []any{list.ours, keys.ours})))
		if !bytes.Equal(got, want) {
			t.Errorf("%s by %s\n got  %s\n want %s", appendOurs(nil, list.ours), appendOurs(nil, keys.ours), got, want)
			if reported++; reported > maxReported {
				return
			}
		}
	}
}

// Few of the generated texts have a precision that the server's printer does not keep as it is.
func TestPrecisionsOfFormatAreTheServers(t *testing.T) {
	scratch.Newest(t, olderCalls)
	c, err := newCall("format", true, []*types.Type{types.StringType, types.NewListType(types.DynType)})
	if err != nil {
		t.Fatal(err)
	}
	precisions := []int{0, 1, 254, 255, 256, 257, 300, 511, 512, 32767, 32768, 32769, 33023, 65535, 65536, 65537, 65792, 131072, 999_999, 1_000_000, 1_000_001, 10_000_009, 10_000_010, 100_000_000}
	for _, verb := range []string{"f", "e"} {
		for _, precision := range precisions {
			for _, d := range []float64{0, math.Copysign(0, -1), 52.125, -13, 0.1, -1e-7, 1e21, 1234567.891, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(-1), math.NaN()} {
				args := []pair{plain(fmt.Sprintf("%%.%d%s", precision, verb)), listOf([]pair{plain(d)})}
				want, _ := c.eval(args)
				got, _ := c.ours([]any{args[0].ours, args[1].ours})
				if got, want := appendOurs(nil, got), appendTheirs(nil, want); !bytes.Equal(got, want) {
					t.Errorf("%%.%d%s of %v\n got  %.300s\n want %.300s", precision, verb, d, got, want)
				}
			}
		}
	}
}

// Values at which a function changes what it does, and that are too large to be drawn often.
func TestCallsAtLimitsAreTheServers(t *testing.T) {
	scratch.Newest(t, olderCalls)
	text := func(n int) string { return strings.Repeat("a", n) }
	type format string // by name
	for _, test := range []struct {
		function string
		member   bool
		args     []any
	}{
		{"lists.range", false, []any{int64(1_000_000)}},
		{"lists.range", false, []any{int64(1_000_001)}},
		{"lists.range", false, []any{int64(0)}},
		{"validate", true, []any{format("qualifiedName"), text(253) + "/" + text(63)}},
		{"validate", true, []any{format("qualifiedName"), text(254) + "/" + text(64)}},
		{"validate", true, []any{format("dns1123Subdomain"), text(253)}},
		{"validate", true, []any{format("dns1123SubdomainPrefix"), text(254) + "-"}},
		{"semver", false, []any{"1.2.3-" + text(255-6)}},
		{"semver", false, []any{"1.2.3-" + text(256-6)}},
		{"semver", false, []any{"1.2.3-" + text(257-6)}},
		{"semver", false, []any{"1.2.3-zZaA09-.z"}},
		{"semver", false, []any{"1.2.3-{"}},
		{"semver", false, []any{"1.2.3-["}},
		{"semver", false, []any{"1.2.3-:"}},
		{"semver", false, []any{"1.2.3-/"}},
		{"semver", false, []any{"1.2.3-@"}},
		{"semver", false, []any{"1.2.3-`"}},
		{"semver", false, []any{"1.2.3+z.Z.0.01"}},
		{"quantity", false, []any{"1e-999"}},
		{"quantity", false, []any{"1e999"}},
		{"quantity", false, []any{"0e999"}},
		{"quantity", false, []any{"000000000000000000000000.000000000000000000000"}},
		{"quantity", false, []any{"0000000000000000000000001.000000000000000000000"}},
		{"quantity", false, []any{"0.000000000000000000000000001"}},
		{"quantity", false, []any{"-0.0000000001"}},
		{"quantity", false, []any{"0.0000000010000000001"}},
		{"quantity", false, []any{"999999999999999999.999999999"}},
		{"quantity", false, []any{"9007199254740993"}},
		{"quantity", false, []any{"1.0000000000Ki"}},
		{"quantity", false, []any{"1.00000000001Ki"}},
		{"quantity", false, []any{"9223372036854775807Ki"}},
		{"quantity", false, []any{"7.99999999999999999999Ei"}},
	} {
		pairs := make([]pair, len(test.args))
		argTypes := make([]*types.Type, len(test.args))
		ours := make([]any, len(test.args))
		for i, arg := range test.args {
			if name, ok := arg.(format); ok {
				pairs[i] = pair{formatNamed(string(name)), library.ConstantFormats[string(name)]}
			} else {
				pairs[i] = plain(arg)
			}
			argTypes[i], ours[i] = types.DynType, pairs[i].ours
		}
		c, err := newCall(test.function, test.member, argTypes)
		if err != nil {
			t.Fatal(err)
		}
		result, wantCost := c.eval(pairs)
		v, cost := c.ours(ours, test.function)
		if got, want := appendOurs(nil, v), appendTheirs(nil, result); !bytes.Equal(got, want) || cost != wantCost {
			t.Errorf("%s(%.60q)\n got  %.300s, cost %d\n want %.300s, cost %d", test.function, test.args, got, cost, want, wantCost)
		}
	}
}
