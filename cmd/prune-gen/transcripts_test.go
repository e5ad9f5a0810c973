package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// An archive in transcripts has files, commands, and as its last file what the commands print, each with its exit status. A line of
// standard error begins with "! ", and a text that does not end in a line break ends in a backslash. A command can read a file with
// "< name", and "cat name" prints one.
func TestTranscriptsAreAsRecorded(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is for people who look at what it changes, not for CI")
	}
	names, err := filepath.Glob("transcripts/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			absolute, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			files, commands := map[string]string{}, ""
			for _, f := range archive.Files {
				switch f.Name {
				case "commands":
					commands = string(f.Data)
				case "transcript":
				default:
					files[f.Name] = string(f.Data)
				}
			}
			t.Setenv("GITHUB_WORKSPACE", "")
			t.Setenv("NO_COLOR", "")
			t.Chdir(write(t, files))
			transcript := txtar.File{Name: "transcript", Data: []byte(runTranscript(t, commands))}
			last := len(archive.Files) - 1
			if archive.Files[last].Name != transcript.Name {
				archive.Files = append(archive.Files, txtar.File{Name: transcript.Name})
				last++
			}
			want := string(archive.Files[last].Data)
			switch have := string(transcript.Data); {
			case have == want:
			case *update:
				archive.Files[last] = transcript
				if err := os.WriteFile(absolute, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s differs\n--- want\n%s\n--- have\n%s\nto accept it: go test ./cmd/prune-gen -run Transcripts -update", name, want, have)
			}
		})
	}
}

// runTranscript runs commands, one a line, and returns what they print.
func runTranscript(t *testing.T, commands string) string {
	t.Helper()
	var b strings.Builder
	for command := range strings.Lines(commands) {
		command = strings.TrimSpace(command)
		if command == "" {
			continue
		}
		fmt.Fprintf(&b, "$ %s\n", command)
		line, from, _ := strings.Cut(command, " < ")
		stdin := readNamed(t, from)
		args := strings.Fields(line)
		if args[0] == "cat" {
			b.WriteString(readNamed(t, args[1]))
			continue
		}
		r := runWith(stdin, args[1:]...)
		b.WriteString(ended(r.stdout))
		for text := range strings.Lines(ended(r.stderr)) {
			b.WriteString("! " + text)
		}
		if r.code != exitOK {
			fmt.Fprintf(&b, "exit status %d\n", r.code)
		}
	}
	took := regexp.MustCompile(`(?m) \(\d+\.\d\ds\)$`)
	return took.ReplaceAllString(strings.ReplaceAll(b.String(), "\x1b", `\x1b`), " (0.00s)")
}

// readNamed returns the content of a file, nothing for no name.
func readNamed(t *testing.T, name string) string {
	t.Helper()
	if name == "" {
		return ""
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ended returns a text with an end to its last line.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\\\n"
}
