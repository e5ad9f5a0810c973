package celfunctions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

const (
	tuples      = 2000 // for each overload
	maxReported = 3    // differences of each overload
)

// TestOverloadsAreThoseOfTheServer compares the table with the environment, both ways, with the order of overloads.
func TestOverloadsAreThoseOfTheServer(t *testing.T) {
	for name, f := range serverEnv().Functions() {
		var want, got []string
		for _, o := range f.OverloadDecls() {
			if elsewhere(name, o.ID()) == "" {
				want = append(want, o.ID())
			}
		}
		for _, f := range prunecel.Functions() {
			if f.Name == name {
				got = append(got, f.Overload)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has the overloads\n%v\nwant\n%v", name, got, want)
		}
	}
	for _, f := range prunecel.Functions() {
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

// elsewhere returns why an overload of the server is not in the table.
func elsewhere(name, overload string) string {
	switch name {
	case "_==_", "_!=_", "_in_", "@in", "in", "_&&_", "_||_", "_?_:_", "!_", "_[_]", "_?._", "_[?_]", "size", "@not_strictly_false",
		"__not_strictly_false__", "cel.@mapInsert":
		return "the evaluator's"
	case "allowed", "check", "error", "errored", "fieldSelector", "group", "labelSelector", "name", "namespace", "path", "reason", "resource",
		"serviceAccount", "subresource":
		return "no rule of a CRD has an authorizer"
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
			compareCalls(t, c, func(g generator) []pair {
				args := make([]pair, len(argTypes))
				for i, arg := range argTypes {
					args[i] = g.of(arg)
				}
				return args
			})
		})
	}
}

// TestDynamicCallsAreTheServers calls every function with arguments of any type.
func TestDynamicCallsAreTheServers(t *testing.T) {
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
			compareCalls(t, c, func(g generator) []pair {
				args := make([]pair, len(argTypes))
				for i := range args {
					args[i] = g.any()
					// Often something that an overload takes.
					for _, id := range c.overloads {
						if o := overloadDecl(f.Name, id); g.IntN(len(c.overloads)+1) == 0 {
							args[i] = g.of(withoutParams(o.ArgTypes()[i]))
						}
					}
				}
				return args
			}, f.Name)
		})
	}
}

// compareCalls compares results and costs of calls. A call with several overloads is dispatched by the name of the function.
func compareCalls(t *testing.T, c *call, generate func(generator) []pair, name ...string) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	reported := 0
	for range tuples {
		args := generate(g)
		ours := make([]any, len(args))
		before := make([]string, len(args))
		for i, arg := range args {
			ours[i], before[i] = arg.ours, oursText(arg.ours)
		}
		want, wantCost := c.eval(args)
		if strings.HasPrefix(theirsText(want), "error internal error: interface conversion") {
			continue // the server's count of costs panics
		}
		var got any
		var err error
		cost := uint64(1)
		if len(c.overloads) == 1 {
			f := prunecel.Lookup(c.overloads[0])
			got, err = f.Call(ours)
			if f.Cost != nil {
				cost = f.Cost(ours, resultOf(got, err))
			}
		} else {
			got, err = prunecel.Dispatch(name[0], ours)
			cost = prunecel.DispatchCost(name[0], ours, resultOf(got, err))
		}
		gotText, wantText := oursText(resultOf(got, err)), theirsText(want)
		if gotText == wantText && cost == wantCost {
			for i, arg := range args { // comparing a quantity changes it
				if after, want := oursText(arg.ours), theirsText(arg.theirs); after != want {
					t.Errorf("(%s): argument %d is %s afterwards, want %s", strings.Join(before, ", "), i, after, want)
					reported++
				}
			}
		} else {
			t.Errorf("(%s)\n got  %s, cost %d\n want %s, cost %d", strings.Join(before, ", "), gotText, cost, wantText, wantCost)
			reported++
		}
		if reported >= maxReported {
			return
		}
	}
}

func resultOf(v any, err error) any {
	if err != nil {
		return err
	}
	return v
}

func TestSortByIsTheServers(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	reported := 0
	for range 20 * tuples {
		list, keys := g.of(types.NewListType(types.DynType)), g.of(types.NewListType(types.DynType))
		if g.IntN(3) > 0 {
			pairs := make([]pair, len(list.ours.([]any)))
			for i := range pairs {
				pairs[i] = plain(int64(g.IntN(4)))
			}
			keys = listOf(pairs)
		}
		want := theirsText(serverCall("@sortByAssociatedKeys", list.theirs, keys.theirs))
		got := oursText(resultOf(prunecel.Dispatch("@sortByAssociatedKeys", []any{list.ours, keys.ours})))
		if got != want {
			t.Errorf("%s by %s\n got  %s\n want %s", oursText(list.ours), oursText(keys.ours), got, want)
			if reported++; reported > maxReported {
				return
			}
		}
	}
}
