package prunert

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// document is the object of a request: decoded, or as bytes.
type document struct {
	object map[string]any
	body   []byte // nil for an object that came decoded
	kind   string // of the object, when it is decoded
	// duplicates are the paths of the keys that an object has twice.
	duplicates []string
}

// jsonDocument returns the document for an object as JSON.
func jsonDocument(data []byte) *document {
	if data == nil {
		data = []byte{}
	}
	return &document{body: data}
}

// typeMeta is what the API server reads first from a document, with a decoder that ignores the case of keys.
// Its type has no name, because errors of the decoder would contain it.
type typeMeta = struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
}

// says returns the kind that the object says it has, as far as it can be read.
func (d *document) says() (group, version, kind string) {
	if d.body != nil {
		var meta typeMeta
		_ = json.Unmarshal(d.body, &meta) // what is wrong with it is said later, by the resource
		group, version, _ = parseGroupVersion(meta.APIVersion)
		return group, version, meta.Kind
	}
	apiVersion, _ := d.object["apiVersion"].(string)
	kind, _ = d.object["kind"].(string)
	group, version, _ = parseGroupVersion(apiVersion)
	return group, version, kind
}

// bytes returns the document as it is, or as a client would write the object.
func (d *document) bytes() []byte {
	if d.body != nil {
		return d.body
	}
	data, err := json.Marshal(d.object)
	if err != nil {
		return nil
	}
	return data
}

// parseGroupVersion splits an apiVersion; ok is false if it has more than one slash.
func parseGroupVersion(s string) (group, version string, ok bool) {
	if s == "" || s == "/" {
		return "", "", true
	}
	switch strings.Count(s, "/") {
	case 0:
		return "", s, true
	case 1:
		group, version, _ = strings.Cut(s, "/")
		return group, version, true
	}
	return "", "", false
}

// decode does what the decoder of the API server does: it reads a document, checks what the object says that it is, and
// normalizes it.
func (r *Resource) decode(d *document, req *Request, a *Answer) *Refusal {
	strict := req.FieldValidation != FieldValidationIgnore
	if d.body == nil && r.Matches(d.object) {
		d.kind = r.Kind
		return r.normalize(d, r.Version, r.Normalize, strict, req, a)
	}
	if why := d.unreadable(); why != "" {
		return r.unrecognized(d, why)
	}
	if d.body != nil {
		var err error
		if d.object, d.duplicates, err = decodeObject(d.body); err != nil {
			group, version, kind := d.says()
			return r.undecodable(group, version, kind, err.Error())
		}
	}
	obj := d.object
	kind, _ := obj["kind"].(string)
	apiVersion, isText := obj["apiVersion"].(string)
	group, version, _ := parseGroupVersion(apiVersion)
	if kind == "" {
		missing := fmt.Sprintf("Object 'Kind' is missing in '%s'", d.bytes())
		if strict {
			return r.unrecognized(d, missing)
		}
		// If duplicates are not looked for, the API server uses another decoder, which fills in what the document does not say.
		group, version, kind := d.says()
		return r.undecodable(group, version, kind, missing)
	}
	if v, ok := obj["apiVersion"]; ok && !isText {
		return unhandled(kind, version, r.Kind, accessorError("apiVersion", v, "string"))
	}

	d.kind = kind
	normalize := r.Normalize
	if kind != r.Kind || group != r.Group || version != r.Version {
		normalize = r.normalizeMetadata // the schema is not that of the object
	}
	if refusal := r.normalize(d, version, normalize, strict, req, a); refusal != nil {
		return refusal
	}
	if group != r.Group || version != r.Version {
		have := Resource{Group: group, Version: version}
		return badRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version (%s)", have.APIVersion(), r.APIVersion()))
	}
	return nil
}

// normalize normalizes an object of a version with one of two functions, and reports what was dropped.
func (r *Resource) normalize(d *document, version string, with func(map[string]any, NormalizeOptions) ([]string, error), strict bool, req *Request, a *Answer) *Refusal {
	unknown, err := with(d.object, NormalizeOptions{ReportUnknown: strict})
	if err != nil {
		refusal := unhandled(d.kind, version, r.Kind, strings.ReplaceAll(err.Error(), "\n", ", "))
		refusal.Errors = errorsIn(err)
		return refusal
	}
	if strict && len(d.duplicates)+len(unknown) > 0 {
		return r.report(d.kind, version, d.duplicates, unknown, req, a)
	}
	return nil
}

// unreadable returns why apiVersion and kind cannot be read, "" if they can. The API server reads them before everything else.
func (d *document) unreadable() string {
	body := d.body
	if body == nil {
		apiVersion, okVersion := d.object["apiVersion"].(string)
		_, okKind := d.object["kind"].(string)
		if _, _, ok := parseGroupVersion(apiVersion); ok && okVersion && okKind {
			return ""
		}
		body = d.bytes()
	}
	var meta typeMeta
	if err := json.Unmarshal(body, &meta); err != nil {
		return "couldn't get version/kind; json parse error: " + err.Error()
	}
	if _, _, ok := parseGroupVersion(meta.APIVersion); !ok {
		return "unexpected GroupVersion string: " + meta.APIVersion
	}
	return ""
}

// normalizeMetadata normalizes the metadata of an object and nothing else.
func (r *Resource) normalizeMetadata(obj map[string]any, opts NormalizeOptions) ([]string, error) {
	metadata, ok := obj["metadata"]
	if !ok {
		return nil, nil
	}
	head := map[string]any{"apiVersion": r.APIVersion(), "kind": r.Kind, "metadata": metadata}
	unknown, err := r.Normalize(head, opts)
	obj["metadata"] = head["metadata"]
	return unknown, err
}

// report warns of duplicate and unknown fields, or refuses them.
func (r *Resource) report(kind, version string, duplicates, unknown []string, req *Request, a *Answer) *Refusal {
	var texts []string
	for _, path := range duplicates {
		texts = append(texts, "duplicate field "+strconv.Quote(path))
	}
	for _, path := range unknown {
		texts = append(texts, `unknown field "`+path+`"`) // as it is, unlike the other
	}
	if req.FieldValidation == FieldValidationStrict {
		// By now the API server has put the object where it looks for the kind of the resource.
		if version == "" {
			return badRequest("Object 'apiVersion' is missing in 'object has no apiVersion field'")
		}
		return unhandled(kind, version, kind, "strict decoding error: "+strings.Join(texts, ", "))
	}
	a.warn(texts...)
	return nil
}

// unhandled refuses an object that names its kind and should have the wanted one.
func unhandled(kind, version, want, why string) *Refusal {
	return badRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %s", kind, version, want, why))
}

// undecodable refuses a document in which the decoder has filled in the missing apiVersion and kind.
func (r *Resource) undecodable(group, version, kind, why string) *Refusal {
	if kind == "" {
		kind = r.Kind
	}
	if version == "" && (group == "" || group == r.Group) {
		version = r.Version
	}
	return unhandled(kind, version, r.Kind, why)
}

// unrecognized refuses a document of which nothing is known.
func (r *Resource) unrecognized(d *document, why string) *Refusal {
	return badRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %s (%s)", r.Kind, why, summary(d.bytes())))
}

// summary returns the beginning of a document.
func summary(data []byte) string {
	const most = 30
	if len(data) == 0 {
		return "<empty>"
	}
	end := ""
	object := data[0] == '{'
	if len(data) > most {
		data, end = data[:most], " ..."
	}
	if object {
		return string(data) + end
	}
	return hex.EncodeToString(data) + end
}
