package main

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"
)

// style is that of all pictures. A browser shows them in its own theme.
const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 15px }
.small { font-size: 11px; fill: #59636e }
.end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #d1d9e0 }
.a { fill: #0969da; stroke: #0969da } .b { fill: #bc4c00; stroke: #bc4c00 } .c { fill: #818b98; stroke: #818b98 }
text.a, text.b, text.c { stroke: none }
.line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .small { fill: #9198a1 } .grid { stroke: #3d444d }
.a { fill: #4493f8; stroke: #4493f8 } .b { fill: #db6d28; stroke: #db6d28 } .line { fill: none }
}
</style>
`

// svg is a picture that is being drawn.
type svg struct{ strings.Builder }

func newSVG(width, height int, title string) *svg {
	s := &svg{}
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%d" role="img" aria-label="%[3]s">`+"\n%[4]s", width, height, html.EscapeString(title), style)
	s.text(10, 22, "title", title)
	return s
}

func (s *svg) text(x, y float64, class, text string) {
	fmt.Fprintf(s, `<text x="%.0f" y="%.0f" class="%s">%s</text>`+"\n", x, y, class, html.EscapeString(text))
}

func (s *svg) line(x1, y1, x2, y2 float64) {
	fmt.Fprintf(s, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="grid"/>`+"\n", x1, y1, x2, y2)
}

func (s *svg) end() []byte { return []byte(s.String() + "</svg>\n") }

// bar is a row of a picture.
type bar struct {
	label, shown string
	value        float64
	class        string // of its colour
}

// bars draws a bar for each row, on a logarithmic scale from the value least.
func bars(title string, least float64, rows []bar) []byte {
	const width, step, letter = 420, 22, 7
	left := 0.0
	for _, r := range rows {
		left = max(left, float64(letter*len(r.label)+20))
	}
	s := newSVG(int(left)+width+280, 50+step*len(rows), title)
	most := slices.MaxFunc(rows, func(a, b bar) int { return int(math.Copysign(1, a.value-b.value)) }).value
	scale := func(v float64) float64 { return width * math.Log(max(v, least)/least) / math.Log(most/least) }
	for power := least; power <= most; power *= 10 {
		s.line(left+scale(power), 34, left+scale(power), float64(40+step*len(rows)))
	}
	for i, r := range rows {
		y := float64(40 + step*i)
		s.text(left-8, y+13, "end", r.label)
		fmt.Fprintf(s, `<rect x="%.0f" y="%.0f" width="%.1f" height="%d" class="%s"/>`+"\n", left, y+1, max(scale(r.value), 1), step-6, r.class)
		s.text(left+6+max(scale(r.value), 1), y+13, "", r.shown)
	}
	return s.end()
}

// series is a line of a picture.
type series struct {
	name, class string
	x, y        []float64
}

// lines draws lines with both scales logarithmic. x and y write values beside their axes.
func lines(title string, all []series, x, y func(float64) string) []byte {
	const left, top, width, height = 70, 40, 420, 260
	s := newSVG(left+width+250, top+height+40, title)
	var xs, ys []float64
	for _, l := range all {
		xs, ys = append(xs, l.x...), append(ys, l.y...)
	}
	position := func(v float64, of []float64, length float64) float64 {
		return length * math.Log(v/slices.Min(of)) / math.Log(slices.Max(of)/slices.Min(of))
	}
	atX := func(v float64) float64 { return left + position(v, xs, width) }
	atY := func(v float64) float64 { return top + height - position(v, ys, height) }
	for power := math.Pow(10, math.Ceil(math.Log10(slices.Min(ys)))); power <= slices.Max(ys); power *= 10 {
		s.line(left, atY(power), left+width, atY(power))
		s.text(left-8, atY(power)+4, "small end", y(power))
	}
	for _, v := range all[0].x {
		s.line(atX(v), top, atX(v), top+height)
		s.text(atX(v), top+height+18, "small middle", x(v))
	}
	below := math.Inf(-1) // the last name
	slices.SortFunc(all, func(a, b series) int { return int(math.Copysign(1, b.y[len(b.y)-1]-a.y[len(a.y)-1])) })
	for _, l := range all {
		var points []string
		for i := range l.x {
			points = append(points, fmt.Sprintf("%.1f,%.1f", atX(l.x[i]), atY(l.y[i])))
		}
		fmt.Fprintf(s, `<polyline points="%s" class="%s line"/>`+"\n", strings.Join(points, " "), l.class)
		below = max(below+16, atY(l.y[len(l.y)-1])+4)
		s.text(left+width+8, below, l.class, l.name)
	}
	return s.end()
}

// plots returns the pictures of the page, by the names of their files.
func (all *results) plots() map[string][]byte {
	plots := map[string][]byte{}
	var ratios []bar
	for _, theirs := range all.order {
		if theirs.build != "default" || !isKubernetes(theirs.by) || theirs.objects == nestedObjects {
			continue
		}
		if ratio, ok := all.mean(theirs); ok {
			ratios = append(ratios, bar{theirs.function + ", " + theirs.objects, theirs.format(ratio) + "  " + theirs.by, ratio, "a"})
		}
	}
	if len(ratios) > 0 {
		plots["ratios.svg"] = bars("How many times as long Kubernetes takes", 1, ratios)
	}
	size := func(v float64) string { return scaled(v, "B", "KB") }
	if l := all.curves("Prune", "clean", map[string]float64{"small": 2e3, "middle": 15e3, "large": 200e3}); len(l) > 0 {
		plots["size.svg"] = lines("Prune by the size of the object as JSON", l, size, duration)
	}
	levels := map[string]float64{}
	for n := 1; n <= 32; n *= 2 {
		levels[fmt.Sprint(n)] = float64(n)
	}
	if l := all.curves("Prune", nestedObjects, levels); len(l) > 0 {
		plots["nesting.svg"] = lines("Prune by the depth of the same number of values", l, func(v float64) string { return fmt.Sprint(v) }, duration)
	}
	if i := slices.IndexFunc(all.costs, func(c *cost) bool { return c.name == "Heap" }); i >= 0 {
		var heap []bar
		for _, r := range all.costs[i].rows {
			heap = append(heap, bar{r.name, scaled(r.values["heap-B"], "B", "KB", "MB"), r.values["heap-B"], "a"})
		}
		plots["memory.svg"] = bars("Heap held by schemas", 1000, heap)
	}
	return plots
}

// nestedObjects is the state of objects that differ in depth alone.
const nestedObjects = "nested"

// isKubernetes reports whether a way does what Kubernetes does, and is not a measure of what is possible.
func isKubernetes(by string) bool {
	return !strings.HasSuffix(by, "walk") && !strings.HasPrefix(by, "sonic.") && !strings.HasPrefix(by, "json.")
}

// mean returns the geometric mean of the ratios of a contest.
func (all *results) mean(theirs contest) (mean float64, ok bool) {
	c := theirs
	c.by = ours
	var ratios []float64
	for object, b := range all.measured[theirs] {
		if a := all.measured[c][object]; a != nil && theirs.by != ours {
			ratio, _ := ratioOf(a, b)
			ratios = append(ratios, ratio)
		}
	}
	return stats.GeoMean(ratios), len(ratios) > 0
}

// curves returns a line for each way to do something: its time, as the geometric mean over kinds, by the size of objects.
func (all *results) curves(function, objects string, sizes map[string]float64) []series {
	var curves []series
	classes := []string{"a", "b", "c", "c"}
	for _, c := range all.order {
		if c.build != "default" || c.function != function || c.objects != objects || len(curves) == len(classes) {
			continue
		}
		seconds := map[float64][]float64{}
		for object, s := range all.measured[c] {
			_, name, _ := strings.Cut(object, " ")
			if size, ok := sizes[name]; ok {
				seconds[size] = append(seconds[size], median(s.seconds))
			}
		}
		curve := series{name: c.by, class: classes[len(curves)]}
		for _, name := range sizes {
			curve.x = append(curve.x, name)
		}
		slices.Sort(curve.x)
		for _, x := range curve.x {
			if len(seconds[x]) == 0 {
				return nil
			}
			curve.y = append(curve.y, stats.GeoMean(seconds[x]))
		}
		curves = append(curves, curve)
	}
	return curves
}

// duration writes seconds.
func duration(seconds float64) string { return scaled(seconds*1e9, "ns", "µs", "ms", "s") }
