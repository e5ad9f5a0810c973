package yamltext

import (
	"bytes"
	"encoding/binary"
	"iter"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// IsUTF16 reports whether data begins with the byte order mark of UTF-16, as some shells write it.
func IsUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff})
}

// Decode returns data as UTF-8 without a byte order mark: as it is, or decoded if it is UTF-16. Lines and columns are those of the decoded
// text.
func Decode(data []byte) []byte {
	if !IsUTF16(data) {
		return bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	size := 0 // a slice that grows would take twice as much memory at the end
	for r := range utf16Runes(data) {
		size += utf8.RuneLen(r)
	}
	decoded := make([]byte, 0, size)
	for r := range utf16Runes(data) {
		decoded = utf8.AppendRune(decoded, r)
	}
	return decoded
}

// utf16Runes returns the characters after the mark. What is not one is a replacement character.
func utf16Runes(data []byte) iter.Seq[rune] {
	order := binary.ByteOrder(binary.LittleEndian)
	if data[0] == 0xfe {
		order = binary.BigEndian
	}
	return func(yield func(rune) bool) {
		for i := 2; i+1 < len(data); i += 2 {
			r := rune(order.Uint16(data[i:]))
			if utf16.IsSurrogate(r) {
				if r = unicode.ReplacementChar; i+3 < len(data) {
					if pair := utf16.DecodeRune(rune(order.Uint16(data[i:])), rune(order.Uint16(data[i+2:]))); pair != unicode.ReplacementChar {
						r = pair
						i += 2
					}
				}
			}
			if !yield(r) {
				return
			}
		}
	}
}
