//go:build unix

package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/generator"
)

// faultyDisk calls before with the number of each change to the disk, counting from 0. An error keeps the change from
// being made; of a new file, half is written.
type faultyDisk struct {
	disk
	n      int
	before func(n int, op, name string) error
}

func (d *faultyDisk) fault(op, name string) error {
	n := d.n
	d.n++
	if err := d.before(n, op, name); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

func (d *faultyDisk) Create(name string, data []byte, perm fs.FileMode) error {
	if err := d.fault("create", name); err != nil {
		if !errors.Is(err, errDead) {
			d.disk.Create(name, data[:len(data)/2], perm)
		}
		return err
	}
	return d.disk.Create(name, data, perm)
}

func (d *faultyDisk) Link(old, new string) error {
	if err := d.fault("link", new); err != nil {
		return err
	}
	return d.disk.Link(old, new)
}

func (d *faultyDisk) Mkdir(name string, perm fs.FileMode) error {
	if err := d.fault("mkdir", name); err != nil {
		return err
	}
	return d.disk.Mkdir(name, perm)
}

func (d *faultyDisk) Rename(old, new string) error {
	if err := d.fault("rename", new); err != nil {
		return err
	}
	return d.disk.Rename(old, new)
}

func (d *faultyDisk) Remove(name string) error {
	if err := d.fault("remove", name); err != nil {
		return err
	}
	return d.disk.Remove(name)
}

// errDead is the error of a disk after the process was killed: there is nobody to see it.
var errDead = errors.New("dead")

const (
	oldText = generator.GeneratedBy + "\n\npackage v1\n"
	newText = generator.GeneratedBy + "\n\npackage v1\n\nfunc New() {}\n"
)

// attempt starts in a directory with some files, makes changes of all kinds in several directories with a disk that fails,
// and returns the texts before, those that are wanted, how many changes there were, and the error.
func attempt(t *testing.T, before func(n int, op, name string) error) (old, wanted map[string]string, ops int, err error) {
	t.Helper()
	tr := openTestTree(t, map[string]string{
		"out/v1/zz_generated.prune.a.go": oldText,
		"out/v1/zz_generated.prune.b.go": oldText,
		"out/v1/zz_generated.prune.c.go": oldText,
		"out/v1/mine.go":                 "package v1\n",
		"out/v2/zz_generated.prune.a.go": oldText,
	})
	old = tree(t)
	var files []*File
	for sub, want := range map[string][]string{"v1": {"a", "c", "n"}, "v2": {"a"}, "v3": {"a", "b"}} {
		have, err := tr.List(sub)
		if err != nil {
			t.Fatal(err)
		}
		var made []generator.File
		for _, name := range want {
			text := newText
			if sub+name == "v1c" {
				text = oldText
			}
			made = append(made, generator.File{Name: "zz_generated.prune." + name + ".go", Content: []byte(text)})
		}
		changes, found := tr.Compare(sub, have, made, false)
		if len(found) > 0 {
			t.Fatal(found)
		}
		files = append(files, changes...)
	}
	slices.SortFunc(files, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	d := &faultyDisk{disk: tr.root, before: before}
	tr.root = d
	err = tr.Write(files)
	wanted = map[string]string{
		"out": "/", "out/v1": "/", "out/v2": "/", "out/v3": "/", "out/v1/mine.go": "package v1\n",
		"out/v1/zz_generated.prune.a.go": newText, "out/v1/zz_generated.prune.c.go": oldText, "out/v1/zz_generated.prune.n.go": newText,
		"out/v2/zz_generated.prune.a.go": newText, "out/v3/zz_generated.prune.a.go": newText, "out/v3/zz_generated.prune.b.go": newText,
	}
	return old, wanted, d.n, err
}

// changes returns how many changes to the disk an attempt makes.
func changes(t *testing.T) int {
	_, wanted, n, err := attempt(t, func(int, string, string) error { return nil })
	if err != nil || n < 15 {
		t.Fatalf("%v, %d changes", err, n)
	}
	wantTree(t, "without a fault", wanted)
	return n
}

// Whichever change to the disk fails, everything is as it was, or all is done.
func TestAFaultOfTheDiskLeavesAllOrNothing(t *testing.T) {
	failed := 0
	for at := range changes(t) {
		what := ""
		old, wanted, _, err := attempt(t, func(n int, op, name string) error {
			if n != at {
				return nil
			}
			what = fmt.Sprintf("%d: %s %s", n, op, name)
			return syscall.ENOSPC
		})
		if err != nil {
			failed++
			wantTree(t, what, old)
			if !errors.Is(err, syscall.ENOSPC) || !strings.HasSuffix(err.Error(), "no space left on device; nothing was written") || !strings.Contains(err.Error(), " out") {
				t.Errorf("%s: %v", what, err)
			}
			continue
		}
		// A file system without links is no fault, and what is in the way of nobody is removed by the next run.
		recoverTree(t, what)
		wantTree(t, what, wanted)
		if !strings.Contains(what, "link ") && !strings.Contains(what, "remove out") && !strings.HasSuffix(what, backupSuffix) {
			t.Errorf("%s: no error", what)
		}
	}
	if failed < 10 {
		t.Errorf("%d attempts failed", failed)
	}
}

// recoverTree is what the next run does first.
func recoverTree(t *testing.T, what string) (undone bool) {
	t.Helper()
	tr, err := Open("out")
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer tr.Close()
	if undone, err = tr.Recover(); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	return undone
}

// Whenever a process is killed, the next run finds all or nothing, and none of the temporary files.
func TestARunThatWasKilledIsUndone(t *testing.T) {
	undone, nothing, all := 0, 0, 0
	for at := range changes(t) {
		what := ""
		old, wanted, _, _ := attempt(t, func(n int, op, name string) error {
			if n == at {
				what = fmt.Sprintf("%d: %s %s", n, op, name)
			}
			if n >= at {
				return errDead
			}
			return nil
		})
		if recoverTree(t, what) {
			undone++
		}
		have := tree(t)
		if _, made := have["out/v3"]; made && old["out/v3"] == "" {
			old["out/v3"] = "/" // an empty directory may stay
		}
		if have["out/v1/zz_generated.prune.a.go"] == newText {
			all++
			wantTree(t, what, wanted)
		} else {
			nothing++
			wantTree(t, what, old)
		}
	}
	if undone < 4 || nothing < 10 || all < 1 {
		t.Errorf("%d undone, %d times nothing, %d times all", undone, nothing, all)
	}
}

// A run that undoes what another began can be killed, too.
func TestUndoingThatWasKilledIsUndone(t *testing.T) {
	for at := range 20 {
		renames := 0
		old, _, _, _ := attempt(t, func(_ int, op, name string) error {
			if op == "rename" {
				renames++
			}
			if renames > 4 {
				return errDead
			}
			return nil
		})
		tr, err := Open("out")
		if err != nil {
			t.Fatal(err)
		}
		tr.root = &faultyDisk{disk: tr.root, before: func(n int, _, _ string) error {
			if n >= at {
				return errDead
			}
			return nil
		}}
		tr.Recover()
		tr.Close()
		recoverTree(t, "again")
		old["out/v3"] = "/"
		wantTree(t, fmt.Sprint(at), old)
	}
}

// A signal at any time leaves all or nothing, and a run that has not begun to rename ends with the signal.
func TestASignalLeavesAllOrNothing(t *testing.T) {
	// Write may have ended before the signal arrives, which would end the test.
	arrived := make(chan os.Signal, 1)
	signal.Notify(arrived, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(arrived)
	last := -1 // the change before the journal goes, after which everything is done
	attempt(t, func(n int, op, name string) error {
		if op == "remove" && filepath.Base(name) == journalName && last < 0 {
			last = n - 1
		}
		return nil
	})
	interrupted := 0
	for at := range changes(t) {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			old, wanted, _, err := attempt(t, func(n int, _, _ string) error {
				if n == at {
					syscall.Kill(os.Getpid(), sig)
					<-arrived
					signal.Notify(arrived, sig) // waits until it has arrived in Write, too: signals are delivered under a lock
				}
				return nil
			})
			what := fmt.Sprintf("%v at %d", sig, at)
			var by *Interrupted
			switch {
			case err == nil && at == last:
				t.Errorf("%s, the last change but one: it is not heeded", what)
			case err == nil:
				recoverTree(t, what)
				wantTree(t, what, wanted)
			case errors.As(err, &by) && by.Signal == sig && by.ExitCode() == 128+int(sig):
				interrupted++
				wantTree(t, what, old)
			default:
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	if interrupted < 20 {
		t.Errorf("%d runs were interrupted", interrupted)
	}
}

// Permission that is lost on the way is told, and what was written by then is put back.
func TestPermissionThatIsLostHalfway(t *testing.T) {
	for _, op := range []string{"create", "rename"} {
		old, _, _, err := attempt(t, func(_ int, this, name string) error {
			if this == op && strings.HasPrefix(name, "v3/") {
				return fs.ErrPermission
			}
			return nil
		})
		if !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), op+" out/v3/") {
			t.Errorf("%v", err)
		}
		wantTree(t, op, old)
	}
}

// A disk that fails for good leaves what the next run can put back, and says so.
func TestADiskThatFailsForGood(t *testing.T) {
	readOnly := false
	old, _, _, err := attempt(t, func(_ int, op, name string) error {
		readOnly = readOnly || op == "rename" && strings.HasPrefix(name, "v2/")
		if readOnly {
			return fs.ErrPermission
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "could not be restored") || !strings.Contains(err.Error(), "the next run tries again") {
		t.Errorf("%v", err)
	}
	if !recoverTree(t, "") {
		t.Error("nothing was undone")
	}
	old["out/v3"] = "/"
	wantTree(t, "", old)
}

func TestADirectoryThatIsGone(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/a": "1"})
	if err := os.RemoveAll("out"); err != nil {
		t.Fatal(err)
	}
	err := tr.Write([]*File{{Name: "v1/zz_generated.prune.a.go", new: []byte("2"), perm: 0o666}})
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), "; nothing was written") {
		t.Errorf("%v", err)
	}
	wantTree(t, "", map[string]string{})
}

// Runs that want the same all end well. Of those that want something else, one wins and the others say that they lost, and
// no package is half of one and half of the other.
func TestRunsAtTheSameTime(t *testing.T) {
	for round := range 10 {
		t.Chdir(t.TempDir())
		var wg sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			wg.Go(func() {
				tr, err := Open("out")
				if err != nil {
					errs[i] = err
					return
				}
				defer tr.Close()
				if _, errs[i] = tr.Recover(); errs[i] != nil {
					return
				}
				have, err := tr.List("v1")
				if err != nil {
					errs[i] = err
					return
				}
				text := newText
				if round%2 == 1 {
					text += fmt.Sprintf("\nvar x = %d\n", i%3)
				}
				var made []generator.File
				for _, name := range []string{"a", "b", "c", "d"} {
					made = append(made, generator.File{Name: "zz_generated.prune." + name + ".go", Content: []byte(text)})
				}
				files, _ := tr.Compare("v1", have, made, false)
				errs[i] = tr.Write(files)
			})
		}
		wg.Wait()
		lost := 0
		for _, err := range errs {
			if errors.Is(err, errChanged) && round%2 == 1 {
				lost++
			} else if err != nil {
				t.Error(err)
			}
		}
		if lost == len(errs) {
			t.Error("all have lost")
		}
		texts := map[string]bool{}
		have := contents(t)
		for _, text := range have {
			texts[text] = true
		}
		if len(have) != 4 || len(texts) != 1 {
			t.Errorf("%d files with %d texts", len(have), len(texts))
		}
	}
}

// A run that does not end is not waited for without end, and its files are not touched.
func TestAnotherRunIsNotDisturbed(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/" + journalName: `{"steps":[]}`, "out/.zz_generated.prune.a.go.12345678.new": "x"})
	other, err := Open("out")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.lock(".", 0, func() error { return nil })
	if err != nil || lock == nil {
		t.Fatal(lock, err)
	}
	defer lock.Close()
	_, err = tr.lock(".", 20*time.Millisecond, func() error { return nil })
	if !errors.Is(err, errLocked) || !strings.HasPrefix(err.Error(), "out: another prune-gen") {
		t.Errorf("%v", err)
	}
	enough := errors.New("enough")
	if _, err := tr.lock(".", time.Hour, func() error { return enough }); err != enough {
		t.Errorf("%v", err)
	}
	w := &writing{Tree: tr, interrupted: func() error { return enough }}
	if err := w.write([]*File{{Name: "zz_generated.prune.a.go", new: []byte("2"), perm: 0o666}}, nil); err != enough {
		t.Errorf("%v", err)
	}
	w.abort(enough)
	if have := contents(t); len(have) != 2 {
		t.Errorf("%v", have)
	}
}

// A journal that somebody checks in is no way to have files changed.
func TestAForgedJournalIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "{", `{"steps":[{"name":"main.go","new":"` + hashOf([]byte("x")) + `"}]}`,
		`{"steps":[{"name":"../zz_generated.prune.a.go"}]}`,
		`{"steps":[{"name":"zz_generated.prune.a.go","backup":"main.go"}]}`,
		`{"steps":[{"name":"zz_generated.prune.a.go","temp":"main.go"}]}`,
		`{"steps":[{"name":"zz_generated.prune.a.go","temp":"v1/.zz_generated.prune.a.go.12345678.new"}]}`,
	} {
		files := map[string]string{"out/main.go": "x", "out/" + journalName: text, "zz_generated.prune.a.go": "y", "out/v1/.zz_generated.prune.a.go.12345678.new": "z"}
		tr := openTestTree(t, files)
		if _, err := tr.Recover(); err == nil || !strings.Contains(err.Error(), "out/"+journalName+": prune-gen did not write this file: remove it") {
			t.Errorf("%s: %v", text, err)
		}
		wantFiles(t, files)
	}
}

// What somebody has written after a crash is not undone.
func TestUndoingLeavesAloneWhatCameAfter(t *testing.T) {
	renames := 0
	attempt(t, func(_ int, op, name string) error {
		if op == "rename" {
			renames++
		}
		if renames > 3 {
			return errDead
		}
		return nil
	})
	if err := os.WriteFile("out/v1/zz_generated.prune.a.go", []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	recoverTree(t, "")
	have := contents(t)
	if have["out/v1/zz_generated.prune.a.go"] != "theirs" || have["out/v1/zz_generated.prune.b.go"] != oldText || have["out/v1/zz_generated.prune.n.go"] != "" {
		t.Errorf("%q", have)
	}
}

// vanishing is a disk from which another run removes each file just before it is read.
type vanishing struct{ disk }

func (d vanishing) Open(name string) (*os.File, error) {
	if generator.IsFileName(filepath.Base(name)) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return d.disk.Open(name)
}

func TestAFileThatHasJustBeenRemovedIsNotThere(t *testing.T) {
	t.Chdir(write(t, map[string]string{"zz_generated.prune.a.go": generator.GeneratedBy + "\n\npackage v1\n"}))
	tree, err := Open(".")
	if err != nil {
		t.Fatal(err)
	}
	if files, err := tree.List("."); err != nil || len(files) != 1 {
		t.Fatalf("at first there are %v, %v", files, err)
	}
	tree.root = vanishing{tree.root}
	if files, err := tree.List("."); err != nil || len(files) != 0 {
		t.Errorf("have %v, %v", files, err)
	}
}
