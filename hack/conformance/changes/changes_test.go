// Package changes judges what crddiff says about changes of real CRDs, by objects.
package changes

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// most is the size in bytes of the schemas that are changed. Of a larger one, a random change is nearly always about pods.
const most = 20_000

// Every change of a CRD of the corpus has at least the level that objects show.
func TestLevelsOfRealCRDsAreNeverTooLow(t *testing.T) {
	testsize.Large(t, "changes CRDs of the corpus at random")
	c, err := corpus.Load(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for _, crd := range c.CRDs {
		var text struct {
			Spec struct {
				Versions []struct {
					Schema struct {
						OpenAPIV3Schema json.RawMessage `json:"openAPIV3Schema"`
					} `json:"schema"`
					Subresources any `json:"subresources"`
				} `json:"versions"`
			} `json:"spec"`
		}
		if json.Unmarshal(crd.Raw, &text) != nil {
			continue
		}
		for _, v := range text.Spec.Versions {
			if schema := v.Schema.OpenAPIV3Schema; len(schema) > 0 && len(schema) < most {
				all = append(all, map[string]any{"schema": schema, "subresources": v.Subresources})
			}
		}
	}
	versions := crdjudge.Versions(t, all)
	t.Logf("%d versions of CRDs, %d of which are changed", c.Versions(), len(versions))
	from, pairs := 0, 100   // a pair takes a second
	if testsize.Soaking() { // other ones each day
		pairs = 1000
		from = time.Now().YearDay() * 4 * pairs
	}
	crdjudge.NeverTooLow(t, versions, from, pairs)
}
