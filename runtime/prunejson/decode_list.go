package prunejson

// isList reports whether a document is a list of objects: one of the kind, or a List.
func (t Type) isList(obj map[string]any) bool {
	kind, _ := obj["kind"].(string)
	return kind == t.ListKind && kind != t.Kind || isListOfAnything(obj)
}

// isListOfAnything reports whether a document is a List, as kubectl prints it.
func isListOfAnything(obj map[string]any) bool {
	return obj["kind"] == "List" && obj["apiVersion"] == "v1"
}

// decodeList decodes a list at p.
func (t Type) decodeList(d *Decoder, key string, p Pos) Pos { panic("TODO") }
