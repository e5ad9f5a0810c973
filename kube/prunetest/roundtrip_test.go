package prunetest_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/kube"
	"github.com/prune-gen/prune-gen/kube/prunetest"
)

// reports keeps what a function reports about a test.
type reports struct {
	testing.TB
	all    []string
	logged string
}

func (r *reports) Helper()                         {}
func (r *reports) Error(args ...any)               { r.all = append(r.all, fmt.Sprint(args...)) }
func (r *reports) Errorf(format string, a ...any)  { r.Error(fmt.Sprintf(format, a...)) }
func (r *reports) Logf(format string, args ...any) { r.logged += fmt.Sprintf(format, args...) }

func roundTrip(t *testing.T, convert kube.Converter, opts prunetest.RoundTripOptions) []string {
	t.Helper()
	crds, err := prunetest.FromFiles("testdata/roundtrip/lamps.yaml")
	if err != nil {
		t.Fatal(err)
	}
	opts.Objects = cmp.Or(opts.Objects, 40)
	r := &reports{TB: t}
	if prunetest.RoundTrip(r, crds, convert, opts); r.logged == "" {
		t.Error("the seed is not logged")
	}
	return r.all
}

// lampConverter converts lamps without a mistake, and then changes them.
func lampConverter(change func(obj, spec map[string]any, toBeta bool) error) kube.Converter {
	return func(obj map[string]any, apiVersion string) (map[string]any, error) {
		from, to := "level", "brightness"
		toBeta := apiVersion == "example.com/v1beta1"
		if toBeta {
			from, to = to, from
		}
		obj["apiVersion"] = apiVersion
		spec := obj["spec"].(map[string]any)
		if v, ok := spec[from]; ok {
			spec[to] = v
			delete(spec, from)
		}
		return obj, change(obj, spec, toBeta)
	}
}

func TestRoundTripAcceptsAConverterWithoutMistakes(t *testing.T) {
	for name, change := range map[string]func(obj, spec map[string]any, toBeta bool) error{
		"plain": func(_, _ map[string]any, _ bool) error { return nil },
		"metadata that the API server restores": func(obj, _ map[string]any, _ bool) error {
			delete(obj["metadata"].(map[string]any), "creationTimestamp")
			obj["metadata"].(map[string]any)["finalizers"] = []string{"a"}
			return nil
		},
		"another order of a list map": func(_, spec map[string]any, _ bool) error {
			switches, _ := spec["switches"].([]any)
			slices.Reverse(switches[:len(switches)/2*2])
			return nil
		},
		"a list without elements": func(_, spec map[string]any, _ bool) error {
			if shades, ok := spec["shades"].([]any); ok && len(shades) == 0 {
				delete(spec, "shades")
			}
			return nil
		},
		"a default that is omitted": func(_, spec map[string]any, toBeta bool) error {
			if !toBeta && spec["brightness"] == int64(50) {
				delete(spec, "brightness")
			}
			return nil
		},
		"what v1beta1 lacks in an annotation": func(obj, spec map[string]any, toBeta bool) error {
			metadata := obj["metadata"].(map[string]any)
			annotations, _ := metadata["annotations"].(map[string]any)
			if zone, ok := spec["timeZone"]; toBeta && ok {
				if annotations == nil {
					annotations = map[string]any{}
					metadata["annotations"] = annotations
				}
				annotations["example.com/zone"] = zone
				delete(spec, "timeZone")
			} else if zone, ok := annotations["example.com/zone"]; !toBeta && ok {
				spec["timeZone"] = zone
				if delete(annotations, "example.com/zone"); len(annotations) == 0 {
					delete(metadata, "annotations")
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			opts := prunetest.RoundTripOptions{}
			if strings.Contains(name, "annotation") { // v1beta1 has the field, and the annotation is for v1 alone
				opts.Wanted = []string{"Lamp v1beta1 to v1: spec.timeZone", "Lamp v1beta1 to v1: metadata.annotations"}
			}
			if found := roundTrip(t, lampConverter(change), opts); len(found) > 0 {
				t.Error(strings.Join(found, "\n"))
			}
		})
	}
}

func TestRoundTripFindsMistakes(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(obj, spec map[string]any, toBeta bool) error
		want   []string // beginnings of all reports, with an end after an ellipsis
	}{
		{"a lost field", func(_, spec map[string]any, toBeta bool) error {
			if toBeta {
				delete(spec, "timeZone")
			}
			return nil
		}, []string{
			`Lamp v1 to v1beta1: spec.timeZone: lost: "...` + "\"\n    apiVersion: example.com/v1\n    kind: Lamp\n    metadata:\n      name: x\n    spec:\n      timeZone: x",
			`Lamp v1beta1 to v1: spec.timeZone: lost: "`,
		}},
		{"a number in a list", func(_, spec map[string]any, toBeta bool) error {
			shades, _ := spec["shades"].([]any)
			for _, shade := range shades {
				if opacity, ok := shade.(map[string]any)["opacity"].(int64); ok && !toBeta {
					shade.(map[string]any)["opacity"] = opacity / 10 * 10
				}
			}
			return nil
		}, []string{"Lamp v1 to v1beta1: spec.shades[].opacity: changed from ", "Lamp v1beta1 to v1: spec.shades[].opacity: changed from "}},
		{"a shorter list", func(_, spec map[string]any, toBeta bool) error {
			if shades, _ := spec["shades"].([]any); toBeta && len(shades) > 1 {
				spec["shades"] = shades[:1]
			}
			return nil
		}, []string{`Lamp v1 to v1beta1: spec.shades: changed from [{"name":"...` + "    spec:\n      shades:\n      - name: x\n      - name: x", "Lamp v1beta1 to v1: spec.shades: changed from "}},
		{"a value of a map", func(_, spec map[string]any, toBeta bool) error {
			tags, _ := spec["tags"].(map[string]any)
			for k, v := range tags {
				tags[k] = v.(string) + "."
			}
			return nil
		}, []string{"Lamp v1 to v1beta1: spec.tags[*]: changed from ", "Lamp v1beta1 to v1: spec.tags[*]: changed from "}},
		{"zero taken for absent", func(_, spec map[string]any, _ bool) error {
			for k, v := range spec {
				if v == int64(0) {
					delete(spec, k)
				}
			}
			return nil
		}, []string{"Lamp v1 to v1beta1: spec.brightness: changed from 0 to 50\n", "Lamp v1beta1 to v1: spec.level: changed from 0 to 50\n"}},
		// A version that is not stored gets no defaults when it is read.
		{"an omitted default of the other version", func(_, spec map[string]any, toBeta bool) error {
			if toBeta && spec["level"] == int64(50) {
				delete(spec, "level")
			}
			return nil
		}, []string{"Lamp v1beta1 to v1: spec.level: lost: 50\n"}},
		{"a field of the status", func(obj, _ map[string]any, _ bool) error {
			delete(obj, "status")
			return nil
		}, []string{"Lamp v1 to v1beta1: status: lost: {", "Lamp v1beta1 to v1: status: lost: {"}},
		{"a field that the schema lacks", func(_, spec map[string]any, toBeta bool) error {
			if toBeta {
				spec["brightness"] = spec["level"]
			}
			return nil
		}, []string{"Lamp v1 to v1beta1: spec.brightness: v1beta1 does not have it: it is pruned\n", "Lamp v1beta1 to v1: spec.brightness: v1beta1 does not have it: it is pruned\n"}},
		{"a value that is refused", func(_, spec map[string]any, toBeta bool) error {
			if toBeta && spec["color"] == "green" {
				spec["color"] = "emerald"
			} else if !toBeta && spec["color"] == "emerald" {
				spec["color"] = "green"
			}
			return nil
		}, []string{
			"Lamp v1 to v1beta1: spec.color: v1beta1 refuses it: spec.color: ...    spec:\n      color: green",
			"Lamp v1beta1 to v1: spec.color: changed from \"green\" to \"emerald\"",
		}},
		{"an annotation that stays", func(obj, _ map[string]any, toBeta bool) error {
			obj["metadata"].(map[string]any)["annotations"] = map[string]any{"example.com/was": "beta"}
			return nil
		}, []string{
			`Lamp v1 to v1beta1: metadata.annotations[example.com/was]: added: "beta"`, `Lamp v1 to v1beta1: metadata.annotations[*]: lost: "`,
			`Lamp v1beta1 to v1: metadata.annotations[example.com/was]: added: "beta"`, `Lamp v1beta1 to v1: metadata.annotations[*]: lost: "`,
		}},
		{"an error", func(_, spec map[string]any, toBeta bool) error {
			if tags, _ := spec["tags"].(map[string]any); len(tags) > 1 && toBeta {
				return fmt.Errorf("%d tags", len(tags))
			}
			return nil
		}, []string{"Lamp v1 to v1beta1: conversion to v1beta1 fails: 2 tags\n...    spec:\n      tags:\n        ", "Lamp v1beta1 to v1: conversion to v1beta1 fails: 2 tags\n"}},
		{"a panic", func(_, spec map[string]any, toBeta bool) error {
			if shades, _ := spec["shades"].([]any); !toBeta {
				_ = shades[0]
			}
			return nil
		}, []string{
			"Lamp v1 to v1beta1: conversion to v1 fails: panic in github.com/prune-gen/prune-gen/kube/prunetest_test.TestRoundTripFindsMistakes.func...runtime error: index out of range [0] with length 0",
			"Lamp v1beta1 to v1: conversion to v1 fails: panic in ",
		}},
		{"another name", func(obj, _ map[string]any, toBeta bool) error {
			obj["metadata"].(map[string]any)["name"] = "lamp"
			return nil
		}, []string{`Lamp v1 to v1beta1: metadata.name: the API server refuses what is converted to v1beta1: must be "x", is "lamp"`, `Lamp v1beta1 to v1: metadata.name: `}},
		{"no uid", func(obj, _ map[string]any, toBeta bool) error {
			if !toBeta {
				delete(obj["metadata"].(map[string]any), "uid")
			}
			return nil
		}, []string{`Lamp v1 to v1beta1: metadata.uid: the API server refuses what is converted to v1: `, `Lamp v1beta1 to v1: metadata.uid: `}},
		{"the old version", func(obj, _ map[string]any, toBeta bool) error {
			if toBeta {
				obj["apiVersion"] = "example.com/v1"
			}
			return nil
		}, []string{`Lamp v1 to v1beta1: apiVersion: `, `Lamp v1beta1 to v1: apiVersion: the API server refuses what is converted to v1beta1: must be "example.com/v1beta1", is "example.com/v1"`}},
		{"an invalid label", func(obj, _ map[string]any, toBeta bool) error {
			obj["metadata"].(map[string]any)["labels"] = map[string]any{"a b": ""}
			return nil
		}, []string{`Lamp v1 to v1beta1: metadata.labels: the API server refuses what is converted to v1beta1: metadata.labels: Invalid value: "a b"`, `Lamp v1beta1 to v1: metadata.labels: `}},
		{"no metadata", func(obj, _ map[string]any, toBeta bool) error {
			delete(obj, "metadata")
			return nil
		}, []string{`Lamp v1 to v1beta1: metadata.name: `, `Lamp v1beta1 to v1: metadata.name: `}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := roundTrip(t, lampConverter(test.change), prunetest.RoundTripOptions{})
			for _, text := range found {
				if !slices.ContainsFunc(test.want, func(want string) bool {
					begin, end, _ := strings.Cut(want, "...")
					return strings.HasPrefix(text, begin) && strings.Contains(text, end)
				}) {
					t.Errorf("unexpected: %s", text)
				}
				if strings.Count(text, "\n") > 12 {
					t.Errorf("large: %s", text)
				}
			}
			if len(found) != len(test.want) {
				t.Errorf("%d findings instead of %d: %s", len(found), len(test.want), strings.Join(found, "\n"))
			}
		})
	}
}

func TestRoundTripChecksWhatIsWanted(t *testing.T) {
	loses := lampConverter(func(_, spec map[string]any, toBeta bool) error {
		if delete(spec, "tags"); !toBeta {
			delete(spec, "timeZone")
		}
		return nil
	})
	all := []string{"Lamp v1 to v1beta1: spec.tags", "Lamp v1beta1 to v1: spec.tags", "Lamp v1 to v1beta1: spec.timeZone", "Lamp v1beta1 to v1: spec.timeZone"}
	if found := roundTrip(t, loses, prunetest.RoundTripOptions{Wanted: all}); len(found) > 0 {
		t.Errorf("all is wanted: %q", found)
	}
	if found := roundTrip(t, loses, prunetest.RoundTripOptions{Wanted: []string{"Lamp v1 to v1beta1: spec", "Lamp v1beta1 to v1: spec"}}); len(found) > 0 {
		t.Errorf("all below a field is wanted: %q", found)
	}
	if found := roundTrip(t, loses, prunetest.RoundTripOptions{Wanted: []string{"spec.tags", "spec.timeZone"}}); len(found) > 0 {
		t.Errorf("paths are wanted: %q", found)
	}
	if found := roundTrip(t, loses, prunetest.RoundTripOptions{Wanted: append(all, "Lamp v1 to v1beta1: spec.color")}); len(found) != 1 ||
		found[0] != "Lamp v1 to v1beta1: spec.color: is wanted, and does not occur" {
		t.Errorf("what does not occur: %q", found)
	}
	if found := roundTrip(t, loses, prunetest.RoundTripOptions{Wanted: append(all[1:], "Lamp v1 to v1beta1: spec.ta")}); len(found) != 2 {
		t.Errorf("part of a name: %q", found)
	}
}

func TestRoundTripFollowsFromTheSeed(t *testing.T) {
	made := func(opts prunetest.RoundTripOptions) string {
		var all strings.Builder
		roundTrip(t, func(obj map[string]any, _ string) (map[string]any, error) {
			fmt.Fprintln(&all, obj)
			return nil, errors.New("no")
		}, opts)
		return all.String()
	}
	one := made(prunetest.RoundTripOptions{})
	if one != made(prunetest.RoundTripOptions{Seed: 1, Objects: 40}) || one == made(prunetest.RoundTripOptions{Seed: 2}) {
		t.Error("it does not")
	}
}

func TestRoundTripOfStrategyNone(t *testing.T) {
	found := strings.Join(roundTrip(t, nil, prunetest.RoundTripOptions{}), "\n")
	for _, want := range []string{
		"Lamp v1 to v1beta1: spec.brightness: v1beta1 does not have it: it is pruned", "Lamp v1 to v1beta1: spec.brightness: changed from ",
		"Lamp v1beta1 to v1: spec.level: v1 does not have it: it is pruned", "Lamp v1beta1 to v1: spec.level: lost: ",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("there is no %q in %s", want, found)
		}
	}
}

func TestRoundTripNeedsTwoVersions(t *testing.T) {
	crds, err := prunetest.FromFiles("testdata/crds/towers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := &reports{TB: t}
	if prunetest.RoundTrip(r, crds, nil, prunetest.RoundTripOptions{}); len(r.all) != 1 || r.all[0] != "no kind has two versions" {
		t.Errorf("%q", r.all)
	}
}
