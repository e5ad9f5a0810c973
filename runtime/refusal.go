package prunert

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Refusal says why the API server refuses a request. It has the fields of a Kubernetes Status, and is one as JSON.
type Refusal struct {
	// Code is the HTTP status code, Reason its name in Kubernetes: Invalid for 422.
	Code    int
	Reason  string
	Message string
	// Group, Kind and Name are those of the details: of the object that is invalid, or with the plural of the resource as
	// Kind for refusals that are not about the content of an object. They are empty if the Status has no details.
	Group, Kind, Name string
	// Causes are all errors of an invalid object, in the order in which the API server validates: metadata, schema, scale,
	// embedded resources, list types. Within a step they are sorted, where the order of the API server is random.
	Causes []Cause
	// Errors are the errors of the causes, in their order, or those for which an object cannot be decoded.
	Errors ErrorList
}

// Cause is one reason of a refusal.
type Cause struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	Field   string `json:"field,omitempty"`
}

// Reasons of refusals.
const (
	reasonBadRequest       = "BadRequest"
	reasonNotFound         = "NotFound"
	reasonMethodNotAllowed = "MethodNotAllowed"
	reasonConflict         = "Conflict"
	reasonInvalid          = "Invalid"
)

// Codes of refusals. The package net/http has them too, and would be linked into every program.
const (
	codeBadRequest       = 400
	codeNotFound         = 404
	codeMethodNotAllowed = 405
	codeConflict         = 409
	codeInvalid          = 422
	codeInternalError    = 500
)

// Error returns what kubectl prints about the refusal.
func (r *Refusal) Error() string {
	if r.Reason != reasonInvalid || len(r.Causes) == 0 {
		if r.Reason == "" {
			return "Error from server: " + r.Message
		}
		return "Error from server (" + r.Reason + "): " + r.Message
	}
	texts := r.texts()
	head := fmt.Sprintf("The %s %q is invalid: ", r.Kind, r.Name)
	if len(texts) == 1 {
		return head + texts[0]
	}
	return head + "\n* " + strings.Join(texts, "\n* ")
}

// texts returns the texts of the causes, each once.
func (r *Refusal) texts() []string {
	seen := make(map[string]bool, len(r.Causes))
	texts := make([]string, 0, len(r.Causes))
	for _, c := range r.Causes {
		text := c.Field + ": " + c.Message
		if !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	return texts
}

// MarshalJSON writes the refusal as the API server does: as a Status.
func (r *Refusal) MarshalJSON() ([]byte, error) {
	type details struct {
		Name   string  `json:"name,omitempty"`
		Group  string  `json:"group,omitempty"`
		Kind   string  `json:"kind,omitempty"`
		Causes []Cause `json:"causes,omitempty"`
	}
	status := struct {
		Kind       string   `json:"kind"`
		APIVersion string   `json:"apiVersion"`
		Metadata   struct{} `json:"metadata"`
		Status     string   `json:"status"`
		Message    string   `json:"message,omitempty"`
		Reason     string   `json:"reason,omitempty"`
		Details    *details `json:"details,omitempty"`
		Code       int      `json:"code,omitempty"`
	}{Kind: "Status", APIVersion: "v1", Status: "Failure", Message: r.Message, Reason: r.Reason, Code: r.Code}
	if r.Group != "" || r.Kind != "" || r.Name != "" || len(r.Causes) > 0 {
		status.Details = &details{Name: r.Name, Group: r.Group, Kind: r.Kind, Causes: r.Causes}
	}
	return json.Marshal(status)
}

func badRequest(message string) *Refusal {
	return &Refusal{Code: codeBadRequest, Reason: reasonBadRequest, Message: message}
}

// internalError is an error that the API server passes on as it is.
func internalError(message string) *Refusal {
	return &Refusal{Code: codeInternalError, Message: message}
}

// invalid refuses an object of a kind for its errors.
func invalid(group, kind, name string, errs ErrorList) *Refusal {
	r := &Refusal{Code: codeInvalid, Reason: reasonInvalid, Group: group, Kind: kind, Name: name, Errors: errs}
	r.Causes = make([]Cause, 0, len(errs))
	for _, e := range errs {
		r.Causes = append(r.Causes, Cause{Reason: string(e.Type), Message: e.Body(), Field: e.Field})
	}
	texts := r.texts()
	text := strings.Join(texts, ", ")
	if len(texts) > 1 {
		text = "[" + text + "]"
	}
	r.Message = qualified(kind, group) + " " + strconv.Quote(name) + " is invalid: " + text
	return r
}

// qualified writes a kind or a resource with its group.
func qualified(name, group string) string {
	if group == "" {
		return name
	}
	return name + "." + group
}

// aboutResource refuses a request for an object by its resource and its name.
func (r *Resource) aboutResource(code int, reason, name, message string) *Refusal {
	return &Refusal{Code: code, Reason: reason, Message: message, Group: r.Group, Kind: r.Plural, Name: name}
}

func (r *Resource) notFound(name string) *Refusal {
	return r.aboutResource(codeNotFound, reasonNotFound, name, fmt.Sprintf("%s %q not found", qualified(r.Plural, r.Group), name))
}

func (r *Resource) conflict(name, why string) *Refusal {
	return r.aboutResource(codeConflict, reasonConflict, name,
		fmt.Sprintf("Operation cannot be fulfilled on %s %q: %s", qualified(r.Plural, r.Group), name, why))
}

func (r *Resource) methodNotAllowed(verb string) *Refusal {
	return r.aboutResource(codeMethodNotAllowed, reasonMethodNotAllowed, "",
		fmt.Sprintf("%s is not supported on resources of kind %q", verb, qualified(r.Plural, r.Group)))
}
