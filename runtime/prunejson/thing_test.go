package prunejson

import (
	"errors"
	"fmt"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// thing is a kind whose objects have a spec with a name, and with templates: a map of resources. It is what prune-gen would
// make of it, except for the comments.
var thing = Kind{APIVersion: "example.com/v1", Kind: "Thing", ListKind: "ThingList", Scan: scanThing}

func pruneThing(dst, src []byte) ([]byte, error) {
	var s Scanner
	if p := s.Begin(dst, src); !s.IsList(p, "ThingList") {
		if s.End(scanThing(&s, p)) {
			return s.Result()
		}
	}
	return thing.Prune(dst, src)
}

func scanThing(s *Scanner, p Pos) Pos {
	k, p, ok := s.Object(p)
	if !ok {
		return s.Leaf(p)
	}
	for k[0] == '"' {
		switch {
		case string(k[:13]) == `"apiVersion":`:
			k, p = s.Next(s.Keep(p + 13))
		case string(k[:7]) == `"kind":`:
			k, p = s.Next(s.KeepKind(p + 7))
		case string(k[:11]) == `"metadata":`:
			k, p = s.Next(s.Metadata(p + 11))
		case string(k[:7]) == `"spec":`:
			k, p = s.Next(scanThingSpec(s, p+7))
		default:
			k, p = s.Drop(k, p)
		}
	}
	return s.Close(p)
}

func scanThingSpec(s *Scanner, p Pos) Pos {
	k, p, ok := s.Object(p)
	if !ok {
		return s.Leaf(p)
	}
	for k[0] == '"' {
		switch {
		case string(k[:7]) == `"name":`:
			k, p = s.Next(s.Leaf(p + 7))
		case string(k[:12]) == `"templates":`:
			k, p = s.Next(scanThingSpecTemplates(s, p+12))
		default:
			k, p = s.Drop(k, p)
		}
	}
	return s.Close(p)
}

func scanThingSpecTemplates(s *Scanner, p Pos) Pos {
	k, p, ok := s.Object(p)
	if !ok {
		return s.Leaf(p)
	}
	for k[0] == '"' {
		k, p = s.Next(scanThing(s, s.Key(p)))
	}
	return s.Close(p)
}

// place returns the kind of an error, and its offset.
func place(err error) string {
	var syntax *prunert.SyntaxError
	var size *prunert.ObjectSizeError
	var late *prunert.LateKindError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &syntax):
		return fmt.Sprintf("syntax %d", syntax.Offset)
	case errors.As(err, &size):
		return fmt.Sprintf("size %d", size.Offset)
	case errors.As(err, &late):
		return fmt.Sprintf("late %d", late.Offset)
	}
	return err.Error()
}
