package serve

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/proto"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"

	"github.com/prune-gen/prune-gen/examples/apiserver/embedded"
	"github.com/prune-gen/prune-gen/examples/apiserver/kube"
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
func observer(d *Definition) kube.Observer {
	registerMetrics()
	return func(step kube.Step, dropped int, took time.Duration) {
		if dropped > 0 {
			objectsPruned.WithLabelValues(string(step), d.Group, d.Names.Kind).Inc()
			fieldsDropped.WithLabelValues(string(step), d.Group, d.Names.Kind).Add(float64(dropped))
		}
		stepSeconds.WithLabelValues(string(step), d.Group, d.Names.Kind).Observe(took.Seconds())
	}
}

// etcdMetrics is what the embedded etcd counts, in a registry that /metrics does not show, and its alarms.
type etcdMetrics struct{ atomic.Pointer[embedded.Etcd] }

var etcdAlarm = prometheus.NewDesc("prunegen_etcd_alarm", "Whether the embedded etcd has raised an alarm, and takes no writes.", []string{"alarm"}, nil)

// Describe describes nothing: what etcd counts differs from one release to the next.
func (m *etcdMetrics) Describe(chan<- *prometheus.Desc) {}

func (m *etcdMetrics) Collect(ch chan<- prometheus.Metric) {
	etcd := m.Load()
	if etcd == nil {
		return
	}
	for _, alarm := range embedded.Alarms {
		value := 0.0
		if etcd.Raised(alarm) {
			value = 1
		}
		ch <- prometheus.MustNewConstMetric(etcdAlarm, prometheus.GaugeValue, value, alarm)
	}
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		ch <- prometheus.NewInvalidMetric(prometheus.NewInvalidDesc(err), err)
	}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "etcd_") {
			for _, metric := range f.GetMetric() {
				ch <- gathered{prometheus.NewDesc(f.GetName(), f.GetHelp(), nil, nil), metric}
			}
		}
	}
}

// gathered is a metric of another registry.
type gathered struct {
	desc   *prometheus.Desc
	metric *dto.Metric
}

func (g gathered) Desc() *prometheus.Desc { return g.desc }

func (g gathered) Write(to *dto.Metric) error {
	proto.Merge(to, g.metric)
	return nil
}

// measureEtcd shows the metrics of etcd on /metrics; nil ends that.
var measureEtcd = func() func(*embedded.Etcd) {
	m := &etcdMetrics{}
	register := sync.OnceFunc(func() { legacyregistry.RawMustRegister(m) })
	return func(etcd *embedded.Etcd) {
		m.Store(etcd)
		register()
	}
}()
