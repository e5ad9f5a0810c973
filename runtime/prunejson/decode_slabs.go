package prunejson

// slabs are memory that the values of one document share, so that it takes few allocations. What is in a slab stays alive
// as long as one value in it does: slabs are small, hold nothing that is dropped, and large values have memory of their own.
type slabs struct {
	texts    []byte
	strings  []string
	lists    [][]any
	elements []any
}

// The largest slabs, and what is too large for them.
const (
	maxTexts    = 4096
	maxStrings  = 64
	maxLists    = 32
	maxElements = 64

	largeText = 512
	largeList = 16
)

// keepText returns a string of its own.
func (d *Decoder) keepText(text []byte) string {
	if !shared || len(text) > largeText {
		return string(text)
	}
	n := len(d.texts)
	if cap(d.texts)-n < len(text) {
		d.texts, n = make([]byte, 0, min(max(d.end/4, largeText), maxTexts)), 0
	}
	d.texts = append(d.texts, text...)
	return textOf(d.texts[n:])
}

// stringValue returns a string as a value.
func (d *Decoder) stringValue(text string) any {
	if !shared {
		return text
	}
	if len(d.strings) == cap(d.strings) {
		d.strings = make([]string, 0, min(max(d.end/64, 4), maxStrings))
	}
	d.strings = append(d.strings, text)
	return textAt(&d.strings[len(d.strings)-1])
}

// newList returns a list of a size.
func (d *Decoder) newList(size int) []any {
	if !shared || size > largeList {
		return make([]any, size)
	}
	n := len(d.elements)
	if cap(d.elements)-n < size || d.elements == nil {
		d.elements, n = make([]any, 0, min(max(d.end/128, largeList), maxElements)), 0
	}
	d.elements = d.elements[:n+size]
	return d.elements[n : n+size : n+size]
}

// listValue returns a list as a value.
func (d *Decoder) listValue(list []any) any {
	if !shared {
		return list
	}
	if len(d.lists) == cap(d.lists) {
		d.lists = make([][]any, 0, min(max(d.end/256, 2), maxLists))
	}
	d.lists = append(d.lists, list)
	return listAt(&d.lists[len(d.lists)-1])
}
