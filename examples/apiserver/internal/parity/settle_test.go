package parity

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// learn remembers what the requests after this one may name.
func (c *client) learn(v any) {
	switch v := v.(type) {
	case map[string]any:
		if meta, ok := v["metadata"].(map[string]any); ok {
			name, _ := meta["name"].(string)
			if rv, ok := meta["resourceVersion"].(string); ok && name != "" {
				c.vars["rv:"+name] = rv
			} else if ok {
				c.vars["rv"] = rv
			}
			if uid, ok := meta["uid"].(string); ok && name != "" {
				c.vars["uid:"+name] = uid
			}
			if token, ok := meta["continue"].(string); ok {
				c.vars["continue"] = token
			}
			if prefix, ok := meta["generateName"].(string); ok && prefix != "" {
				c.vars["generated:"+prefix] = name
			}
		}
		if v["kind"] == "Status" {
			details, _ := v["details"].(map[string]any)
			if name, _ := details["name"].(string); generatedName.MatchString(name) {
				c.vars["generated:"+name] = name
			}
			return
		}
		for _, e := range v {
			c.learn(e)
		}
	case []any:
		for _, e := range v {
			c.learn(e)
		}
	}
}

// generatedName is a name that a script's generateName has become.
var generatedName = regexp.MustCompile(`-[a-z0-9]{5}$`)

// settleValue returns a value without what differs from server to server.
func (c *client) settleValue(v any, path []string) any {
	switch v := v.(type) {
	case map[string]any:
		if v["kind"] == "Status" {
			settleStatus(v)
		}
		if resources, ok := v["resources"].([]any); ok && v["kind"] == "APIResourceList" {
			// The API server of CRDs lists them in any order.
			slices.SortFunc(resources, func(a, b any) int { return strings.Compare(text(a), text(b)) })
		}
		if entries, ok := v["managedFields"].([]any); ok {
			// They are sorted by time, in seconds, first.
			slices.SortFunc(entries, func(a, b any) int { return strings.Compare(owner(a), owner(b)) })
		}
		if v["kind"] == "Table" {
			settleTable(v)
		}
		for k, e := range v {
			v[k] = c.settleField(k, e, append(path, k))
		}
	case []any:
		for i, e := range v {
			v[i] = c.settleValue(e, append(path, "[]"))
		}
	case string:
		return c.settleText(v)
	}
	return v
}

// owner returns who owns the fields of an entry of managedFields.
func owner(entry any) string {
	e, _ := entry.(map[string]any)
	return fmt.Sprint(e["manager"], e["operation"], e["apiVersion"], e["subresource"])
}

// settleField settles one field.
func (c *client) settleField(k string, v any, path []string) any {
	s, isString := v.(string)
	inMetadata := len(path) > 1 && path[len(path)-2] == "metadata"
	inManaged := len(path) > 2 && path[len(path)-3] == "managedFields"
	switch {
	case !isString:
		return c.settleValue(v, path)
	case inMetadata && k == "continue" && s != "":
		return "CONTINUE"
	case inMetadata && k == "resourceVersion" && s != "":
		return "RV"
	case inMetadata && (k == "creationTimestamp" || k == "deletionTimestamp"):
		return "TIME"
	case inManaged && k == "time":
		return "TIME"
	}
	return c.settleText(s)
}

// The time of a write, and the resource version after it, where an object is part of a message.
var (
	timeInText     = regexp.MustCompile(`(Timestamp|time)(\\*"?: ?\\*")[0-9TZ:-]+`)
	revisionInText = regexp.MustCompile(`( revision=)[0-9]+`)
	versionInText  = regexp.MustCompile(`(resourceVersion\\*"?: ?\\*")[0-9]+`)
)

// settleText replaces what the server made up itself.
func (c *client) settleText(s string) string {
	s = timeInText.ReplaceAllString(s, "${1}${2}TIME")
	s = revisionInText.ReplaceAllString(s, "${1}RV")
	s = versionInText.ReplaceAllString(s, "${1}RV")
	if head, list, ok := strings.Cut(s, "errors:\n"); ok {
		// The merge library lists them in any order.
		errs := strings.Split(list, "\n")
		slices.Sort(errs)
		s = head + "errors:\n" + strings.Join(errs, "\n")
	}
	for name, value := range c.vars {
		if value == "" {
			continue
		}
		switch kind, _, _ := strings.Cut(name, ":"); kind {
		case "uid":
			s = strings.ReplaceAll(s, value, "UID")
		case "generated":
			s = strings.ReplaceAll(s, value, "GENERATED")
		}
	}
	return s
}

// settleStatus puts the causes of a refusal in order: the API server of CRDs finds them in any.
func settleStatus(v map[string]any) {
	details, _ := v["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	if len(causes) < 2 {
		return
	}
	var texts []string
	for _, c := range causes {
		cause, _ := c.(map[string]any)
		field, _ := cause["field"].(string)
		message, _ := cause["message"].(string)
		texts = append(texts, field+": "+message)
	}
	message, _ := v["message"].(string)
	for _, text := range texts {
		message = strings.Replace(message, text, "…", 1)
	}
	v["message"] = message
	slices.SortFunc(causes, func(a, b any) int { return strings.Compare(text(a), text(b)) })
}

// settleTable takes ages out of the cells.
func settleTable(v map[string]any) {
	columns, _ := v["columnDefinitions"].([]any)
	rows, _ := v["rows"].([]any)
	for i, column := range columns {
		if c, _ := column.(map[string]any); c["type"] != "date" {
			continue
		}
		for _, r := range rows {
			if row, _ := r.(map[string]any); row != nil {
				if cells, _ := row["cells"].([]any); i < len(cells) {
					cells[i] = "AGE"
				}
			}
		}
	}
}
