package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"
)

// longest is how long a line of a program can be. A server takes requests of three megabytes.
const longest = 16 << 20

// Program is a program that answers questions.
type Program struct {
	Command []string
	// Within is the time for all answers.
	Within time.Duration
	Stderr io.Writer

	running atomic.Pointer[os.Process]
}

// Remove ends the program, and the programs that it has started where the system can tell them.
func (p *Program) Remove() {
	if running := p.running.Load(); running != nil {
		end(running)
	}
}

// Ask runs the program, asks it all questions and returns its answers by their ids. Standard input is closed after the last question; the
// program may answer in any order, and may read all questions before its first answer.
func (p *Program) Ask(questions []Question) (map[string]*Answer, error) {
	name := p.Command[0]
	cmd := exec.Command(name, p.Command[1:]...)
	cmd.Stderr, cmd.WaitDelay = p.Stderr, time.Second
	group(cmd)
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
	p.running.Store(cmd.Process)
	stop := func() {
		p.Remove()
		out.Close() // which a program that goes on may have open
	}
	late := time.AfterFunc(p.Within, stop)
	go func() {
		defer in.Close()
		for _, q := range questions {
			if _, err := in.Write(append(text(q), '\n')); err != nil {
				return // the program has ended, which its answers say
			}
		}
	}()
	answers, wrong := answersIn(out, questions)
	if wrong != nil {
		stop()
	}
	err = cmd.Wait()
	p.running.Store(nil)
	switch inTime := late.Stop(); {
	case !inTime:
		return nil, fmt.Errorf("%s has answered %d of %d questions in %s", name, len(answers), len(questions), p.Within)
	case wrong != nil:
		return nil, fmt.Errorf("%s: %w", name, wrong)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(answers) < len(questions):
		return nil, fmt.Errorf("%s has answered %d of %d questions", name, len(answers), len(questions))
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
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		a := &Answer{}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		err := json.Unmarshal(line, new(json.RawMessage)) // nothing follows the answer
		if err == nil {
			err = d.Decode(a)
		}
		if err != nil {
			return answers, fmt.Errorf("line %d: %w", n, err)
		}
		if !asked[a.ID] || answers[a.ID] != nil {
			return answers, fmt.Errorf("line %d answers %q, which is no question that waits for an answer", n, cut(a.ID, 100))
		}
		if why := a.malformed(); why != "" {
			a = &Answer{ID: a.ID, Error: why}
		}
		answers[a.ID] = a
	}
	return answers, lines.Err()
}

// malformed returns why the form of an answer is wrong: it has a code, or says why not.
func (a *Answer) malformed() string {
	n := 0
	for _, has := range []bool{a.Code != 0, a.Skipped != "", a.Error != ""} {
		if has {
			n++
		}
	}
	switch {
	case n != 1:
		return "the answer does not have one of code, skipped and error"
	case a.Code != 0 && (a.Code < 200 || a.Code > 599):
		return fmt.Sprintf("the code %d is not one from 200 to 599", a.Code)
	}
	return ""
}
