package prunert

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Set is a set of resources. It finds the functions for an object by the object's own apiVersion and kind, and runs them.
// A list, of kind List or of the list kind of a resource, is done item by item. The zero Set is empty and ready to use; a
// Set is safe for concurrent use.
type Set struct {
	mu        sync.RWMutex
	resources map[resourceKey]Resource
	lists     map[resourceKey]resourceKey // the kind of the items, by the kind of the list
}

type resourceKey struct{ group, version, kind string }

// Add adds resources. It is an error, and none is added, when one of them is there already.
func (s *Set) Add(resources ...Resource) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := map[resourceKey]bool{}
	for _, r := range resources {
		key := r.key()
		if _, ok := s.resources[key]; ok || added[key] {
			return fmt.Errorf("%s %s is there twice", r.APIVersion(), r.Kind)
		}
		added[key] = true
	}
	if s.resources == nil {
		s.resources, s.lists = map[resourceKey]Resource{}, map[resourceKey]resourceKey{}
	}
	for _, r := range resources {
		s.put(r)
	}
	return nil
}

// Replace adds a resource, in place of the one that is there already.
func (s *Set) Replace(r Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.resources == nil {
		s.resources, s.lists = map[resourceKey]Resource{}, map[resourceKey]resourceKey{}
	}
	s.put(r)
}

func (s *Set) put(r Resource) {
	key := r.key()
	s.resources[key] = r
	list := r.ListKind
	if list == "" {
		list = r.Kind + "List"
	}
	s.lists[resourceKey{r.Group, r.Version, list}] = key
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
	all := make([]Resource, 0, len(s.resources))
	for _, r := range s.resources {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Resource) int {
		if c := strings.Compare(a.Group, b.Group); c != 0 {
			return c
		}
		if c := strings.Compare(a.Version, b.Version); c != 0 {
			return c
		}
		return strings.Compare(a.Kind, b.Kind)
	})
	return all
}

// For returns the resource that an object is one of. The error is an *UnknownKindError.
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

// UnknownKindError says that a Set has no resource for an object.
type UnknownKindError struct {
	APIVersion, Kind string
	// Versions are those of the kind that the set has.
	Versions []string
}

func (e *UnknownKindError) Error() string {
	switch {
	case e.APIVersion == "" || e.Kind == "":
		return "the object does not say what it is: apiVersion and kind must be strings that are not empty"
	case len(e.Versions) > 0:
		return fmt.Sprintf("there is no code for %s %s, only for the versions %s", e.APIVersion, e.Kind, strings.Join(e.Versions, ", "))
	}
	return fmt.Sprintf("there is no code for %s %s", e.APIVersion, e.Kind)
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
	return s.each(obj, "Prune", func(r Resource) bool { return r.Prune != nil }, func(r Resource, item map[string]any, _ string) error {
		r.Prune(item)
		return nil
	})
}

// PruneReport prunes an object, or each item of a list, and returns the paths of the dropped fields.
func (s *Set) PruneReport(obj map[string]any) (dropped []string, err error) {
	err = s.each(obj, "PruneReport", func(r Resource) bool { return r.PruneReport != nil }, func(r Resource, item map[string]any, at string) error {
		dropped = appendPaths(dropped, at, r.PruneReport(item))
		return nil
	})
	return dropped, err
}

// Normalize normalizes an object, or each item of a list, and returns the paths of unknown fields where opts asks for them.
func (s *Set) Normalize(obj map[string]any, opts NormalizeOptions) (unknown []string, err error) {
	err = s.each(obj, "Normalize", func(r Resource) bool { return r.Normalize != nil }, func(r Resource, item map[string]any, at string) error {
		paths, err := r.Normalize(item, opts)
		unknown = appendPaths(unknown, at, paths)
		return err
	})
	return unknown, err
}

// Default fills in the defaults of an object, or of each item of a list.
func (s *Set) Default(obj map[string]any) error {
	return s.each(obj, "Default", func(r Resource) bool { return r.Default != nil }, func(r Resource, item map[string]any, _ string) error {
		r.Default(item)
		return nil
	})
}

// Check checks the types of an object, or of each item of a list. What is wrong is in the list; the error says that there
// is no code for something.
func (s *Set) Check(obj map[string]any) (wrong ErrorList, err error) {
	err = s.each(obj, "Check", func(r Resource) bool { return r.Check != nil }, func(r Resource, item map[string]any, at string) error {
		for _, e := range r.Check(item) {
			if at != "" {
				below := *e
				below.Field = at + "." + e.Field
				e = &below
			}
			wrong = append(wrong, e)
		}
		return nil
	})
	return wrong, err
}

// each calls do for an object, or for each item of a list with its path. It goes on after an error and returns all of them.
func (s *Set) each(obj map[string]any, function string, has func(Resource) bool, do func(r Resource, item map[string]any, at string) error) error {
	one := func(item map[string]any, assumed resourceKey, at string) error {
		r, err := s.forItem(item, assumed)
		switch {
		case err != nil:
		case !has(r):
			err = fmt.Errorf("no function %s was generated for %s %s", function, r.APIVersion(), r.Kind)
		default:
			err = do(r, item, at)
		}
		if err != nil && at != "" {
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
		return one(obj, resourceKey{}, "")
	}
	items, ok := obj["items"].([]any)
	if v := obj["items"]; !ok && v != nil {
		return fmt.Errorf("items: a list is wanted, and this is a %T", v)
	}
	var errs []error
	for i, e := range items {
		at := fmt.Sprintf("items[%d]", i)
		if item, ok := e.(map[string]any); ok {
			errs = append(errs, one(item, assumed, at))
		} else {
			errs = append(errs, fmt.Errorf("%s: an object is wanted, and this is a %T", at, e))
		}
	}
	return errors.Join(errs...)
}

// itemsOf returns the kind of the items of a list of that kind, the zero key where items say it themselves.
func (s *Set) itemsOf(key resourceKey) (items resourceKey, isList bool) {
	if key == (resourceKey{"", "v1", "List"}) {
		return resourceKey{}, true
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if _, ok := s.resources[key]; ok {
		return resourceKey{}, false // a kind that is called like a list
	}
	items, isList = s.lists[key]
	return items, isList
}

// forItem is For, except that an item of a list need not say what it is.
func (s *Set) forItem(item map[string]any, assumed resourceKey) (Resource, error) {
	_, hasVersion := item["apiVersion"]
	_, hasKind := item["kind"]
	if !hasVersion && !hasKind && assumed.kind != "" {
		r, _ := s.Lookup(assumed.group, assumed.version, assumed.kind)
		return r, nil
	}
	return s.For(item)
}

func appendPaths(all []string, at string, paths []string) []string {
	for _, path := range paths {
		if at != "" {
			path = at + "." + path
		}
		all = append(all, path)
	}
	return all
}

// keyOf returns what an object says that it is.
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
