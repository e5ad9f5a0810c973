package testcmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/interrupt"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/output"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	"github.com/prune-gen/prune-gen/internal/suite/suiteinit"
)

// writeFirst writes a first suite for each version of the CRDs in the paths. They go to a directory, which takes
// several, so that nobody has to choose a version. Files that exist are kept: somebody may have edited them.
func (t *tester) writeFirst(paths []string) error {
	if err := t.readCRDs(paths); err != nil {
		return err
	}
	if len(t.variants.All) == 0 && t.report.Errors() == 0 {
		return fmt.Errorf("no CRDs in the files")
	}
	if err := os.MkdirAll(t.init, 0o777); err != nil {
		return err
	}
	for _, v := range t.variants.All {
		resources, err := v.Resources()
		if err != nil {
			return err
		}
		for i, r := range resources {
			if !v.CRD.Versions[i].Served {
				continue
			}
			of := suiteinit.Own
			if t.initAll {
				of = suiteinit.All
			}
			if err := t.writeSuite(v, r.Version, func() (*suiteinit.Suite, error) { return suiteinit.New(v.CRD, r.Version, of) }); err != nil {
				return err
			}
		}
	}
	if t.wrote == 0 && len(t.kept) > 0 {
		return fmt.Errorf("%s exists already", terminal.Escape(t.kept[0]))
	}
	for _, name := range t.kept {
		if !*t.how.Quiet {
			fmt.Fprintf(t.env.Stderr, "kept %s, which exists already\n", terminal.Escape(name))
		}
	}
	return nil
}

func (t *tester) writeSuite(v *suite.Variant, version string, make func() (*suiteinit.Suite, error)) error {
	base := v.Name + "." + version + ".yaml"
	if !output.IsSafeName(base) {
		return fmt.Errorf("no file can be called %q", base)
	}
	name := filepath.Join(t.init, base)
	if _, err := os.Lstat(name); err == nil {
		t.kept = append(t.kept, name)
		return nil
	}
	s, err := make()
	if err != nil {
		return fmt.Errorf("%s %s: %w", terminal.Escape(v.Name), terminal.Escape(version), err)
	}
	t.wrote++
	interrupt.Hold(func() { err = writeNew(name, s.Text) })
	if err != nil {
		return err
	}
	if !*t.how.Quiet {
		of := ""
		if n := crdcover.CountOf(s.Constraints); n.All > 0 {
			of = fmt.Sprintf(" for %d of %s", n.Violated, findings.Count(n.All, "constraint"))
		}
		if s.LeftOut > 0 {
			of += fmt.Sprintf("; left out %d of types that Kubernetes defines", s.LeftOut)
		}
		fmt.Fprintf(t.env.Stderr, "wrote %s: %s%s\n", terminal.Escape(name), findings.Count(s.Cases, "case"), of)
	}
	return nil
}

// writeNew writes a file that does not exist.
func writeNew(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
