package prunejson

// slabs are memory that values of one document share, so that it takes few allocations. What is in a slab stays alive as
// long as one of the values does, with all that it refers to. So slabs are small, hold nothing that is dropped, and what is
// large or has objects in it has memory of its own.
type slabs struct {
	texts    []byte   // of strings
	strings  []string // that are values
	lists    [][]any  // that are values
	elements []any    // of lists
}

// How large slabs are at most, and what is in them.
const (
	maxTexts    = 8192
	maxStrings  = 64
	maxLists    = 8
	maxElements = 64

	maxSharedText = 256
	maxSharedList = 16
)

// slabSize returns how large a slab is in a document of which one byte in so many counts.
func (d *Decoder) slabSize(bytes, least, most int) int { return min(max(d.end/bytes, least), most) }

// keepText returns a string with this text.
func (d *Decoder) keepText(text []byte) string {
	if !shared || len(text) > maxSharedText {
		return string(text)
	}
	if cap(d.texts)-len(d.texts) < len(text) {
		d.texts = make([]byte, 0, d.slabSize(4, 2*maxSharedText, maxTexts))
	}
	begin := len(d.texts)
	d.texts = append(d.texts, text...)
	return textOf(d.texts[begin:])
}

// stringValue returns a string as a value.
func (d *Decoder) stringValue(text string) any {
	if !shared || len(text) > maxSharedText {
		return text
	}
	if len(d.strings) == cap(d.strings) {
		d.strings = make([]string, 0, d.slabSize(64, 4, maxStrings))
	}
	d.strings = append(d.strings, text)
	return textAt(&d.strings[len(d.strings)-1])
}

// newList returns the values of members as a list.
func (d *Decoder) newList(members []member) any {
	if !shared || !isShared(members) {
		list := make([]any, len(members))
		for i := range members {
			list[i] = members[i].value
		}
		return list
	}
	if cap(d.elements)-len(d.elements) < len(members) || d.elements == nil {
		d.elements = make([]any, 0, d.slabSize(128, maxSharedList, maxElements))
	}
	if len(d.lists) == cap(d.lists) {
		d.lists = make([][]any, 0, d.slabSize(512, 1, maxLists))
	}
	begin := len(d.elements)
	for i := range members {
		d.elements = append(d.elements, members[i].value)
	}
	end := len(d.elements)
	d.lists = append(d.lists, d.elements[begin:end:end])
	return listAt(&d.lists[len(d.lists)-1])
}

// isShared reports whether a list with these elements is in slabs.
func isShared(members []member) bool {
	for i := range members {
		switch v := members[i].value.(type) {
		case string:
			if len(v) > maxSharedText {
				return false
			}
		case map[string]any, []any:
			return false
		}
	}
	return len(members) <= maxSharedList
}
