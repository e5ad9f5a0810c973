package embedded

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
)

// newLogger returns a logger that passes warnings and errors on to klog.
func newLogger() *zap.Logger {
	return zap.New(logCore{LevelEnabler: zapcore.WarnLevel})
}

// logCore writes what etcd logs to klog.
type logCore struct {
	zapcore.LevelEnabler
	fields []zapcore.Field
}

func (c logCore) With(fields []zapcore.Field) zapcore.Core {
	return logCore{c.LevelEnabler, slices.Concat(c.fields, fields)}
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
	if entry.Level == zapcore.WarnLevel {
		klog.Warning(text.String())
		return nil
	}
	klog.Error(text.String())
	if entry.Level > zapcore.ErrorLevel {
		klog.Flush() // the process may end here
	}
	return nil
}

func (c logCore) Sync() error {
	klog.Flush()
	return nil
}
