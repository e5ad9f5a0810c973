//go:build !unix

package outcomes

import "testing"

// irregular makes what is neither a file nor a directory nor a link.
var irregular map[string]func(t *testing.T, path string)
