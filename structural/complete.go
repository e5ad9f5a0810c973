package structural

// rootCompleteness checks that every field and element that the root's value validation names is specified outside of
// it. The API server looks nowhere else: what the value validation of a property names goes unchecked there.
func (v *validator) rootCompleteness(s *Schema, at *Path) {
	if s.ValueValidation != nil {
		v.complete(s.ValueValidation, s, at, at)
	}
}

// complete checks that s, which stands at sAt, specifies what vv names, which stands at vAt.
func (v *validator) complete(vv *ValueValidation, s *Schema, sAt, vAt *Path) {
	if vv.Not != nil {
		v.completeNested(vv.Not, s, sAt, vAt.Child("not"))
	}
	for i, n := range vv.AllOf {
		v.completeNested(n, s, sAt, vAt.Child("allOf").Index(i))
	}
	for i, n := range vv.AnyOf {
		v.completeNested(n, s, sAt, vAt.Child("anyOf").Index(i))
	}
	for i, n := range vv.OneOf {
		v.completeNested(n, s, sAt, vAt.Child("oneOf").Index(i))
	}
}

func (v *validator) completeNested(n *NestedValueValidation, s *Schema, sAt, vAt *Path) {
	v.complete(&n.ValueValidation, s, sAt, vAt)
	if n.Items != nil {
		v.completeChild(n.Items, s.Items, sAt.Child("items"), vAt.Child("items"))
	}
	// A field that only additionalProperties cover is not specified.
	for k, p := range n.Properties {
		v.completeChild(p, s.Properties[k], sAt.Child("properties").Key(k), vAt.Child("properties").Key(k))
	}
}

func (v *validator) completeChild(n *NestedValueValidation, s *Schema, sAt, vAt *Path) {
	if s == nil {
		v.required(sAt, "because it is defined in "+vAt.String())
		return
	}
	v.completeNested(n, s, sAt, vAt)
}
