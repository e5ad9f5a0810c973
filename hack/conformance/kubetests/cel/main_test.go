//go:build kubetests

package cel

import (
	"fmt"
	"os"
	"testing"
)

// TestMain says how often the tests asked us: some of Kubernetes' tables are not subtests.
func TestMain(m *testing.M) {
	code := m.Run()
	fmt.Printf("cel asked %d times\n", calls.Load())
	os.Exit(code)
}
