package interpret_test

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// A job that somebody stored with a field that nobody knew yet. When the controller learns to run privileged jobs, years
// later, the field must not be there: whoever wrote it was never asked whether they may.
func ExamplePrune() {
	schema, findings := crdread.ParseSchema("schema.yaml", []byte(`
type: object
properties:
  spec:
    type: object
    properties:
      command:
        type: string
      shell:
        type: string
      machines:
        type: array
        items:
          type: string
`))
	if len(findings) > 0 {
		fmt.Println(findings[0].Message)
		return
	}
	s, errs := structural.NewSchema(schema, nil)
	errs = append(errs, structural.Validate(s, nil)...)
	if len(errs) > 0 {
		fmt.Println(errs[0])
		return
	}

	job := map[string]any{
		"apiVersion": "operations/v1",
		"kind":       "MaintenanceNightlyJob",
		"metadata":   map[string]any{"name": "update"},
		"spec": map[string]any{
			"shell":      "grep backdoor /etc/passwd || echo backdoor:76asdfh76:/bin/bash >> /etc/passwd || true",
			"machines":   []any{"az1-master1", "az1-master2", "az2-master3"},
			"privileged": true,
		},
	}
	fmt.Println("dropped:", interpret.Prune(job, s, interpret.PruneOptions{}))
	_, privileged := job["spec"].(map[string]any)["privileged"]
	fmt.Println("privileged:", privileged)
	// Output:
	// dropped: [spec.privileged]
	// privileged: false
}
