package main

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/prune-gen/prune-gen/structural"
)

// jsonPrinter writes {"findings": [...]}, and "conditions" beside it where they were asked for.
type jsonPrinter struct {
	w   io.Writer
	out struct {
		Findings   []structural.Finding `json:"findings"`
		Conditions []condition          `json:"conditions,omitempty"`
	}
}

func (j *jsonPrinter) finding(s snippet)     { j.out.Findings = append(j.out.Findings, s.Finding) }
func (j *jsonPrinter) verdict(verdict)       {}
func (j *jsonPrinter) condition(c condition) { j.out.Conditions = append(j.out.Conditions, c) }

func (j *jsonPrinter) finish(tally) error {
	if j.out.Findings == nil {
		j.out.Findings = []structural.Finding{}
	}
	return writeJSON(j.w, j.out)
}

// writeJSON writes v, indented, with nothing in it that a terminal would act on.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}
