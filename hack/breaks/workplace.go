package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// workplace is a copy of the tracked files in which one break after the other is made.
type workplace struct {
	options
	root, dir string
	tracked   []string
}

func newWorkplace(ctx context.Context, root string) (*workplace, error) {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tracked files: %w", err)
	}
	dir, err := os.MkdirTemp("", "prune-gen-breaks-")
	if err != nil {
		return nil, err
	}
	tracked := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(tracked)
	return &workplace{root: root, dir: dir, tracked: tracked}, nil
}

// restore makes the copy equal to the sources again. Files that are equal already are left alone, so that tests of what did not
// change need not run again.
func (w *workplace) restore() error {
	for _, name := range w.tracked {
		from, to := filepath.Join(w.root, name), filepath.Join(w.dir, name)
		want, err := os.ReadFile(from)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			return err
		}
		if have, err := os.ReadFile(to); err == nil && bytes.Equal(have, want) {
			continue
		}
		info, err := os.Stat(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, want, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(w.dir, path)
		if err != nil {
			return err
		}
		if _, ok := slices.BinarySearch(w.tracked, filepath.ToSlash(name)); ok {
			return nil
		}
		return os.Remove(path)
	})
}

// tryAll tries breaks and sends the results. If several are not noticed together, each of them is not; otherwise each is tried by
// itself.
func (w *workplace) tryAll(ctx context.Context, breaks []Break, before noticed, results chan<- result) {
	start := time.Now()
	if len(breaks) > 1 {
		if how, err := w.try(ctx, breaks, ""); how == "" && err == nil {
			for _, b := range breaks {
				results <- result{b, "", time.Since(start), nil}
			}
			return
		}
	}
	for _, b := range breaks {
		start := time.Now()
		how, err := w.try(ctx, []Break{b}, before[b.Name])
		results <- result{b, how, time.Since(start), err}
	}
}

// try makes breaks and returns how they are noticed; "" if they are not. It tries first what noticed the break before.
func (w *workplace) try(ctx context.Context, breaks []Break, before string) (how string, err error) {
	if err := w.restore(); err != nil {
		return "", fmt.Errorf("copy the sources: %w", err)
	}
	for _, b := range breaks {
		if err := w.make(ctx, b); err != nil {
			return "", err
		}
	}
	all := everything
	if len(breaks) == 1 {
		all = stages(breaks[0])
	}
	first := shortcut(all, before)
	if w.sample > 0 {
		for i := range first {
			first[i].large = false
		}
		all = slices.DeleteFunc(slices.Clone(all), func(s stage) bool { return s.large })
	}
	for _, s := range slices.Concat(first, all) {
		if s.conformance && !w.conformance || w.own && !s.own {
			continue
		}
		if how, err = w.stage(ctx, s); how != "" || err != nil {
			return how, err
		}
	}
	return "", nil
}

// make makes one break in the copy.
func (w *workplace) make(ctx context.Context, b Break) error {
	source, err := os.ReadFile(filepath.Join(w.dir, b.File))
	if err != nil {
		return err
	}
	broken, err := b.apply(source)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.dir, b.File), broken, 0o666); err != nil {
		return err
	}
	if out, err := w.command(ctx, b.module(), "go", "build", b.pkg()).CombinedOutput(); err != nil {
		return fmt.Errorf("the broken code does not compile, which shows nothing about the tests:\n%s", out)
	}
	return nil
}

// command returns a command that runs in a folder of the copy.
func (w *workplace) command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join(w.dir, dir)
	// Golden files are not written where CI is set. A third of the time goes into collecting garbage otherwise.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CI=") })
	cmd.Env = append(cmd.Env, "GOGC=400")
	killWhole(cmd)
	return cmd
}
