package main

import "iter"

// lines yields the lines of text as a YAML parser counts them, without their ends.
func lines(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		start := 0
		for i := 0; i < len(text); {
			n := lineBreak(text[i:])
			if n == 0 {
				i++
				continue
			}
			if !yield(text[start:i]) {
				return
			}
			i += n
			start = i
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

// lineBreak returns the length of the line break that text starts with: CR LF, CR, LF, NEL, LS or PS; 0 for none.
func lineBreak(text []byte) int {
	switch text[0] {
	case '\n':
		return 1
	case '\r':
		if len(text) > 1 && text[1] == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if len(text) > 1 && text[1] == 0x85 {
			return 2
		}
	case 0xe2:
		if len(text) > 2 && text[1] == 0x80 && (text[2] == 0xa8 || text[2] == 0xa9) {
			return 3
		}
	}
	return 0
}
