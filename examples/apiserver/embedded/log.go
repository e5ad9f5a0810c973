package embedded

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
)

// phase is what etcd is doing, which decides what becomes of its warnings and errors. It complains of how it is set up whenever it
// starts, and of closed connections whenever it stops.
type phase int

const (
	starting phase = iota // they are kept, and logged if it fails
	running               // they are logged
	stopping              // they are dropped
)

// newLogger returns a logger that passes warnings and errors on to klog, and the function that says what etcd is doing.
func newLogger() (logger *zap.Logger, enter func(phase)) {
	log := &log{}
	return zap.New(logCore{LevelEnabler: zapcore.WarnLevel, log: log}), log.enter
}

// log writes to klog.
type log struct {
	mu    sync.Mutex
	phase phase
	kept  []func()
}

// enter begins a phase. An etcd that goes from starting to stopping has failed.
func (l *log) enter(p phase) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase == starting && p == stopping {
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

// write writes now, later or never. What ends the process is written at once.
func (l *log) write(level zapcore.Level, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	write := func() { klog.Error(text) }
	if level == zapcore.WarnLevel {
		write = func() { klog.Warning(text) }
	}
	switch {
	case level > zapcore.ErrorLevel:
		l.flush()
		write()
		klog.Flush()
	case l.phase == starting:
		l.kept = append(l.kept, write)
	case l.phase == running:
		write()
	}
}

// logCore turns what etcd logs into text.
type logCore struct {
	zapcore.LevelEnabler
	log    *log
	fields []zapcore.Field
}

func (c logCore) With(fields []zapcore.Field) zapcore.Core {
	return logCore{c.LevelEnabler, c.log, slices.Concat(c.fields, fields)}
}

func (c logCore) Check(entry zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(entry.Level) {
		return checked.AddCore(entry, c)
	}
	return checked
}

func (c logCore) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	values := zapcore.NewMapObjectEncoder()
	for _, f := range slices.Concat(c.fields, fields) {
		f.AddTo(values)
	}
	var text strings.Builder
	text.WriteString("etcd: " + entry.Message)
	for _, k := range slices.Sorted(maps.Keys(values.Fields)) {
		fmt.Fprintf(&text, " %s=%q", k, fmt.Sprint(values.Fields[k]))
	}
	c.log.write(entry.Level, text.String())
	return nil
}

func (c logCore) Sync() error {
	klog.Flush()
	return nil
}
