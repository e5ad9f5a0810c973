package walkthrough

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"golang.org/x/tools/txtar"
)

// script runs the lines of a script, one after the other, in a directory with the files of its archive:
//
//	exec PROGRAM ARG...     run a program
//	stdout PATTERN          what the last program printed matches; ^ and $ stand for the ends of lines
//	stderr PATTERN          the same for its errors
//	grep PATTERN FILE       a file matches
//	cmp FILE FILE           two files are equal
//	exists FILE
//	cp FILE FILE
//	rm FILE
//
// ! before a line means that it has to fail, # begins a comment. An argument can be in single quotes.
type script struct {
	dir            string
	env            []string
	stdout, stderr bytes.Buffer
}

// runScript runs a script in an empty directory, with variables added to the environment. $NAME stands for them.
func runScript(t *testing.T, name string, vars map[string]string) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{dir: t.TempDir(), env: append(os.Environ(), gocmd.Variable+"=1")}
	vars["WORK"] = s.dir
	vars["GOBIN"] = s.path("bin")
	for key, value := range vars {
		s.env = append(s.env, key+"="+value)
	}
	for _, f := range archive.Files {
		if err := os.MkdirAll(filepath.Dir(s.path(f.Name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.path(f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for line := range strings.Lines(string(archive.Comment)) {
		n++
		words := split(line)
		for i, word := range words {
			words[i] = os.Expand(word, func(key string) string {
				if value, ok := vars[key]; ok {
					return value
				}
				return "$" + key // the end of a line in a pattern
			})
		}
		if len(words) == 0 {
			continue
		}
		wanted := words[0] != "!"
		if !wanted {
			words = words[1:]
		}
		switch err := s.run(words[0], words[1:]); {
		case err != nil && wanted:
			t.Fatalf("%s:%d: %s%v\nstdout:\n%s\nstderr:\n%s", name, n, line, err, &s.stdout, &s.stderr)
		case err == nil && !wanted:
			t.Fatalf("%s:%d: %sit did not fail\nstdout:\n%s\nstderr:\n%s", name, n, line, &s.stdout, &s.stderr)
		}
	}
}

var word = regexp.MustCompile(`(?:'[^']*'|[^\s'])+`)

// split returns the words of a line, without quotes.
func split(line string) []string {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return nil
	}
	words := word.FindAllString(line, -1)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "'", "")
	}
	return words
}

func (s *script) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *script) run(command string, args []string) error {
	if want := map[string]int{"stdout": 1, "stderr": 1, "grep": 2, "cmp": 2, "exists": 1, "cp": 2, "rm": 1}[command]; want != len(args) && command != "exec" {
		panic(fmt.Sprintf("%s %q: want %d arguments", command, args, want))
	}
	switch command {
	case "exec":
		return s.exec(args)
	case "stdout":
		return match(args[0], s.stdout.Bytes())
	case "stderr":
		return match(args[0], s.stderr.Bytes())
	case "exists":
		_, err := os.Stat(s.path(args[0]))
		return err
	case "rm":
		return os.Remove(s.path(args[0]))
	}
	last := len(args) - 1
	if command == "cp" {
		last = 0
	}
	text, err := os.ReadFile(s.path(args[last]))
	if err != nil {
		return err
	}
	switch command {
	case "grep":
		return match(args[0], text)
	case "cp":
		return os.WriteFile(s.path(args[1]), text, 0o666)
	}
	other, err := os.ReadFile(s.path(args[0]))
	if err == nil && !bytes.Equal(text, other) {
		err = errors.New("the files differ")
	}
	return err
}

func (s *script) exec(args []string) error {
	s.stdout.Reset()
	s.stderr.Reset()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, s.env, &s.stdout, &s.stderr
	return cmd.Run()
}

func match(pattern string, text []byte) error {
	if !regexp.MustCompile("(?m)" + pattern).Match(text) {
		return fmt.Errorf("nothing matches %s in\n%s", pattern, text)
	}
	return nil
}
