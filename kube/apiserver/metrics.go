package apiserver

import (
	"sync"
	"time"

	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
)

// What generated code did, on /metrics.
var (
	objectsPruned = metrics.NewCounterVec(&metrics.CounterOpts{
		Namespace: "prunegen", Name: "objects_pruned_total", StabilityLevel: metrics.ALPHA,
		Help: "Objects from which at least one field was dropped, by step and resource.",
	}, []string{"step", "group", "kind"})
	fieldsDropped = metrics.NewCounterVec(&metrics.CounterOpts{
		Namespace: "prunegen", Name: "fields_dropped_total", StabilityLevel: metrics.ALPHA,
		Help: "Fields that were dropped because the schema does not specify them, by step and resource.",
	}, []string{"step", "group", "kind"})
	stepSeconds = metrics.NewHistogramVec(&metrics.HistogramOpts{
		Namespace: "prunegen", Name: "step_duration_seconds", StabilityLevel: metrics.ALPHA,
		Help:    "Time in generated code for one object, by step and resource.",
		Buckets: metrics.ExponentialBuckets(250e-9, 4, 10),
	}, []string{"step", "group", "kind"})
)

var registerMetrics = sync.OnceFunc(func() { legacyregistry.MustRegister(objectsPruned, fieldsDropped, stepSeconds) })

// observer counts what generated code does to the objects of a kind.
func observer(d *Definition) custom.Observer {
	registerMetrics()
	return func(step custom.Step, dropped int, took time.Duration) {
		if dropped > 0 {
			objectsPruned.WithLabelValues(string(step), d.Group, d.Names.Kind).Inc()
			fieldsDropped.WithLabelValues(string(step), d.Group, d.Names.Kind).Add(float64(dropped))
		}
		stepSeconds.WithLabelValues(string(step), d.Group, d.Names.Kind).Observe(took.Seconds())
	}
}
