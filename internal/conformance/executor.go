package conformance

import (
	"encoding/json"
	"io"
)

// ReadQuestions reads what a program is asked.
func ReadQuestions(in io.Reader) ([]*Question, error) {
	var all []*Question
	for lines := json.NewDecoder(in); ; {
		q := &Question{}
		if err := lines.Decode(q); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, q)
	}
}

// Answers writes the answers of a program to all questions. An error is why there is no answer to one.
func Answers(in io.Reader, out io.Writer, answer func(*Question) (Answer, error)) error {
	questions, err := ReadQuestions(in)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	for _, q := range questions {
		a, err := answer(q)
		if err != nil {
			a = Answer{Error: err.Error()}
		}
		a.ID = q.ID
		if err := lines.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

// YesOrNo is the answer of a program that only accepts or refuses.
func YesOrNo(accepted bool) Answer {
	if accepted {
		return Answer{Code: 201}
	}
	return Answer{Code: 422}
}

// StatusOf returns what a Status of Kubernetes says, of any type that is one in JSON.
func StatusOf(kubernetes any) *Status {
	s := &Status{}
	text, _ := json.Marshal(kubernetes)
	json.Unmarshal(text, s)
	return s
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
