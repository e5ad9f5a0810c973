package report

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
)

// Bar is a bar of a figure.
type Bar struct {
	Label string
	Value float64
	Text  string // the value, as it is written beside the bar
}

// figure is a bar chart with the file it is in. The first bar is at the top.
type figure struct {
	file  string // below the folder of the plots
	alt   string
	title string
	axis  string
	bars  []Bar
}

// speedFigures returns a figure for functions on decoded objects, and one for functions on JSON.
func speedFigures(all []measure.Comparison) []figure {
	decoded := figure{
		file: "decoded.svg", title: "Functions on decoded objects", axis: "times as fast",
		alt: "Functions on decoded objects: how many times as fast they are as what Kubernetes does",
	}
	onJSON := figure{
		file: "json.svg", title: "Functions on JSON", axis: "times as fast",
		alt: "Functions on JSON: how many times as fast they are as what Kubernetes does, and as other libraries",
	}
	for _, c := range all {
		if c.Row.NoPlot || c.Row.Ratio != measure.Speedup {
			continue
		}
		f := &decoded
		if c.Row.Ours.OnJSON {
			f = &onJSON
		}
		f.bars = append(f.bars, Bar{
			Label: fmt.Sprintf("%s, %s objects, against %s", c.Row.Ours.Title, c.Row.State, c.Row.Theirs.Title),
			Value: c.Mean, Text: c.Row.Ratio.Format(c.Mean),
		})
	}
	return slices.DeleteFunc([]figure{decoded, onJSON}, func(f figure) bool { return len(f.bars) == 0 })
}

// figures returns the figure of a cost, if it has one.
func (c *Cost) figures() []figure {
	if len(c.Bars) == 0 {
		return nil
	}
	return []figure{{file: c.File, alt: c.Table.Title, title: c.Table.Title, axis: c.Axis, bars: c.Bars}}
}

const (
	figureWidth = 720 // points, as are all sizes here
	barWidth    = 14
	barStep     = 24
	aroundBars  = 100 // the height of the title and the axis
	margin      = 8
)

// svg draws the figure. The background is white: on a transparent one the text would be unreadable on dark pages.
func (f figure) svg() ([]byte, error) {
	p := plot.New()
	sans := func(style *text.Style, size vg.Length) {
		style.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	}
	sans(&p.Title.TextStyle, 15)
	sans(&p.X.Label.TextStyle, 12)
	sans(&p.X.Tick.Label, 11)
	sans(&p.Y.Tick.Label, 11)
	p.Title.Text, p.X.Label.Text = f.title, f.axis
	p.Title.Padding = 8
	p.X.Min = 0
	grid := plotter.NewGrid()
	grid.Horizontal.Color = nil
	p.Add(grid)

	n := len(f.bars)
	values, names := make(plotter.Values, n), make([]string, n)
	labels := plotter.XYLabels{XYs: make(plotter.XYs, n), Labels: make([]string, n)}
	for i, b := range f.bars {
		at := n - 1 - i // the axis counts from the bottom
		values[at], names[at] = b.Value, b.Label
		labels.XYs[at], labels.Labels[at] = plotter.XY{X: b.Value, Y: float64(at)}, b.Text
		p.X.Max = max(p.X.Max, b.Value*1.2) // room for the text beside the bar
	}
	bars, err := plotter.NewBarChart(values, barWidth)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	bars.Horizontal = true
	bars.LineStyle.Width = 0
	bars.Color = color.RGBA{R: 0x09, G: 0x69, B: 0xda, A: 0xff}
	texts, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	texts.Offset = vg.Point{X: 4}
	for i := range texts.TextStyle {
		sans(&texts.TextStyle[i], 11)
		texts.TextStyle[i].YAlign = text.YCenter
	}
	p.Add(bars, texts)
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.6, float64(n)-0.4

	canvas := vgsvg.New(figureWidth, vg.Length(aroundBars+barStep*n))
	p.Draw(draw.Crop(draw.New(canvas), margin, -margin, margin, -margin))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	// Few systems have the font that the plot was laid out with. The others have the same widths.
	return bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")), nil
}
