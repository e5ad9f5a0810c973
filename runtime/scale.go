package prunert

import (
	"fmt"
	"math"
	"strings"
)

// Scale has the paths of the fields that the scale subresource of a kind shows, as the CRD writes them: .spec.replicas for example.
// LabelSelectorPath may be empty.
type Scale struct {
	SpecReplicasPath   string
	StatusReplicasPath string
	LabelSelectorPath  string
}

// validateSpec returns the errors about the replicas that an object wants.
func (s *Scale) validateSpec(obj map[string]any) ErrorList {
	if s == nil {
		return nil
	}
	return validateReplicas(obj, s.SpecReplicasPath)
}

// validateStatus returns the errors about the replicas that an object has, and about their selector.
func (s *Scale) validateStatus(obj map[string]any) ErrorList {
	if s == nil {
		return nil
	}
	errs := validateReplicas(obj, s.StatusReplicasPath)
	if s.LabelSelectorPath == "" {
		return errs
	}
	v, found, wrong := nested(obj, s.LabelSelectorPath)
	if _, ok := v.(string); found && !ok {
		wrong = accessorError(s.LabelSelectorPath, v, "string")
	}
	if wrong != "" {
		errs = append(errs, &Error{Type: ErrorTypeInvalid, Field: s.LabelSelectorPath, Path: scalePath(s.LabelSelectorPath), BadValue: "", Detail: wrong})
	}
	return errs
}

func validateReplicas(obj map[string]any, path string) ErrorList {
	v, found, wrong := nested(obj, path)
	replicas, ok := v.(int64)
	switch {
	case found && !ok:
		wrong = accessorError(path, v, "int64")
	case replicas < 0:
		wrong = "should be a non-negative integer"
	case replicas > math.MaxInt32:
		wrong = fmt.Sprintf("should be less than or equal to %d", math.MaxInt32)
	}
	if wrong == "" {
		return nil
	}
	return ErrorList{{Type: ErrorTypeInvalid, Field: path, Path: scalePath(path), BadValue: replicas, Detail: wrong}}
}

// scalePath returns a path of fields, as a CRD has it, as steps.
func scalePath(path string) Path {
	return FieldPath(strings.Split(strings.TrimPrefix(path, "."), ".")...)
}

// nested returns the value at a path of fields, or the error about a value on the way to it.
func nested(obj map[string]any, path string) (v any, found bool, wrong string) {
	rest := strings.TrimPrefix(path, ".")
	begin := len(path) - len(rest)
	v = obj
	for {
		name, after, more := strings.Cut(rest, ".")
		if v == nil {
			return nil, false, ""
		}
		fields, ok := v.(map[string]any)
		if !ok {
			end := len(path) - len(rest) + len(name)
			return nil, false, accessorError(path[begin:end], v, "map[string]interface{}")
		}
		if v, ok = fields[name]; !ok {
			return nil, false, ""
		}
		if !more {
			return v, true, ""
		}
		rest = after
	}
}

func accessorError(path string, v any, want string) string {
	return fmt.Sprintf(".%s accessor error: %v is of the type %T, expected %s", strings.TrimPrefix(path, "."), v, v, want)
}
