package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// longest is how long a line of a program can be.
const longest = 64 << 20

// Ask runs a program, asks it all questions and returns its answers by their ids. Standard input is closed after the last question; the
// program may answer in any order, and may read all questions before its first answer. It has some time for all of them.
func Ask(command []string, questions []Question, within time.Duration, stderr io.Writer) (map[string]*Answer, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr, cmd.WaitDelay = stderr, time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	late := time.AfterFunc(within, func() { cmd.Process.Kill() })
	go func() {
		defer in.Close()
		lines := json.NewEncoder(in)
		lines.SetEscapeHTML(false)
		for _, q := range questions {
			if lines.Encode(q) != nil {
				return // the program has ended, which its answers say
			}
		}
	}()
	answers, wrong := answersIn(out, questions)
	if wrong != nil {
		cmd.Process.Kill()
	}
	err = cmd.Wait()
	switch inTime := late.Stop(); {
	case !inTime:
		return nil, fmt.Errorf("%s has answered %d of %d questions in %s", command[0], len(answers), len(questions), within)
	case wrong != nil:
		return nil, fmt.Errorf("%s: %w", command[0], wrong)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", command[0], err)
	case len(answers) < len(questions):
		return nil, fmt.Errorf("%s has answered %d of %d questions", command[0], len(answers), len(questions))
	}
	return answers, nil
}

// answersIn reads answers to questions.
func answersIn(out io.Reader, questions []Question) (map[string]*Answer, error) {
	asked := map[string]bool{}
	for _, q := range questions {
		asked[q.ID] = true
	}
	answers := map[string]*Answer{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		a := &Answer{}
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.UseNumber()
		if err := d.Decode(a); err != nil {
			return answers, fmt.Errorf("answer %d: %w", len(answers)+1, err)
		}
		if !asked[a.ID] || answers[a.ID] != nil {
			return answers, fmt.Errorf("answer %d has the id %q, which no question has that waits", len(answers)+1, a.ID)
		}
		answers[a.ID] = a
	}
	return answers, lines.Err()
}
