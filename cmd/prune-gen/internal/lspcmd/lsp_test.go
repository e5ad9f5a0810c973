package lspcmd_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/lsp"
)

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {kind: CronTab, plural: crontabs, singular: crontab, listKind: CronTabList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [cronSpec]
            properties:
              cronSpec: {type: string}
              policy: {type: string, enum: [Allow, Forbid]}
              replicas: {type: integer, maximum: 10, default: 1}
`

const wrong = `apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: nightly}
spec:
  cronSpec: "😀"   # 😀
  replica: 50
  policy: Alow
`

func TestManifestsAreJudgedWhileTheyChange(t *testing.T) {
	c := start(t, map[string]string{"crds/crontab.yaml": crd})
	c.open("a.yaml", wrong)
	found := c.diagnostics("a.yaml", 1, func(d []lsp.Diagnostic) bool { return len(d) > 0 })
	for _, d := range found {
		t.Logf("%+v", d)
	}
	t.Fail()
}
