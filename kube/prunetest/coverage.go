package prunetest

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
)

// Coverage runs the tests of a package, and returns the exit status for os.Exit. It is 1 if a test fails, and if a CEL rule of the CRDs has no
// case that violates it: no request by a suite or a fixture was refused for the rule. It prints these rules with their places.
//
//	func TestMain(m *testing.M) { os.Exit(prunetest.Coverage(m, crds)) }
//
// If some tests are left out, by -run, -skip or -short, rules without a case do not matter.
func Coverage(m *testing.M, crds *CRDs) int {
	uncovered := crds.record()
	status := m.Run()
	if status != 0 || selected() {
		return status
	}
	rules, err := uncovered()
	if err != nil {
		fmt.Fprintln(os.Stderr, "prunetest:", err)
		return 1
	}
	for _, rule := range rules {
		fmt.Fprintln(os.Stderr, rule)
		status = 1
	}
	return status
}

// record begins to record requests. The function returns the rules that none violated, each with its place.
func (c *CRDs) record() func() ([]string, error) {
	c.coverage = &crdcover.Recorder{}
	return func() ([]string, error) {
		for _, v := range c.variants.All {
			served, err := v.Served()
			if err != nil {
				return nil, err
			}
			for _, r := range served {
				c.coverage.Expect(v.CRD, r)
			}
		}
		var rules []string
		for _, crd := range c.coverage.Report().CRDs {
			for _, constraint := range crd.Constraints {
				if constraint.Kind == crdcover.Rule && len(constraint.ViolatedBy) == 0 {
					rules = append(rules, fmt.Sprintf("%s: %s: no test violates the rule %s", constraint.Place(), constraint.Name(), constraint.Text))
				}
			}
		}
		return rules, nil
	}
}

// observe records a request of a case.
func (c *CRDs) observe(r suite.Request) {
	if c.coverage != nil && !r.Patched {
		c.coverage.Record(r.Variant.CRD, r.Resource, r.Case.Name, r.Sent, r.Old, r.Request, r.Answer)
	}
}

// selected reports whether the flags of go test leave out tests.
func selected() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return testing.Short()
}
