// Package plot draws plots with two logarithmic axes as SVG, for light and for dark pages.
package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

// Plot is a plot.
type Plot struct {
	Title          string
	XLabel, YLabel string
	// XTick and YTick write the value of a tick.
	XTick, YTick func(float64) string
	Series       []Series
}

// Series is what belongs together: thin lines, a thick one, and single points.
type Series struct {
	Name   string
	Lines  [][]XY
	Mean   []XY
	Points []XY
}

// XY is a point. Both values are larger than 0.
type XY struct{ X, Y float64 }

const (
	width, height         = 760, 470
	left, right           = 84, 24
	top, bottom           = 84, 58
	plotWidth, plotHeight = width - left - right, height - top - bottom
)

// style holds the colours, for light and for dark. The background is part of the picture: the page may have another
// theme than the system, and then transparent pictures are unreadable.
const style = `
  text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13px; fill: #1f2328; }
  .title { font-size: 16px; font-weight: 600; }
  .back { fill: #ffffff; }
  .minor { stroke: #eaeef2; stroke-width: 1; }
  .major { stroke: #d1d9e0; stroke-width: 1; }
  .frame { fill: none; stroke: #818b98; stroke-width: 1; }
  .thin { fill: none; stroke-width: 1.2; opacity: 0.4; }
  .thick { fill: none; stroke-width: 2.8; }
  .s0 { stroke: #0969da; fill: #0969da; } .s1 { stroke: #bc4c00; fill: #bc4c00; }
  .s2 { stroke: #59636e; fill: #59636e; } .s3 { stroke: #1a7f37; fill: #1a7f37; }
  path.s0, path.s1, path.s2, path.s3 { fill: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .back { fill: #0d1117; }
    .minor { stroke: #1c222b; }
    .major { stroke: #30363d; }
    .frame { stroke: #656c76; }
    .s0 { stroke: #58a6ff; fill: #58a6ff; } .s1 { stroke: #f0883e; fill: #f0883e; }
    .s2 { stroke: #9198a1; fill: #9198a1; } .s3 { stroke: #3fb950; fill: #3fb950; }
  }
`

// colours is how many series can be told apart.
const colours = 4

// SVG draws the plot.
func (p *Plot) SVG() []byte {
	d := drawing{plot: p}
	d.x, d.y = p.axes()
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`,
		width, height, width, height, escape(p.Title))
	d.printf("<style>%s</style>", style)
	d.printf(`<rect class="back" width="%d" height="%d"/>`, width, height)
	d.text(left, 28, "start", "title", p.Title)
	d.grid()
	d.legend()
	for i, s := range p.Series {
		for _, line := range s.Lines {
			d.path(line, "thin", i)
		}
		for _, at := range s.Points {
			d.mark(d.x.at(at.X), d.y.at(at.Y), i, 2.2, 0.55)
		}
	}
	// The thick lines come last: they are what to look at.
	for i, s := range p.Series {
		if len(s.Mean) == 0 {
			continue
		}
		d.path(s.Mean, "thick", i)
		for _, at := range s.Mean {
			d.mark(d.x.at(at.X), d.y.at(at.Y), i, 4.5, 1)
		}
	}
	d.printf("</svg>")
	return d.out.Bytes()
}

// axes returns axes that all points are between.
func (p *Plot) axes() (x, y axis) {
	x, y = newAxis(left, plotWidth), newAxis(top+plotHeight, -plotHeight)
	for _, s := range p.Series {
		for _, line := range append(append([][]XY{}, s.Lines...), s.Mean, s.Points) {
			for _, at := range line {
				x.include(at.X)
				y.include(at.Y)
			}
		}
	}
	x.widen()
	y.widen()
	return x, y
}

// drawing is an SVG in the making.
type drawing struct {
	plot *Plot
	x, y axis
	out  bytes.Buffer
}

func (d *drawing) printf(format string, args ...any) {
	fmt.Fprintf(&d.out, format+"\n", args...)
}

func (d *drawing) text(x, y float64, anchor, class, text string) {
	d.printf(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`, x, y, anchor, class, escape(text))
}

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	d.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>`, x1, y1, x2, y2, class)
}

// grid draws the axes with their ticks and names.
func (d *drawing) grid() {
	for _, t := range d.x.ticks() {
		at := d.x.at(t.value)
		d.line(at, top, at, top+plotHeight, t.class())
		if t.label {
			d.text(at, top+plotHeight+20, "middle", "tick", d.plot.XTick(t.value))
		}
	}
	for _, t := range d.y.ticks() {
		at := d.y.at(t.value)
		d.line(left, at, left+plotWidth, at, t.class())
		if t.label {
			d.text(left-8, at+4.5, "end", "tick", d.plot.YTick(t.value))
		}
	}
	d.printf(`<rect class="frame" x="%d" y="%d" width="%d" height="%d"/>`, left, top, plotWidth, plotHeight)
	d.text(left+plotWidth/2, height-14, "middle", "label", d.plot.XLabel)
	middle := float64(top + plotHeight/2)
	d.printf(`<text transform="translate(20 %.1f) rotate(-90)" text-anchor="middle" class="label">%s</text>`, middle, escape(d.plot.YLabel))
}

// legend names the series above the plot.
func (d *drawing) legend() {
	const charWidth = 6.9 // about
	x := float64(left)
	for i, s := range d.plot.Series {
		d.line(x, 56, x+26, 56, fmt.Sprintf("thick s%d", i%colours))
		d.mark(x+13, 56, i, 4.5, 1)
		d.text(x+33, 60.5, "start", "legend", s.Name)
		x += 33 + charWidth*float64(len([]rune(s.Name))) + 20
	}
}

func (d *drawing) path(line []XY, class string, series int) {
	var b strings.Builder
	for i, at := range line {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", command, d.x.at(at.X), d.y.at(at.Y))
	}
	d.printf(`<path class="%s s%d" d="%s"/>`, class, series%colours, b.String())
}

// mark draws a point. Each series has a shape of its own, for those who do not see the colours.
func (d *drawing) mark(x, y float64, series int, r, opacity float64) {
	class := fmt.Sprintf("s%d", series%colours)
	switch series % colours {
	case 0:
		d.printf(`<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f" opacity="%g" stroke-width="0"/>`, class, x, y, r, opacity)
	case 1:
		d.printf(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" opacity="%g" stroke-width="0"/>`,
			class, x-r*0.9, y-r*0.9, 1.8*r, 1.8*r, opacity)
	case 2:
		d.printf(`<polygon class="%s" points="%.1f,%.1f %.1f,%.1f %.1f,%.1f" opacity="%g" stroke-width="0"/>`,
			class, x, y-1.2*r, x+1.1*r, y+0.8*r, x-1.1*r, y+0.8*r, opacity)
	default:
		d.printf(`<polygon class="%s" points="%.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f" opacity="%g" stroke-width="0"/>`,
			class, x, y-1.3*r, x+1.3*r, y, x, y+1.3*r, x-1.3*r, y, opacity)
	}
}

func escape(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(fmt.Sprintf("escape %q: %v", s, err)) // writing to memory does not fail
	}
	return b.String()
}

// axis turns values into places.
type axis struct {
	start, length float64 // of the axis in the picture
	low, high     float64 // decimal logarithms of its ends
}

func newAxis(start, length float64) axis {
	return axis{start: start, length: length, low: math.Inf(1), high: math.Inf(-1)}
}

func (a *axis) include(v float64) {
	a.low, a.high = min(a.low, math.Log10(v)), max(a.high, math.Log10(v))
}

// widen leaves some room at both ends, and makes an axis of at least two decades.
func (a *axis) widen() {
	if math.IsInf(a.low, 0) {
		a.low, a.high = 0, 0
	}
	margin := max((2-(a.high-a.low))/2, (a.high-a.low)*0.05)
	a.low, a.high = a.low-margin, a.high+margin
}

func (a axis) at(v float64) float64 {
	return a.start + a.length*(math.Log10(v)-a.low)/(a.high-a.low)
}

type tick struct {
	value float64
	major bool // a power of ten
	label bool // has its value written beside it
}

func (t tick) class() string {
	if t.major {
		return "major"
	}
	return "minor"
}

// ticks returns the powers of ten on the axis, and what is between them. On a short axis more of them have a label.
func (a axis) ticks() []tick {
	short := a.high-a.low < 3
	var all []tick
	for power := math.Floor(a.low); power <= a.high; power++ {
		for step := 1.0; step < 10; step++ {
			value := step * math.Pow(10, power)
			if l := math.Log10(value); l >= a.low && l <= a.high {
				all = append(all, tick{value, step == 1, step == 1 || short && (step == 2 || step == 5)})
			}
		}
	}
	return all
}
