package prunejson

import (
	"strconv"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Keep decodes the value at p, of which everything is kept. It calls itself, at most to the maximum depth of a document.
func (d *Decoder) Keep(key string, p Pos) Pos {
	switch p = d.blanks(p); d.at(p) {
	case '"':
		return d.textValue(key, p)
	case '{':
		size := d.Size()
		k, p, _ := d.Object(p)
		for k[0] == '"' {
			name, value := d.Key(p)
			k, p = d.Next(d.Keep(name, value))
		}
		return d.Close(key, size, p)
	case '[':
		size := d.Size()
		p, more, _ := d.List(p)
		for more {
			p, more = d.Element(d.Keep("", p))
		}
		return d.CloseList(key, size, p)
	}
	return d.scalarValue(key, p)
}

// Leaf decodes the value at p, of which the schema specifies nothing: what is in an object goes.
func (d *Decoder) Leaf(key string, p Pos) Pos {
	if d.at(p) != '"' {
		p = d.blanks(p)
	}
	switch d.at(p) {
	case '"':
		return d.textValue(key, p)
	case '{':
		d.push(key, map[string]any{})
		return d.Scanner.Keep(p)
	case '[':
		size := d.Size()
		p, more, _ := d.List(p)
		for more {
			p, more = d.Element(d.Leaf("", p))
		}
		return d.CloseList(key, size, p)
	}
	return d.scalarValue(key, p)
}

// LeafMap decodes the value at p: the keys of an object stay, and the values are leaves.
func (d *Decoder) LeafMap(key string, p Pos) Pos {
	k, p, ok := d.Object(p)
	if !ok {
		return d.Leaf(key, p)
	}
	size := d.Size()
	for k[0] == '"' {
		name, value := d.Key(p)
		k, p = d.Next(d.Leaf(name, value))
	}
	return d.Close(key, size, p)
}

// Metadata decodes the metadata of a resource at p and prunes it as ObjectMeta says. Metadata that is not an object is left alone:
// it is wrong, but there is nothing in it to drop.
func (d *Decoder) Metadata(key string, p Pos) Pos {
	if !d.IsAt(p, '{') {
		return d.Keep(key, p)
	}
	return decodeObjectMeta(d, key, p)
}

// textValue decodes the string at p.
func (d *Decoder) textValue(key string, p Pos) Pos {
	text, p := d.text(p)
	d.push(key, d.stringValue(text))
	return p
}

// scalarValue decodes a number or a literal.
func (d *Decoder) scalarValue(key string, p Pos) Pos {
	end := d.scalar(p)
	if d.err != nil {
		return end
	}
	switch d.at(p) {
	case 't':
		d.push(key, true)
	case 'f':
		d.push(key, false)
	case 'n':
		d.push(key, nil)
	default:
		d.push(key, d.number(p, end))
	}
	return end
}

// number returns the number between two positions: an int64 if it is written as an integer and fits, else a float64.
func (d *Decoder) number(p, end Pos) any {
	const fits = 18 // digits, whatever they are
	literal := d.buf[p:end]
	digits := literal
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > fits {
		if n, err := strconv.ParseInt(string(literal), 10, 64); err == nil {
			return n
		}
		return d.float(p, literal)
	}
	n := int64(0)
	for _, c := range digits {
		if !isDigit(c) {
			return d.float(p, literal)
		}
		n = n*10 + int64(c-'0')
	}
	if literal[0] == '-' {
		n = -n
	}
	return n
}

// float returns the number at p. It does not stop at a number that is too large: whether it is kept may not be known yet.
func (d *Decoder) float(p Pos, literal []byte) any {
	n, err := strconv.ParseFloat(string(literal), 64)
	if err != nil && d.tooLarge == nil {
		d.tooLarge = &prunert.SyntaxError{Offset: int64(p), Message: "number out of the range of a float64"}
	}
	return n
}
