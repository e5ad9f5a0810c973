package embedded

import (
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
)

// phase is what etcd is doing, which decides how its warnings and errors are treated. It warns of its configuration whenever it starts, and
// of closed connections whenever it stops.
type phase int

const (
	starting phase = iota // they are kept
	running               // they are logged
	failed                // those that were kept are logged, others are dropped
	stopping              // they are dropped
)

// newLogger returns a logger that passes warnings and errors on to klog, and the function that says what etcd is doing.
func newLogger() (logger *zap.Logger, enter func(phase)) {
	log := &log{}
	encoder := zapcore.NewConsoleEncoder(zapcore.EncoderConfig{
		MessageKey: "message", ConsoleSeparator: " ", SkipLineEnding: true, EncodeDuration: zapcore.StringDurationEncoder,
	})
	at := func(level zapcore.Level) zap.LevelEnablerFunc {
		return func(l zapcore.Level) bool { return l == level }
	}
	return zap.New(zapcore.NewTee(
		zapcore.NewCore(encoder, sink{log: log, line: klog.Warning}, at(zapcore.WarnLevel)),
		zapcore.NewCore(encoder, sink{log: log, line: klog.Error}, at(zapcore.ErrorLevel)),
		zapcore.NewCore(encoder, sink{log: log, line: klog.Error, last: true}, zapcore.DPanicLevel),
	)), log.enter
}

// log keeps, writes or drops warnings and errors.
type log struct {
	mu    sync.Mutex
	phase phase
	kept  []func()
}

// enter begins a phase.
func (l *log) enter(p phase) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p == failed {
		l.flush()
	}
	l.phase, l.kept = p, nil
}

// flush writes what was kept.
func (l *log) flush() {
	for _, write := range l.kept {
		write()
	}
	l.kept = nil
	klog.Flush()
}

// sink writes lines of one level: now, later or never.
type sink struct {
	*log
	line func(args ...any)
	last bool // they end the process
}

func (s sink) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := "etcd: " + string(line)
	switch {
	case s.last:
		s.kept = append(s.kept, func() { s.line(text) })
		s.flush()
	case s.phase == starting:
		s.kept = append(s.kept, func() { s.line(text) })
	case s.phase == running:
		s.line(text)
	}
	return len(line), nil
}

func (s sink) Sync() error {
	klog.Flush()
	return nil
}
