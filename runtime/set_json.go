package prunert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// PruneJSON appends the JSON document src to dst without the fields that the function PruneJSON of its kind drops. The items of a
// document of kind List are pruned each by its own kind.
func (s *Set) PruneJSON(dst, src []byte) ([]byte, error) {
	kinds, err := s.kindsIn(src, "PruneJSON", func(r Resource) bool { return r.PruneJSON != nil })
	if err != nil {
		return nil, err
	}
	for _, r := range kinds.distinct() {
		if src, err = r.PruneJSON(nil, src); err != nil {
			return nil, err
		}
	}
	return append(dst, src...), nil
}

// PruneJSONReport is PruneJSON with a report of what was dropped and of duplicate keys.
func (s *Set) PruneJSONReport(dst, src []byte) ([]byte, JSONReport, error) {
	var all JSONReport
	kinds, err := s.kindsIn(src, "PruneJSONReport", func(r Resource) bool { return r.PruneJSONReport != nil })
	if err != nil {
		return nil, all, err
	}
	for i, r := range kinds.distinct() {
		var report JSONReport
		if src, report, err = r.PruneJSONReport(nil, src); err != nil {
			return nil, JSONReport{}, err
		}
		all.Dropped = append(all.Dropped, report.Dropped...)
		if i == 0 {
			all.Duplicate = report.Duplicate // later reports see less of the document
		}
	}
	slices.Sort(all.Dropped)
	return append(dst, src...), all, nil
}

// DecodeJSON decodes the JSON document src without the fields that the function DecodeJSON of its kind drops. The items of a
// document of kind List are decoded each by its own kind.
func (s *Set) DecodeJSON(src []byte) (map[string]any, error) {
	kinds, err := s.kindsIn(src, "DecodeJSON", func(r Resource) bool { return r.DecodeJSON != nil })
	if err != nil {
		return nil, err
	}
	all := kinds.distinct()
	if len(all) == 0 { // an empty List, which the function of any kind decodes
		all = slices.DeleteFunc(s.Resources(), func(r Resource) bool { return r.DecodeJSON == nil })
	}
	if len(all) == 0 {
		return nil, errors.New("no function DecodeJSON was generated for any kind of the set")
	}
	obj, err := all[0].DecodeJSON(src) // and the items of other kinds, with everything in them
	if err != nil || len(kinds.distinct()) < 2 {
		return obj, err
	}
	items, _ := obj["items"].([]any)
	for i, r := range kinds.resources {
		if items[i], err = r.DecodeJSON(kinds.items[i]); err != nil {
			return nil, fmt.Errorf("items[%d]: %w", i, err)
		}
	}
	return obj, nil
}

// documentKinds are the resources in a JSON document: that of the document or, for a List, that of each item.
type documentKinds struct {
	resources []Resource
	items     []json.RawMessage
}

// distinct returns the resources, each once.
func (k documentKinds) distinct() []Resource {
	var all []Resource
	for _, r := range k.resources {
		if !slices.ContainsFunc(all, func(other Resource) bool { return other.key() == r.key() }) {
			all = append(all, r)
		}
	}
	return all
}

// kindsIn returns the resources in a JSON document.
func (s *Set) kindsIn(src []byte, function string, has func(Resource) bool) (documentKinds, error) {
	key, members, err := identify(src)
	if err != nil {
		return documentKinds{}, err
	}
	assumed, isList := s.itemsOf(key)
	if !isList || assumed.kind != "" {
		if isList {
			key = assumed // the function of the kind takes lists of it
		}
		r, err := s.with(function, has, key)
		return documentKinds{resources: []Resource{r}}, err
	}
	var kinds documentKinds
	if raw := members["items"]; raw != nil && json.Unmarshal(raw, &kinds.items) != nil {
		return kinds, errors.New("items: want a list")
	}
	var errs []error
	for i, item := range kinds.items {
		key, _, err := identify(item)
		var r Resource
		if err == nil {
			r, err = s.with(function, has, key)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("items[%d]: %w", i, err))
		}
		kinds.resources = append(kinds.resources, r)
	}
	return kinds, errors.Join(errs...)
}

// with returns the resource for a key, which has a function.
func (s *Set) with(function string, has func(Resource) bool, key resourceKey) (Resource, error) {
	r, ok := s.Lookup(key.group, key.version, key.kind)
	switch {
	case !ok:
		return r, s.unknown(key)
	case !has(r):
		return r, missing(function, r)
	}
	return r, nil
}

// identify returns the group, version and kind of a JSON object, and its members.
func identify(src []byte) (resourceKey, map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(src, &members); err != nil {
		if endsEarly(src) {
			err = endOfInput(int64(len(src)))
		}
		return resourceKey{}, nil, syntaxError(err)
	}
	obj := map[string]any{}
	for _, name := range []string{"apiVersion", "kind"} {
		var text string
		if raw := members[name]; bytes.HasPrefix(raw, []byte(`"`)) && json.Unmarshal(raw, &text) == nil {
			obj[name] = text
		}
	}
	key, err := keyOf(obj)
	return key, members, err
}

// endsEarly reports whether a document ends too early.
func endsEarly(src []byte) bool {
	err := json.NewDecoder(bytes.NewReader(src)).Decode(new(json.RawMessage))
	return err == io.EOF || err == io.ErrUnexpectedEOF
}

// endOfInput returns the error for input that ends too early, after the given number of bytes.
func endOfInput(length int64) error {
	return &SyntaxError{Offset: length, Message: "unexpected end of JSON input"}
}

// syntaxError returns an error of package json as one of this package.
func syntaxError(err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &SyntaxError{Offset: max(syntax.Offset-1, 0), Message: syntax.Error()}
	case errors.As(err, &wrongType):
		return &SyntaxError{Message: "got a JSON " + wrongType.Value + ", want an object"}
	}
	return err
}
