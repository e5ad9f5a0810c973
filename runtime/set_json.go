package prunert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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

// PruneStream copies the JSON documents of a stream, each pruned as PruneJSON does, with the limits and the errors of Resource.PruneStream:
// see the package documentation. Of a list that is too large to be in memory, one item at a time is. If such a list has its kind after
// its items, each item is pruned by the kind that it names itself. At least one kind of the set must have the function PruneStream.
func (s *Set) PruneStream(w io.Writer, r io.Reader) error {
	for _, one := range s.Resources() {
		if one.PruneStream != nil {
			return one.PruneStream(w, &setStream{Reader: r, set: s})
		}
	}
	return errors.New("no function PruneStream was generated for any kind of the set")
}

// setStream is a stream whose objects are pruned by a set. It gets by the PruneStream of a kind to package prunejson, which imports this
// package and recognizes its methods.
type setStream struct {
	io.Reader
	set   *Set
	items int // that were pruned
}

// Source returns the reader of the stream.
func (s *setStream) Source() io.Reader { return s.Reader }

// Document appends a pruned document.
func (s *setStream) Document(dst, src []byte) ([]byte, error) { return s.set.PruneJSON(dst, src) }

// List reports whether an object is a list, and returns what its items are that do not say it.
func (s *setStream) List(apiVersion, kind string) (itemVersion, itemKind string, ok bool) {
	s.items = 0
	key, err := keyOf(map[string]any{"apiVersion": apiVersion, "kind": kind})
	if err != nil {
		return "", "", false
	}
	items, ok := s.set.itemsOf(key)
	if items.kind == "" {
		return "", "", ok
	}
	return items.apiVersion(), items.kind, ok
}

// Item appends a pruned item of a list. All items are of a kind, or kind is empty.
func (s *setStream) Item(dst, src []byte, apiVersion, kind string) (out []byte, err error) {
	at := s.items
	s.items++
	var key resourceKey
	if kind != "" {
		key, err = keyOf(map[string]any{"apiVersion": apiVersion, "kind": kind})
	} else {
		key, _, err = identify(src)
	}
	var r Resource
	if err == nil {
		r, err = s.set.with("PruneJSON", func(r Resource) bool { return r.PruneJSON != nil }, key)
	}
	if err != nil {
		return nil, fmt.Errorf("items[%d]: %w", at, err)
	}
	if kind == "" {
		return r.PruneJSON(dst, src)
	}
	list := fmt.Appendf(nil, `{"kind":%q,"items":[%s]}`, r.listKey().kind, src) // so that it is pruned whatever it says that it is
	begin := len(dst) + len(list) - len(src) - len("]}")
	if out, err = r.PruneJSON(dst, list); err != nil {
		return nil, err
	}
	return append(out[:len(dst)], out[begin:len(out)-len("]}")]...), nil
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
		if endsEarly(err, src) {
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

// endsEarly reports whether an error of package json is that the document ends too early. The package then reports that, or an error about
// a space after the document.
func endsEarly(err error, src []byte) bool {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset < int64(len(src)) {
		return false
	}
	text := syntax.Error()
	return strings.HasPrefix(text, "unexpected end") || strings.HasPrefix(text, "invalid character ' '") && !bytes.HasSuffix(src, []byte(" "))
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
