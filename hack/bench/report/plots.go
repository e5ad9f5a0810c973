package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/prune-gen/prune-gen/hack/bench/measure"
	"github.com/prune-gen/prune-gen/hack/bench/plot"
)

// figure is a plot with the file it is in.
type figure struct {
	file string // below the folder of the plots
	alt  string
	plot.Plot
}

// timePlots returns a plot of time against size for each function and state of objects.
func timePlots(all []measure.Comparison) []figure {
	var figures []figure
	at := map[string]int{}
	for _, c := range all {
		if c.Row.NoPlot {
			continue
		}
		key := strings.ToLower(c.Row.Ours.Function) + "-" + string(c.Row.State)
		i, ok := at[key]
		if !ok {
			i = len(figures)
			at[key] = i
			title := fmt.Sprintf("%s, %s objects", c.Row.Ours.Title, c.Row.State)
			f := figure{file: key + ".svg", alt: title + ": time against object size, both axes logarithmic"}
			f.Plot = plot.Plot{
				Title: title, XLabel: "size of the object as JSON", YLabel: "time for one object",
				XTick: tickText(Bytes), YTick: tickText(Nanos),
				Series: []plot.Series{series("prune-gen", c, func(l measure.Line) measure.Stat { return l.Ours })},
			}
			figures = append(figures, f)
		}
		name := fmt.Sprintf("%s, %s the time", c.Row.Theirs.Title, timesText(c.Row.Goal.Speedup(c.Mean)))
		figures[i].Series = append(figures[i].Series, series(name, c, func(l measure.Line) measure.Stat { return l.Theirs }))
	}
	return figures
}

// timesText writes a factor with two digits that count, or all before the point.
func timesText(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0fx", x)
	}
	return fmt.Sprintf("%.2gx", x)
}

// tickText writes round numbers without the digits that say nothing.
func tickText(format func(float64) string) func(float64) string {
	return func(v float64) string {
		number, unit, _ := strings.Cut(format(v), " ")
		if strings.Contains(number, ".") {
			number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
		}
		return number + " " + unit
	}
}

// series returns a thin line for each kind, and a thick one for the geometric mean.
func series(name string, c measure.Comparison, get func(measure.Line) measure.Stat) plot.Series {
	s := plot.Series{Name: name}
	lines, sums := map[string]int{}, map[string]int{}
	var counts []float64
	for _, l := range c.Lines {
		at := plot.XY{X: float64(l.Bytes), Y: get(l).Nanos}
		i, ok := lines[l.Kind]
		if !ok {
			i = len(s.Lines)
			lines[l.Kind] = i
			s.Lines = append(s.Lines, nil)
		}
		s.Lines[i] = append(s.Lines[i], at)
		j, ok := sums[l.Size]
		if !ok {
			j = len(s.Mean)
			sums[l.Size] = j
			s.Mean, counts = append(s.Mean, plot.XY{}), append(counts, 0)
		}
		s.Mean[j].X += math.Log(at.X)
		s.Mean[j].Y += math.Log(at.Y)
		counts[j]++
	}
	for j := range s.Mean {
		s.Mean[j] = plot.XY{X: math.Exp(s.Mean[j].X / counts[j]), Y: math.Exp(s.Mean[j].Y / counts[j])}
	}
	return s
}

// figures returns a plot of the size of the source against the number of fields in different nodes, if that is what the
// cost is about.
func (c *Cost) figures() []figure {
	if len(c.Points) == 0 {
		return nil
	}
	s := plot.Series{Name: "one version of a CRD of the corpus, all functions"}
	for _, p := range c.Points {
		s.Points = append(s.Points, plot.XY{X: p.Fields, Y: p.Bytes})
	}
	return []figure{{
		file: "source.svg",
		alt:  "Size of the generated source against the number of fields in different schema nodes, both axes logarithmic: a straight line",
		Plot: plot.Plot{
			Title: "Generated source", XLabel: "fields in different nodes of the schema", YLabel: "generated source",
			XTick: func(v float64) string { return fmt.Sprintf("%g", v) }, YTick: tickText(Bytes),
			Series: []plot.Series{s},
		},
	}}
}
