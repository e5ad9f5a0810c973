//go:build kubetests

package objectmeta

import (
	"fmt"
	"os"
	"testing"
)

// TestMain says how often the tests asked us, for those that are not tables of subtests.
func TestMain(m *testing.M) {
	code := m.Run()
	fmt.Printf("calls %d %d\n", read.Load(), readWithOptions.Load())
	fmt.Printf("embedded asked %d times\n", validated.Load())
	os.Exit(code)
}
