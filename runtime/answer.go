package prunert

import (
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
)

// Answer is what the API server answers to a request.
type Answer struct {
	// Object is the object that would be stored, nil if the request is refused. It is the object of the request, changed
	// in place, and may share values with the old object of an update.
	//
	// Only a server knows some fields of metadata. A new object has no uid and creationTimestamp unless the request makes them, and no
	// resourceVersion; an updated object has those of the old object. managedFields are those of the old object. Defaults that a server
	// fills in when it reads an object from storage, as in a status that was dropped, are missing.
	Object map[string]any
	// Warnings are the texts of the Warning headers, in their order and each once. Like the API server, an answer ends with the one that
	// exceeds 4,096 characters; then none has more than 256.
	Warnings []string
	// Refusal says why the request is refused. It is nil if the request is accepted.
	Refusal *Refusal
}

// Err returns the refusal as an error, nil if the request is accepted.
func (a Answer) Err() error {
	if a.Refusal == nil {
		return nil
	}
	return a.Refusal
}

// warn adds warnings, each once, within the limits. Like the API server it leaves out texts that cannot be a header.
func (a *Answer) warn(texts ...string) {
	if len(texts) == 0 {
		return
	}
	limit := prunelimits.Current().Entries
	warned := make(map[string]bool, len(a.Warnings)+len(texts))
	for _, text := range a.Warnings {
		warned[text] = true
	}
	for _, text := range texts {
		if warned[text] || !fitsHeader(text) {
			continue
		}
		if limit > 0 && len(a.Warnings) >= limit {
			return
		}
		warned[text] = true
		a.Warnings = append(a.Warnings, text)
	}
}

// cutWarnings keeps the warnings for which the API server has room. Once one does not fit, it cuts all.
func (a *Answer) cutWarnings() {
	const most, mostOfOne = 4096, 256
	last, written := 0, 0 // the warning that does not fit
	for ; last < len(a.Warnings); last++ {
		if written += utf8.RuneCountInString(a.Warnings[last]); written > most {
			break
		}
	}
	if last == len(a.Warnings) {
		return
	}
	written = 0
	for i, text := range a.Warnings {
		if i > last && written >= most {
			a.Warnings = a.Warnings[:i]
			return
		}
		if runes := []rune(text); len(runes) > mostOfOne {
			a.Warnings[i] = string(runes[:mostOfOne])
		}
		written += utf8.RuneCountInString(a.Warnings[i])
	}
}

// fitsHeader reports whether a text is UTF-8 without control characters.
func fitsHeader(text string) bool {
	for _, r := range text {
		if r < 0x20 || 0x7f <= r && r <= 0x9f {
			return false
		}
	}
	return utf8.ValidString(text)
}

// refused returns the answer that refuses a request. Warnings that were given before stay.
func (a Answer) refused(why *Refusal) Answer {
	a.Object, a.Refusal = nil, why
	return a
}
