package prunert

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
)

// The constants are written twice, because generated code is type-checked against the exports of this package alone.
func TestConstantsAreTheLimitsInForce(t *testing.T) {
	if l := prunelimits.Current(); l.Entries != MaxReported || l.Bytes != MaxReportedBytes || prunelimits.CurrentStreamObject() != DefaultMaxStreamObject {
		t.Errorf("the limits are %+v and %d", l, prunelimits.CurrentStreamObject())
	}
}
