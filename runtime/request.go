package prunert

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// Request is what a request to the API server says besides the object.
type Request struct {
	// Namespace is the namespace of the request. Empty stands for what kubectl sends: the namespace of the old object, else that of the
	// object, else default. It is ignored for kinds without namespaces.
	Namespace string
	// Name is the name of the object that is updated. Empty stands for the name of the old object, else that of the object.
	Name string
	// Subresource is empty, or status for an update of the status subresource.
	Subresource string
	// FieldValidation says how unknown and duplicate fields are treated.
	FieldValidation FieldValidation

	// Now returns the Unix time in seconds, for the creationTimestamp of a new object, and NewUID its uid. If a function is nil, the object
	// does not get the field.
	Now    func() int64
	NewUID func() string
	// GenerateName makes a name from generateName. If it is nil, a random suffix is appended as in the API server.
	GenerateName func(base string) string
}

// FieldValidation says how unknown and duplicate fields in a request are treated. The zero value is FieldValidationWarn, as
// in the API.
type FieldValidation string

const (
	// FieldValidationIgnore drops them silently.
	FieldValidationIgnore FieldValidation = "Ignore"
	// FieldValidationWarn drops them and warns of each.
	FieldValidationWarn FieldValidation = "Warn"
	// FieldValidationStrict refuses the request.
	FieldValidationStrict FieldValidation = "Strict"
)

// refusal refuses values that do not exist, as options of this kind.
func (f FieldValidation) refusal(options string) *Refusal {
	switch f {
	case "", FieldValidationIgnore, FieldValidationWarn, FieldValidationStrict:
		return nil
	}
	return invalid("meta.k8s.io", options, "", ErrorList{{
		Type: ErrorTypeNotSupported, Field: "fieldValidation", BadValue: string(f), Detail: `supported values: "", "Ignore", "Strict", "Warn"`,
	}})
}

// Create returns the answer of the API server to a request that creates obj, which is changed in place. The answer does not consider
// admission and other objects.
//
// A client can set only labels, annotations, owners, finalizers and names in metadata: generation, times and identity are set or dropped,
// and so is the status if it is a subresource.
//
// The resource must be complete, as those in a Set are: see Complete.
func (r Resource) Create(obj map[string]any, req Request) Answer {
	return r.create(&document{object: obj}, &req)
}

// CreateJSON is Create for an object as JSON. It also reports duplicate fields, and keys such as Kind or APIVERSION, which encoding/json
// takes for kind and apiVersion.
func (r Resource) CreateJSON(data []byte, req Request) Answer {
	return r.create(jsonDocument(data), &req)
}

// Update returns the answer of the API server to a request that updates old, the object as it is stored, to obj, which is
// changed in place; old is not changed. A nil old stands for an object that does not exist. The resourceVersion of obj must be
// that of old, unless old has none. The answer does not consider admission and other objects.
//
// The resource must be complete, as those in a Set are: see Complete.
func (r Resource) Update(obj, old map[string]any, req Request) Answer {
	return r.update(&document{object: obj}, old, &req)
}

// UpdateJSON is Update for an object as JSON. It also finds duplicate fields.
func (r Resource) UpdateJSON(data []byte, old map[string]any, req Request) Answer {
	return r.update(jsonDocument(data), old, &req)
}

// Create calls Create of the resource of obj. The request is refused if the set does not have the resource.
func (s *Set) Create(obj map[string]any, req Request) Answer {
	return s.answer(&document{object: obj}, func(r Resource, d *document) Answer { return r.create(d, &req) })
}

// CreateJSON calls CreateJSON of the resource of the object in data.
func (s *Set) CreateJSON(data []byte, req Request) Answer {
	return s.answer(jsonDocument(data), func(r Resource, d *document) Answer { return r.create(d, &req) })
}

// Update calls Update of the resource of obj.
func (s *Set) Update(obj, old map[string]any, req Request) Answer {
	return s.answer(&document{object: obj}, func(r Resource, d *document) Answer { return r.update(d, old, &req) })
}

// UpdateJSON calls UpdateJSON of the resource of the object in data.
func (s *Set) UpdateJSON(data []byte, old map[string]any, req Request) Answer {
	return s.answer(jsonDocument(data), func(r Resource, d *document) Answer { return r.update(d, old, &req) })
}

// answer returns the answer of the resource for a document. A server has no path for what it does not know.
func (s *Set) answer(d *document, of func(Resource, *document) Answer) Answer {
	group, version, kind := d.says()
	r, ok := s.Lookup(group, version, kind)
	switch {
	case ok:
	case d.body != nil && !json.Valid(d.body): // whatever the path is
		return Answer{}.refused(badRequest(d.unreadable()))
	default:
		return Answer{}.refused(&Refusal{Code: codeNotFound, Reason: reasonNotFound, Message: "the server could not find the requested resource"})
	}
	return of(r, d)
}

// create answers a request that creates an object.
func (r *Resource) create(d *document, req *Request) (a Answer) {
	defer a.cutWarnings()
	if refusal := r.receive(d, req, "create", req.Name, &a); refusal != nil {
		return a.refused(refusal)
	}
	obj, metadata := d.object, withMetadata(d.object)
	if refusal := r.prepareMetadata(metadata, req, &a); refusal != nil {
		return a.refused(refusal)
	}
	if r.Status {
		delete(obj, "status")
	}
	if errs := r.validateCreate(obj, d.kind); len(errs) > 0 {
		return a.refused(invalid(r.Group, d.kind, textOf(metadata, "name"), errs))
	}
	a.warnOfFinalizers(metadata, nil)
	if refusal := storeNew(metadata); refusal != nil {
		return a.refused(refusal)
	}
	a.Object = obj
	return a
}

// update answers a request that updates an object or its status.
func (r *Resource) update(d *document, old map[string]any, req *Request) (a Answer) {
	defer a.cutWarnings()
	ofStatus := req.Subresource == "status"
	name := cmp.Or(req.Name, textOf(metadataOf(old), "name"))
	if refusal := r.receive(d, req, "update", name, &a); refusal != nil {
		return a.refused(refusal)
	}
	obj := d.object
	name = cmp.Or(name, textOf(metadataOf(obj), "name"))
	if refusal := r.matchOld(obj, old, name, req, &a); refusal != nil {
		return a.refused(refusal)
	}
	if ofStatus {
		prepareForStatus(obj, old)
	} else {
		r.prepareForUpdate(obj, old)
	}
	errs, warnings := r.validateUpdate(obj, old, d.kind, ofStatus)
	a.warn(warnings...)
	if len(errs) > 0 {
		return a.refused(invalid(r.Group, d.kind, textOf(metadataOf(obj), "name"), errs))
	}
	if !ofStatus {
		a.warnOfFinalizers(metadataOf(obj), metadataOf(old))
	}
	a.Object = obj
	return a
}

// receive does what the API server does first with every request: it checks what is requested of which resource, and decodes the object.
func (r *Resource) receive(d *document, req *Request, verb, name string, a *Answer) *Refusal {
	if err := r.Complete(); err != nil { // the API server has no such answer
		return internalError("prunert: " + err.Error())
	}
	if r.DeprecationWarning != "" {
		a.warn(r.DeprecationWarning)
	}
	if refusal := r.servesSubresource(req.Subresource, verb, name); refusal != nil {
		return refusal
	}
	options := "CreateOptions"
	if verb == "update" {
		options = "UpdateOptions"
	}
	if refusal := req.FieldValidation.refusal(options); refusal != nil {
		return refusal
	}
	return r.decode(d, req, a)
}

// servesSubresource refuses a request for a subresource that the kind does not have, or that does not have the verb.
func (r *Resource) servesSubresource(sub, verb, name string) *Refusal {
	switch {
	case sub == "":
		return nil
	case sub == "scale" && r.Scale != nil && verb == "update":
		return internalError(fmt.Sprintf("prunert: the scale of a %s is an object of another kind, which Update does not take", r.Kind))
	case sub == "status" && r.Status, sub == "scale" && r.Scale != nil:
		if verb == "update" {
			return nil
		}
		return r.methodNotAllowed(verb)
	}
	return r.notFound(name)
}
