package pruneimpl

import (
	"slices"
	"testing"
)

func TestPathsAreWrittenAsTheAPIServerWritesThem(t *testing.T) {
	tests := []struct {
		name   string
		record func(r *Recorder)
		want   []string
	}{
		{"nothing", func(r *Recorder) {}, nil},
		{"a field of the root", func(r *Recorder) { r.Drop("spec") }, []string{"spec"}},
		{"a field without a name", func(r *Recorder) { r.Drop("") }, []string{""}},
		{"a field of a field", func(r *Recorder) { r.Field("spec", r.Drop("a")) }, []string{"spec.a"}},
		{"a field of an element", func(r *Recorder) { r.Field("spec", r.Index(10, r.Drop("a"))) }, []string{"spec[10].a"}},
		{"a list of lists", func(r *Recorder) { r.Field("a", r.Index(0, r.Index(1, r.Drop("b")))) }, []string{"a[0][1].b"}},
		{"a key of a map is written like a field", func(r *Recorder) { r.Field("a", r.Key("k.l", r.Drop("b"))) }, []string{"a.k.l.b"}},
		{"a field without a name above", func(r *Recorder) { r.Field("a", r.Field("", r.Drop("b"))) }, []string{"a..b"}},
		{"a first field without a name", func(r *Recorder) { r.Field("", r.Drop("b")) }, []string{".b"}},
		{"metadata", func(r *Recorder) { r.metadata(r.Drop("x")) }, []string{"metadata.x"}},
		{"what is in metadata", func(r *Recorder) { r.metadata(r.Field("labels", r.Key("a", r.Drop("b")))) }, []string{"metadata.labels.a.b"}},
		{
			"a key above metadata is in brackets",
			func(r *Recorder) { r.Field("spec", r.Key("k", r.metadata(r.Drop("x")))) },
			[]string{"spec[k].metadata.x"},
		},
		{
			"only those above it",
			func(r *Recorder) {
				r.Field("spec", r.Key("k", r.Field("f", r.Index(0, r.metadata(r.Field("annotations", r.Key("k", r.Drop("x"))))))))
			},
			[]string{"spec[k].f[0].metadata.annotations.k.x"},
		},
		{
			"a field without a name above metadata, too",
			func(r *Recorder) { r.Field("spec", r.Field("", r.metadata(r.Drop("")))) },
			[]string{"spec[].metadata."},
		},
		{
			"a field that is called metadata is a field",
			func(r *Recorder) { r.Key("k", r.Field("metadata", r.Drop("x"))) },
			[]string{"k.metadata.x"},
		},
		{
			"several, sorted",
			func(r *Recorder) {
				n := r.Field("z", r.Drop("b")+r.Drop("a"))
				n += r.Field("list", r.Index(0, r.Drop("x"))+r.Index(1, 0)+r.Index(2, r.Drop("y")+r.Field("f", r.Drop("z"))))
				n += r.Drop("top")
				r.Field("spec", n)
				r.Drop("other")
			},
			[]string{"other", "spec.list[0].x", "spec.list[2].f.z", "spec.list[2].y", "spec.top", "spec.z.a", "spec.z.b"},
		},
		{
			"siblings in and out of metadata",
			func(r *Recorder) {
				n := r.Key("a", r.metadata(r.Drop("x"))+r.Drop("y"))
				n += r.Key("b", r.Drop("z"))
				r.Field("m", n)
			},
			[]string{"m.a.y", "m.b.z", "m[a].metadata.x"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r Recorder
			tt.record(&r)
			if got := r.Dropped(); !slices.Equal(got, tt.want) {
				t.Errorf("have %q, want %q", got, tt.want)
			}
		})
	}
}

func TestANilRecorderRecordsNothing(t *testing.T) {
	var r *Recorder
	if n := r.Field("a", r.Key("b", r.Index(0, r.metadata(r.Drop("c"))))); n != 0 {
		t.Errorf("%d events", n)
	}
}

func TestStepsAboveNothingAreNotRecorded(t *testing.T) {
	var r Recorder
	if n := r.Field("a", 0) + r.Key("b", 0) + r.Index(1, 0) + r.metadata(0); n != 0 || len(r.events) != 0 {
		t.Errorf("%d events, %d recorded", n, len(r.events))
	}
}

func TestARecorderOnTheStackCostsNothingUntilSomethingIsRecorded(t *testing.T) {
	allocs := testing.AllocsPerRun(100, func() {
		var r Recorder
		if n := r.Field("a", r.Key("b", r.Index(0, r.metadata(0)))); n != 0 {
			t.Error("something was recorded")
		}
		if r.Dropped() != nil || r.Errors() != nil {
			t.Error("there is something to report")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
