package speed

import prunert "github.com/prune-gen/prune-gen/runtime"

// generated has the generated resources by kind. hack/bench replaces this file.
var generated = map[string]prunert.Resource{}
