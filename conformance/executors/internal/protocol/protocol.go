// Package protocol reads questions of the conformance suite and writes answers.
package protocol

import (
	"encoding/json"
	"io"
)

// Question is a line of the suite.
type Question struct {
	ID, Kubernetes, Version, Body, Namespace, Subresource, FieldValidation string
	CRD, Object, Stored                                                    json.RawMessage
}

// Answer is what a program says to a question.
type Answer struct {
	ID       string         `json:"id"`
	Error    string         `json:"error,omitempty"`
	Skipped  string         `json:"skipped,omitempty"`
	Code     int            `json:"code,omitempty"`
	Object   map[string]any `json:"object,omitempty"`
	Status   any            `json:"status,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
}

// All answers all questions. An error is why there is no answer to one.
func All(in io.Reader, out io.Writer, answer func(*Question) (Answer, error)) error {
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var q Question
		if err := questions.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a, err := answer(&q)
		if err != nil {
			a = Answer{Error: err.Error()}
		}
		a.ID = q.ID
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

// Verdict is the answer of a program that only accepts or refuses.
func Verdict(accepted bool) Answer {
	if accepted {
		return Answer{Code: 201}
	}
	return Answer{Code: 422}
}

// NoManifest returns why a question is not about a manifest that is to be created and has only known fields, "" if it is: programs that validate
// files promise nothing else.
func (q *Question) NoManifest() string {
	switch {
	case q.CRD == nil:
		return "a CRD"
	case q.Stored != nil:
		return "an update"
	case q.FieldValidation != "Strict":
		return "a request that is not strict"
	case q.Object == nil:
		return "not an object"
	}
	return ""
}
