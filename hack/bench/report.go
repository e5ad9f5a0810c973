package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// results is what benchmarks printed.
type results struct {
	machine  string
	rounds   int
	order    []contest                      // as they were run
	measured map[contest]map[string]*sample // by object
	costs    []*cost
}

// contest is one way to do something to objects of a state.
type contest struct{ build, function, objects, by string }

// sample is what a contest took on one object, a value for each round.
type sample struct{ seconds, allocs []float64 }

// cost is a benchmark whose results are not compared. It has a row for each of its sub-benchmarks.
type cost struct {
	name, of string   // of is what a row is about
	units    []string // in the order of columns
	rows     []row
}

type row struct {
	name   string
	values map[string]float64 // by unit
}

// ours is who the others are compared with.
const ours = "prune-gen"

// read reads what benchmarks printed.
func read(r io.Reader) (*results, error) {
	all := &results{measured: map[contest]map[string]*sample{}}
	for reader := benchfmt.NewReader(r, "benchmarks"); reader.Scan(); {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, record
		case *benchfmt.Result:
			all.machine = fmt.Sprintf("%s %s/%s, GOMAXPROCS %s; %s; %s", record.GetConfig("toolchain"), record.GetConfig("goos"),
				record.GetConfig("goarch"), all.add(record), record.GetConfig("cpu"), record.GetConfig("kubernetes"))
		}
	}
	if all.machine == "" {
		return nil, fmt.Errorf("there are no results")
	}
	return all, nil
}

// add adds a result, and returns what its name says about GOMAXPROCS.
func (all *results) add(r *benchfmt.Result) (procs string) {
	function, parts := r.Name.Parts()
	procs = "1"
	keys := map[string]string{}
	first := ""
	for _, part := range parts {
		key, value, named := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		if !named {
			procs = strings.TrimPrefix(key, "-")
			continue
		}
		if keys[key] = strings.ReplaceAll(value, "_", " "); first == "" {
			first = key
		}
	}
	if keys["by"] == "" {
		all.addCost(string(function), first, keys[first], r.Values)
		return procs
	}
	c := contest{r.GetConfig("build"), string(function), keys["objects"], keys["by"]}
	if all.measured[c] == nil {
		all.measured[c] = map[string]*sample{}
		all.order = append(all.order, c)
	}
	object := keys["kind"] + " " + keys["size"]
	s := all.measured[c][object]
	if s == nil {
		s = &sample{}
		all.measured[c][object] = s
	}
	for _, v := range r.Values {
		switch v.Unit {
		case "sec/op":
			s.seconds = append(s.seconds, v.Value)
		case "allocs/op":
			s.allocs = append(s.allocs, v.Value)
		}
	}
	all.rounds = max(all.rounds, len(s.seconds))
	return procs
}

func (all *results) addCost(name, of, title string, values []benchfmt.Value) {
	i := slices.IndexFunc(all.costs, func(c *cost) bool { return c.name == name })
	if i < 0 {
		i = len(all.costs)
		all.costs = append(all.costs, &cost{name: name, of: of})
	}
	c, r := all.costs[i], row{title, map[string]float64{}}
	for _, v := range values {
		unit := strings.Replace(v.Unit, "sec/op", "time-sec", 1)
		if !slices.Contains(c.units, unit) {
			c.units = append(c.units, unit)
		}
		r.values[unit] = v.Value
	}
	c.rows = append(c.rows, r)
}

// table is a table of text. The columns after the first left ones are figures.
type table struct {
	header []string
	left   int
	rows   [][]string
}

func (t *table) text(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.header}, t.rows...) {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	tw.Flush()
	fmt.Fprintln(w)
}

func (t *table) markdown() string {
	var b strings.Builder
	rule := slices.Concat(slices.Repeat([]string{"---"}, t.left), slices.Repeat([]string{"---:"}, len(t.header)-t.left))
	for _, row := range append([][]string{t.header, rule}, t.rows...) {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return strings.TrimSpace(b.String())
}

// speeds returns a table of what each way takes beside the generated function, in one of the builds.
func (all *results) speeds(build string) *table {
	t := &table{header: []string{"function", "objects", "against", "geometric mean", "±", "worst object", "allocs"}, left: 3}
	for _, theirs := range all.order {
		c := theirs
		c.by = ours
		if theirs.build != build || theirs.by == ours {
			continue
		}
		var means, spreads, allocs []float64
		worst := ""
		for _, object := range slices.Sorted(maps.Keys(all.measured[theirs])) {
			a, b := all.measured[c][object], all.measured[theirs][object]
			if a == nil {
				continue
			}
			mean, spread := ratioOf(a, b)
			if worst == "" || mean < slices.Min(means) {
				worst = theirs.format(mean) + ", " + object
			}
			means, spreads, allocs = append(means, mean), append(spreads, spread), append(allocs, median(a.allocs))
		}
		if len(means) == 0 {
			continue
		}
		t.rows = append(t.rows, []string{c.function, c.objects, theirs.by, theirs.format(stats.GeoMean(means)),
			fmt.Sprintf("%.0f%%", 100*median(spreads)), worst, fmt.Sprintf("%.0f", slices.Max(allocs))})
	}
	return t
}

// ratioOf returns how many times as long theirs takes: the median of the rounds, and the median of their deviations from it.
func ratioOf(ours, theirs *sample) (ratio, spread float64) {
	var ratios, deviations []float64
	for i := range min(len(ours.seconds), len(theirs.seconds)) {
		ratios = append(ratios, theirs.seconds[i]/ours.seconds[i])
	}
	ratio = median(ratios)
	for _, r := range ratios {
		deviations = append(deviations, math.Abs(r/ratio-1))
	}
	return ratio, median(deviations)
}

func median(values []float64) float64 {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95).Center
}

// format writes a ratio. Nobody would use a walk instead: beside one, it is the part of its time that generated code takes.
func (c contest) format(ratio float64) string {
	switch walk := strings.HasSuffix(c.by, "walk"); {
	case walk && ratio <= 1:
		return fmt.Sprintf("%.2f times the time", 1/ratio)
	case walk:
		return fmt.Sprintf("%.2f of the time", 1/ratio)
	case ratio >= 100:
		return fmt.Sprintf("%.0fx", ratio)
	case ratio < 2:
		return fmt.Sprintf("%.2fx", ratio)
	}
	return fmt.Sprintf("%.1fx", ratio)
}

// table returns the table of a cost. A unit is the title of a column, and after a hyphen what its figures are: B or sec.
func (c *cost) table() *table {
	t := &table{header: []string{c.of}, left: 1}
	for _, unit := range c.units {
		title, _, _ := strings.Cut(unit, "-")
		t.header = append(t.header, strings.ReplaceAll(title, "_", " "))
	}
	for _, r := range c.rows {
		cells := []string{r.name}
		for _, unit := range c.units {
			v, ok := r.values[unit]
			switch _, scale, _ := strings.Cut(unit, "-"); {
			case !ok:
				cells = append(cells, "")
			case scale == "B":
				cells = append(cells, scaled(v, "B", "KB", "MB"))
			case scale == "sec":
				cells = append(cells, scaled(v*1e3, "ms", "s"))
			default:
				cells = append(cells, fmt.Sprintf("%.0f", v))
			}
		}
		t.rows = append(t.rows, cells)
	}
	return t
}

// scaled writes a value with three digits in one of the units, each of which is a thousand times the one before.
func scaled(v float64, units ...string) string {
	for len(units) > 1 && math.Abs(v) >= 999.5 {
		v, units = v/1000, units[1:]
	}
	digits := 2
	switch abs := math.Abs(v); {
	case units[0] == "B" || abs >= 99.95:
		digits = 0
	case abs >= 9.995:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, v, units[0])
}

// print prints all tables.
func (all *results) print(w io.Writer) {
	fmt.Fprintf(w, "%s\n\n", all.machine)
	for _, build := range []string{"default", "purego"} {
		if t := all.speeds(build); len(t.rows) > 0 {
			fmt.Fprintf(w, "%s build\n", build)
			t.text(w)
		}
	}
	for _, c := range all.costs {
		fmt.Fprintln(w, c.name)
		c.table().text(w)
	}
}

//go:embed page.md.tmpl
var pageTemplate string

// page returns the page of the documentation. All benchmarks must have been run.
func (all *results) page() ([]byte, error) {
	var missing error
	pageOf := func(t *table, what string) string {
		if len(t.rows) == 0 {
			missing = fmt.Errorf("there are no results of %s", what)
		}
		return t.markdown()
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"speeds": func(build string) string { return pageOf(all.speeds(build), build) },
		"cost": func(name string) string {
			if i := slices.IndexFunc(all.costs, func(c *cost) bool { return c.name == name }); i >= 0 {
				return pageOf(all.costs[i].table(), name)
			}
			return pageOf(&table{}, name)
		},
	}).Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{"Machine": all.machine, "Rounds": all.rounds}); err != nil {
		return nil, err
	}
	return b.Bytes(), missing
}
