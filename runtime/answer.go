package prunert

import "slices"

// Answer is what the API server answers to a request.
type Answer struct {
	// Object is the object that would be stored, nil where the request is refused. It is the object of the request, changed
	// in place, and may share values with the old object of an update.
	//
	// Some fields of metadata only a server knows. A new object has no uid and creationTimestamp unless the request makes
	// them, and no resourceVersion; an updated object has those of the old object. managedFields are those of the old object.
	// Where reading from storage fills in defaults again, as in a status that was dropped, the object does not have them.
	Object map[string]any
	// Warnings are the texts of the Warning headers, in their order and each once. The API server cuts them off after about
	// 4,096 characters.
	Warnings []string
	// Refusal says why the request is refused. It is nil where the request is accepted.
	Refusal *Refusal
}

// Err returns the refusal as an error, nil where the request is accepted.
func (a Answer) Err() error {
	if a.Refusal == nil {
		return nil
	}
	return a.Refusal
}

// warn adds a warning, once.
func (a *Answer) warn(text string) {
	if text != "" && !slices.Contains(a.Warnings, text) {
		a.Warnings = append(a.Warnings, text)
	}
}

// refused returns the answer that refuses a request. Warnings that were given before stay.
func (a Answer) refused(why *Refusal) Answer {
	a.Object, a.Refusal = nil, why
	return a
}
