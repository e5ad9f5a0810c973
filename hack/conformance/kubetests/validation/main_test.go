//go:build kubetests

package validation

import (
	"fmt"
	"os"
	"testing"
)

// TestMain says how often the tests asked us: some of Kubernetes' tables are not subtests.
func TestMain(m *testing.M) {
	code := m.Run()
	fmt.Printf("validation asked %d times\n", calls.Load())
	os.Exit(code)
}
