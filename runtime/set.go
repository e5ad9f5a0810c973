package prunert

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Set is a set of resources. For returns the resource of an object by its apiVersion and kind, and other methods call the function of that
// resource. For a list, of kind List or of the list kind of a resource, they call it for each item. The zero Set is empty and ready to use;
// a Set is safe for concurrent use.
type Set struct {
	mu        sync.RWMutex
	resources map[resourceKey]Resource
	lists     map[resourceKey]resourceKey // the kind of the items, by the kind of the list
}

type resourceKey struct{ group, version, kind string }

// Add adds resources. It returns an error and adds none of them if one is already registered, or cannot answer requests: see
// Resource.Complete.
func (s *Set) Add(resources ...Resource) error {
	for _, r := range resources {
		if err := r.Complete(); err != nil {
			return err
		}
	}
	return s.AddPartial(resources...)
}

// AddPartial is Add for resources that cannot answer requests because only some of their functions were generated. A method returns an
// error if the resource lacks the function that it needs, and requests are refused.
func (s *Set) AddPartial(resources ...Resource) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := map[resourceKey]bool{}
	for _, r := range resources {
		key := r.key()
		if _, ok := s.resources[key]; ok || added[key] {
			return fmt.Errorf("%s %s is already registered", r.APIVersion(), r.Kind)
		}
		added[key] = true
	}
	for _, r := range resources {
		s.put(r)
	}
	return nil
}

// Put adds a resource. It replaces one with the same group, version and kind. It returns an error and leaves the
// set as it is if the resource cannot answer requests.
func (s *Set) Put(r Resource) error {
	if err := r.Complete(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(r)
	return nil
}

func (s *Set) put(r Resource) {
	if s.resources == nil {
		s.resources, s.lists = map[resourceKey]Resource{}, map[resourceKey]resourceKey{}
	}
	key := r.key()
	if old, ok := s.resources[key]; ok && s.lists[old.listKey()] == key {
		delete(s.lists, old.listKey())
	}
	s.resources[key] = r
	s.lists[r.listKey()] = key
}

// Lookup returns the resource for a group, version and kind.
func (s *Set) Lookup(group, version, kind string) (Resource, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	r, ok := s.resources[resourceKey{group, version, kind}]
	return r, ok
}

// Resources returns all resources, sorted by group, version and kind.
func (s *Set) Resources() []Resource {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.SortedFunc(maps.Values(s.resources), func(a, b Resource) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Version, b.Version), strings.Compare(a.Kind, b.Kind))
	})
}

// For returns the resource for the apiVersion and kind of an object. The error is an *UnknownKindError.
func (s *Set) For(obj map[string]any) (Resource, error) {
	key, err := keyOf(obj)
	if err != nil {
		return Resource{}, err
	}
	if r, ok := s.Lookup(key.group, key.version, key.kind); ok {
		return r, nil
	}
	return Resource{}, s.unknown(key)
}

// UnknownKindError reports that a Set has no resource for an object.
type UnknownKindError struct {
	APIVersion, Kind string
	// Versions are the versions of the kind for which the set has a resource.
	Versions []string
}

func (e *UnknownKindError) Error() string {
	switch {
	case e.APIVersion == "" || e.Kind == "":
		return "apiVersion and kind must be non-empty strings"
	case len(e.Versions) > 0:
		return fmt.Sprintf("no code for %s %s, only for the versions %s", e.APIVersion, e.Kind, strings.Join(e.Versions, ", "))
	}
	return fmt.Sprintf("no code for %s %s", e.APIVersion, e.Kind)
}

func (s *Set) unknown(key resourceKey) error {
	e := &UnknownKindError{APIVersion: key.apiVersion(), Kind: key.kind}
	for _, r := range s.Resources() {
		if r.Group == key.group && r.Kind == key.kind {
			e.Versions = append(e.Versions, r.Version)
		}
	}
	return e
}

// Prune prunes an object, or each item of a list.
func (s *Set) Prune(obj map[string]any) error {
	return s.each(obj, "Prune", func(r Resource) bool { return r.Prune != nil }, func(r Resource, item map[string]any, _ Path) error {
		r.Prune(item)
		return nil
	})
}

// PruneReport prunes an object, or each item of a list, and returns the paths of the dropped fields.
func (s *Set) PruneReport(obj map[string]any) (dropped []string, err error) {
	err = s.each(obj, "PruneReport", func(r Resource) bool { return r.PruneReport != nil }, func(r Resource, item map[string]any, at Path) error {
		dropped = appendPaths(dropped, at, r.PruneReport(item))
		return nil
	})
	return dropped, err
}

// Normalize normalizes an object, or each item of a list, and returns the paths of unknown fields where opts asks for them.
func (s *Set) Normalize(obj map[string]any, opts NormalizeOptions) (unknown []string, err error) {
	err = s.each(obj, "Normalize", func(r Resource) bool { return r.Normalize != nil }, func(r Resource, item map[string]any, at Path) error {
		paths, err := r.Normalize(item, opts)
		unknown = appendPaths(unknown, at, paths)
		return err
	})
	return unknown, err
}

// Default fills in the defaults of an object, or of each item of a list.
func (s *Set) Default(obj map[string]any) error {
	return s.each(obj, "Default", func(r Resource) bool { return r.Default != nil }, func(r Resource, item map[string]any, _ Path) error {
		r.Default(item)
		return nil
	})
}

// Check checks the types of an object, or of each item of a list. The error reports objects for which there is no function.
func (s *Set) Check(obj map[string]any) (wrong ErrorList, err error) {
	err = s.each(obj, "Check", func(r Resource) bool { return r.Check != nil }, func(r Resource, item map[string]any, at Path) error {
		wrong = appendErrors(wrong, at, r.Check(item))
		return nil
	})
	return wrong, err
}

// Validate validates an object, or each item of a list. The error reports objects for which there is no function.
func (s *Set) Validate(obj map[string]any) (wrong ErrorList, err error) {
	err = s.each(obj, "Validate", func(r Resource) bool { return r.Validate != nil }, func(r Resource, item map[string]any, at Path) error {
		wrong = appendErrors(wrong, at, r.Validate(item))
		return nil
	})
	return wrong, err
}

func missing(function string, r Resource) error {
	return fmt.Errorf("no function %s was generated for %s %s", function, r.APIVersion(), r.Kind)
}

// each calls do for an object, or for each item of a list with its path. It continues after an error and returns all of them.
func (s *Set) each(obj map[string]any, function string, has func(Resource) bool, do func(r Resource, item map[string]any, at Path) error) error {
	one := func(item map[string]any, assumed resourceKey, at Path) error {
		r, err := s.forItem(item, assumed)
		switch {
		case err != nil:
		case !has(r):
			err = missing(function, r)
		default:
			err = do(r, item, at)
		}
		if err != nil && at != nil {
			err = fmt.Errorf("%s: %w", at, err)
		}
		return err
	}
	key, err := keyOf(obj)
	if err != nil {
		return err
	}
	assumed, isList := s.itemsOf(key)
	if !isList {
		return one(obj, resourceKey{}, nil)
	}
	items, ok := obj["items"].([]any)
	if v := obj["items"]; !ok && v != nil {
		return fmt.Errorf("items: got %T, want a list", v)
	}
	var errs []error
	for i, e := range items {
		at := Path{{Name: "items", Index: -1}, {Index: i}}
		if item, ok := e.(map[string]any); ok {
			errs = append(errs, one(item, assumed, at))
		} else {
			errs = append(errs, fmt.Errorf("%s: got %T, want an object", at, e))
		}
	}
	return errors.Join(errs...)
}

// itemsOf returns the kind of the items of a list of a kind, or the zero key if each item has a kind of its own.
func (s *Set) itemsOf(key resourceKey) (items resourceKey, isList bool) {
	if key == (resourceKey{"", "v1", "List"}) {
		return resourceKey{}, true
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if _, ok := s.resources[key]; ok {
		return resourceKey{}, false // a kind with the name of a list
	}
	items, isList = s.lists[key]
	return items, isList
}

// forItem is For, except that an item of a list may leave out apiVersion and kind.
func (s *Set) forItem(item map[string]any, assumed resourceKey) (Resource, error) {
	_, hasVersion := item["apiVersion"]
	_, hasKind := item["kind"]
	if !hasVersion && !hasKind && assumed.kind != "" {
		r, _ := s.Lookup(assumed.group, assumed.version, assumed.kind)
		return r, nil
	}
	return s.For(item)
}

// appendErrors appends the errors of an item, whose fields are below at.
func appendErrors(all ErrorList, at Path, errs ErrorList) ErrorList {
	for _, e := range errs {
		if at != nil {
			below := *e
			below.Field = at.String() + "." + e.Field
			below.Path = append(slices.Clip(at), e.Path...)
			e = &below
		}
		all = append(all, e)
	}
	return all
}

// appendPaths appends the paths of an item, which are below at.
func appendPaths(all []string, at Path, paths []string) []string {
	for _, path := range paths {
		if at != nil {
			path = at.String() + "." + path
		}
		all = append(all, path)
	}
	return all
}

// keyOf returns the group, version and kind of an object.
func keyOf(obj map[string]any) (resourceKey, error) {
	apiVersion, _ := obj["apiVersion"].(string)
	kind, _ := obj["kind"].(string)
	if apiVersion == "" || kind == "" {
		return resourceKey{}, &UnknownKindError{}
	}
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return resourceKey{group, version, kind}, nil
	}
	return resourceKey{"", apiVersion, kind}, nil
}

func (k resourceKey) apiVersion() string {
	return Resource{Group: k.group, Version: k.version}.APIVersion()
}

func (r Resource) key() resourceKey { return resourceKey{r.Group, r.Version, r.Kind} }

// listKey returns the key of a list of the kind.
func (r Resource) listKey() resourceKey {
	return resourceKey{r.Group, r.Version, cmp.Or(r.ListKind, r.Kind+"List")}
}
