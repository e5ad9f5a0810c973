package builtin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpretjson"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Definitions returns the kinds of the program. Their fields come from schemas, as those of custom resources do; what the API server
// answers comes from the program.
func (p *Program) Definitions(m *meter.Meter) []manifest.Definition {
	var all []manifest.Definition
	byKind := map[[2]string][]Kind{}
	for _, k := range p.Kinds {
		group, _ := objects.SplitVersion(k.APIVersion)
		id := [2]string{group, k.Kind}
		if byKind[id] == nil {
			all = append(all, manifest.Definition{
				Group: group, Kind: k.Kind, Ask: p.answer, Compile: compile,
				CRDs: func() []*structural.CRD { return p.crds(m, group, byKind[id]) },
			})
		}
		byKind[id] = append(byKind[id], k)
	}
	return all
}

type object = map[string]any

// crds returns a CRD that has the fields of a kind in each of its versions. It returns none if that fails, and Err says why.
func (p *Program) crds(m *meter.Meter, group string, versions []Kind) []*structural.CRD {
	var served []any
	for i, v := range versions {
		r, err := p.ask(question{Schema: &v})()
		if err != nil {
			p.fail(err)
			return nil
		}
		_, version := objects.SplitVersion(v.APIVersion)
		served = append(served, object{"name": version, "served": true, "storage": i == 0, "schema": object{"openAPIV3Schema": r.Schema}})
	}
	scope := "Cluster"
	if versions[0].Namespaced {
		scope = "Namespaced"
	}
	text := jsonvalue.Text(object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": object{"name": "objects.builtin.k8s.io"},
		"spec": object{ // a CRD cannot have the names of a built-in kind
			"group": "builtin.k8s.io", "scope": scope, "names": object{"kind": versions[0].Kind, "plural": "objects"}, "versions": served,
		},
	})
	f := crdread.Within(m, versions[0].Kind, strings.NewReader(text))
	if len(f.CRDs) == 0 {
		p.fail(fmt.Errorf("%s: the schema of %s cannot be read", p.cmd.Path, versions[0].Kind))
	}
	for _, c := range f.CRDs {
		c.Group = group
	}
	return f.CRDs
}

// compile returns the resources of a kind. They are not validated as CRDs are.
func compile(c *structural.CRD) ([]prunert.Resource, error) {
	all := resources.Of(c, nil)
	for i, v := range c.Versions {
		b := structural.NewBehavior(c, v, structural.APIServer)
		all[i] = interpretjson.With(all[i], b.Schema, resources.PruneOptions(b))
	}
	return all, nil
}

// answer asks what the API server answers if an object is created or, if there is an old one, replaces that. The function that it returns
// waits for the answer.
func (p *Program) answer(obj, old map[string]any) func() (prunert.Answer, error) {
	wait := p.ask(question{Object: obj, Old: old, FieldValidation: string(prunert.FieldValidationIgnore)})
	return func() (prunert.Answer, error) {
		r, err := wait()
		if err != nil {
			return prunert.Answer{}, err
		}
		return r.about(obj)
	}
}

// about returns the answer about an object.
func (r *reply) about(obj map[string]any) (prunert.Answer, error) {
	switch {
	case r.Status.Message == "" && r.Object == nil:
		return prunert.Answer{}, errors.New("the answer has neither an object nor a status")
	case r.Old:
		return prunert.Answer{}, fmt.Errorf("%w: %s", manifest.ErrOldRefused, r.Status.Message)
	case r.Code < 300: // it is accepted
		if metadata, ok := r.Object["metadata"].(map[string]any); ok {
			for _, name := range []string{"uid", "resourceVersion", "creationTimestamp"} { // which only a server knows
				delete(metadata, name)
			}
		}
		return prunert.Answer{Object: r.Object, Warnings: r.Warnings}, nil
	}
	why := &prunert.Refusal{Code: r.Code, Reason: r.Status.Reason, Message: r.Status.Message}
	for _, c := range r.Status.Details.Causes {
		why.Causes = append(why.Causes, prunert.Cause(c))
		why.Errors = append(why.Errors, errorOf(prunert.Cause(c), manifest.PathOf(c.Field, obj)))
	}
	for _, v := range r.Undecodable {
		path := pathTo(v.At, obj)
		why.Errors = append(why.Errors, errorOf(prunert.Cause{Reason: string(prunert.ErrorTypeTypeInvalid), Message: v.Message, Field: path.String()}, path))
	}
	return prunert.Answer{Warnings: r.Warnings, Refusal: why}, nil
}

// errorOf returns a cause as an error whose text is that of the cause. The value is known if it is a string.
func errorOf(c prunert.Cause, path prunert.Path) *prunert.Error {
	e := &prunert.Error{Type: prunert.ErrorType(c.Reason), Field: c.Field, Path: path, BadValue: prunert.OmittedValue{}}
	e.Detail = strings.TrimPrefix(strings.TrimPrefix(c.Message, e.Body()), ": ")
	if quoted, err := strconv.QuotedPrefix(e.Detail); err == nil {
		with := *e
		with.BadValue, _ = strconv.Unquote(quoted)
		with.Detail = strings.TrimPrefix(e.Detail[len(quoted):], ": ")
		if with.Body() == c.Message {
			return &with
		}
	}
	return e
}

// pathTo returns the path that a JSON Pointer names in a value.
func pathTo(pointer string, in any) prunert.Path {
	var path prunert.Path
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch v := in.(type) {
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return path
			}
			path, in = append(path, prunert.Step{Index: i}), v[i]
		default:
			name := unescape.Replace(token)
			fields, _ := v.(map[string]any)
			path, in = append(path, prunert.Step{Name: name, Index: -1}), fields[name]
		}
	}
	return path
}

// unescape reads a key in a JSON Pointer.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// decode decodes a reply. Numbers become int64 or float64, as in the objects of manifests.
func decode(line []byte, r *reply) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	err := d.Decode(r)
	if r.Object != nil {
		r.Object, _ = jsonvalue.Map(r.Object, func(v any) any {
			n, ok := v.(json.Number)
			if !ok {
				return v
			}
			if i, err := n.Int64(); err == nil {
				return i
			}
			f, _ := n.Float64()
			return f
		}).(map[string]any)
	}
	return err
}
