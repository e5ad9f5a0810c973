package prunejson

// slabs are memory that values of one document share, so that it takes few allocations. What is in a slab stays alive as
// long as one of the values does. So slabs are small, hold nothing that is dropped, and what is large has its own memory.
type slabs struct {
	texts    []byte   // of strings
	strings  []string // that are values
	lists    [][]any  // that are values
	elements []any    // of lists
}

// How large slabs are at most, and what is in them.
const (
	maxTexts    = 4096
	maxStrings  = 64
	maxLists    = 32
	maxElements = 64

	maxSharedText = 512
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
		d.texts = make([]byte, 0, d.slabSize(4, maxSharedText, maxTexts))
	}
	begin := len(d.texts)
	d.texts = append(d.texts, text...)
	return textOf(d.texts[begin:])
}

// stringValue returns a string as a value.
func (d *Decoder) stringValue(text string) any {
	if !shared {
		return text
	}
	if len(d.strings) == cap(d.strings) {
		d.strings = make([]string, 0, d.slabSize(64, 4, maxStrings))
	}
	d.strings = append(d.strings, text)
	return textAt(&d.strings[len(d.strings)-1])
}

// newList returns a list of a size.
func (d *Decoder) newList(size int) []any {
	if !shared || size > maxSharedList {
		return make([]any, size)
	}
	if cap(d.elements)-len(d.elements) < size || d.elements == nil {
		d.elements = make([]any, 0, d.slabSize(128, maxSharedList, maxElements))
	}
	begin, end := len(d.elements), len(d.elements)+size
	d.elements = d.elements[:end]
	return d.elements[begin:end:end]
}

// listValue returns a list as a value.
func (d *Decoder) listValue(list []any) any {
	if !shared {
		return list
	}
	if len(d.lists) == cap(d.lists) {
		d.lists = make([][]any, 0, d.slabSize(256, 2, maxLists))
	}
	d.lists = append(d.lists, list)
	return listAt(&d.lists[len(d.lists)-1])
}
