package crddiff_test

import (
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// A new default breaks requests if a junctor around it says which fields the object has, or something about this one: an object can show
// that for one of each two junctors that are opposites. What junctors say about other fields does not matter.
func TestNewDefaultsInJunctors(t *testing.T) {
	for _, place := range []struct{ schema, part, object string }{ // with %s for those of the object that gets the field
		{"{type: object, properties: {o: %s}", "{properties: {o: %s}}", "{o: %s}"},
		{"{type: object, properties: {o: {type: object, properties: {p: %s}}}", "{properties: {o: {properties: {p: %s}}}}", "{o: {p: %s}}"},
		{"{type: object, properties: {l: {type: array, items: %s}}", "{properties: {l: {items: %s}}}", "{l: [%s]}"},
	} {
		for says, want := range map[string]crddiff.Level{
			"{minProperties: 1}": crddiff.Requests, "{minProperties: 2}": crddiff.Requests, "{maxProperties: 0}": crddiff.Requests, "{maxProperties: 1}": crddiff.Requests,
			"{enum: [{}, {d: x}]}": crddiff.Requests, "{required: [f]}": crddiff.Requests, "{properties: {f: {enum: [z]}}}": crddiff.Requests, "{properties: {f: {maxLength: 0}}}": crddiff.Requests,
			"{required: [d]}": crddiff.None, "{properties: {d: {enum: [z]}}}": crddiff.None,
		} {
			var most crddiff.Level
			for _, junctor := range []string{"allOf: [%s]", "anyOf: [%s]", "oneOf: [%s]", "not: %s"} {
				side := func(value string) *crdjudge.Side {
					schema := fmt.Sprintf(place.schema, "{type: object, properties: {f: {type: string"+value+"}, d: {type: string}}}")
					s, err := crdjudge.New(structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: "+schema+", "+fmt.Sprintf(junctor, fmt.Sprintf(place.part, says))+"}}}}"))
					if err != nil {
						t.Fatal(err)
					}
					return s
				}
				old, new := side(""), side(", default: x")
				for _, obj := range []string{"{}", "{d: x}", "{d: z}"} {
					s := crdjudge.Judge(old, new, crdjudge.Named(structuraltest.ParseObject(t, "{spec: "+fmt.Sprintf(place.object, obj)+"}")))
					most = max(most, s.Level)
				}
				if level, changes := crdjudge.Said(t, old, new); level != want {
					t.Errorf(junctor+": a default is said to break %s, want %s: %v", fmt.Sprintf(place.part, says), level, want, changes)
				}
			}
			if most != want {
				t.Errorf("%s: objects show %s, want %s", fmt.Sprintf(place.part, says), most, want)
			}
		}
	}
}
