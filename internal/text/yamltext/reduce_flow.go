package yamltext

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// cutFlow removes pairs of a map in flow style: {a: 1, b: 2}.
func (r *reducer) cutFlow(y *yaml.Node, pairs []pair) {
	data := r.src.data
	starts, ends := make([]int, len(pairs)), make([]int, len(pairs))
	kept := -1 // the last pair that is kept
	for i, p := range pairs {
		starts[i] = r.offset(r.at(p.key))
		ends[i] = r.flowEnd(starts[i])
		if !p.drop {
			kept = i
		}
		if i > 0 && starts[i] < ends[i-1] {
			return // the text is not understood, and stays as it is
		}
	}
	if kept < 0 {
		first, last := r.offset(r.at(y)), ends[len(ends)-1]
		if first > starts[0] {
			return
		}
		open, end := bytes.IndexByte(data[first:starts[0]], '{'), bytes.IndexByte(data[last:], '}')
		if open >= 0 && end >= 0 {
			r.cut(first+open+1, last+end, "")
		}
		return
	}
	for i, p := range pairs {
		switch {
		case !p.drop:
		case i < kept: // a pair follows that stays
			r.cut(starts[i], starts[i+1], "")
		default: // with the comma before it
			end := starts[i] + len(bytes.TrimRight(data[starts[i]:ends[i]], " \t\r\n"))
			if between := data[ends[i-1]:starts[i]]; bytes.IndexByte(between, '#') >= 0 {
				r.cut(ends[i-1], ends[i-1]+1, "")
				r.cut(starts[i], end, "")
			} else {
				r.cut(ends[i-1], end, "")
			}
		}
	}
}

// flowPairs has the offsets at which the pairs of all maps in flow style begin, in order, and where they end. Maps are nested, and a text
// is read only once for all of them.
type flowPairs struct{ starts, ends []int }

// flowEnd returns where the pair that begins at an offset ends: at the comma or at the bracket after it.
func (r *reducer) flowEnd(start int) int {
	if r.flow.starts == nil {
		r.findFlow(r.tree)
	}
	i, _ := slices.BinarySearch(r.flow.starts, start)
	return r.flow.ends[i]
}

// findFlow finds the pairs of the maps in flow style below y.
func (r *reducer) findFlow(y *yaml.Node) {
	if y.Style&yaml.FlowStyle == 0 {
		for _, child := range y.Content {
			r.findFlow(child)
		}
		return
	}
	first := len(r.flow.starts)
	var keys func(y *yaml.Node)
	keys = func(y *yaml.Node) {
		for i, child := range y.Content {
			if y.Kind == yaml.MappingNode && i%2 == 0 {
				r.flow.starts = append(r.flow.starts, r.offset(r.at(child)))
			}
			keys(child)
		}
	}
	keys(y)
	starts := r.flow.starts[first:]
	slices.Sort(starts)
	begin := r.offset(r.at(y))
	ends, size := pairEnds(r.src.data[begin:r.end], begin, starts)
	r.src.meter.Spend(1 + size/meter.ScannedBytes)
	r.flow.ends = append(r.flow.ends, ends...)
}

// pairEnds returns where the pairs that begin at the sorted offsets end. Text is at the offset begin, and begins with the collection
// around them. A pair that does not end in text ends with it.
func pairEnds(text []byte, begin int, starts []int) (ends []int, size int) {
	ends = make([]int, len(starts))
	for i := range ends {
		ends[i] = begin + len(text)
	}
	var open [][]int // the pairs of each collection that is open
	next := 0        // the first pair that is not reached
	end := func(at int) {
		last := len(open) - 1
		for _, pair := range open[last] {
			ends[pair] = at
		}
		open[last] = open[last][:0]
	}
	eachPlain(text, func(i int) bool {
		c, at := text[i], begin+i
		size = i + 1
		if strings.IndexByte("{}[],", c) < 0 {
			return true
		}
		for ; next < len(starts) && starts[next] <= at && len(open) > 0; next++ {
			open[len(open)-1] = append(open[len(open)-1], next)
		}
		switch {
		case c == '{' || c == '[':
			open = append(open, nil)
		case len(open) == 0:
			return c == ',' // in a tag
		case c == ',':
			end(at)
		default:
			end(at)
			open = open[:len(open)-1]
			return len(open) > 0
		}
		return true
	})
	return ends, size
}

// eachPlain calls visit with the index of each byte that is neither in quotes nor in a comment, until visit returns false. A quote
// counts where a scalar can begin, and not in the middle of one: it's. A comment counts with its first byte.
func eachPlain(text []byte, visit func(i int) bool) {
	begin := true // a scalar can begin here
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case begin && c == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			begin = false
			continue
		case begin && c == '\'':
			for i++; i < len(text); i++ {
				if text[i] != '\'' {
					continue
				}
				if i+1 == len(text) || text[i+1] != '\'' {
					break
				}
				i++
			}
			begin = false
			continue
		}
		if !visit(i) {
			return
		}
		if c == '#' && (i == 0 || isSpace(text[i-1])) {
			for i+1 < len(text) && text[i+1] != '\n' && text[i+1] != '\r' {
				i++
			}
			continue
		}
		// Spaces do not end a plain scalar, but a quote after a colon, a bracket or a property begins one.
		begin = begin && isSpace(c) || strings.IndexByte("{}[],:", c) >= 0 || isSpace(c) && endsProperty(text[:i])
	}
}

// endsProperty reports whether text ends with an anchor, a tag or an indicator, after which a scalar begins.
func endsProperty(text []byte) bool {
	word := text[bytes.LastIndexAny(text, " \t\r\n{}[],")+1:]
	return len(word) > 0 && (strings.IndexByte("&!", word[0]) >= 0 || string(word) == "-" || string(word) == "?")
}
