package lint

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// conversion checks how objects of one version become objects of another.
func (c *definitionRules) conversion(crd *structural.CRD, at *structural.Path) {
	n := crd.Conversion
	if n == nil {
		return
	}
	if n.Strategy != "None" && crd.PreserveUnknownFields {
		c.Add(&structural.Error{ID: idConversion, Type: prunert.ErrorTypeInvalid, Path: at.Child("strategy"), BadValue: &n.Strategy,
			Detail: "must be None if spec.preserveUnknownFields is true",
			Hint:   "write preserveUnknownFields: false; webhooks that convert require structural schemas"})
	}
	switch n.Strategy {
	case "":
		c.Required(idConversion, at.Child("strategy"), "")
	case "None", "Webhook":
	default:
		c.NotSupported(idConversion, at.Child("strategy"), n.Strategy, "None", "Webhook")
	}
	// In v1 these two stand below webhook.
	configAt, versionsAt := at.Child("webhookClientConfig"), at.Child("conversionReviewVersions")
	if crd.APIVersion == structural.APIVersionV1 {
		configAt, versionsAt = at.Child("webhook", "clientConfig"), at.Child("webhook", "conversionReviewVersions")
	}
	if n.Strategy != "Webhook" {
		const unwanted = "should not be set when strategy is not set to Webhook"
		if n.Webhook != nil {
			c.Forbidden(idConversion, configAt, unwanted)
		}
		if len(n.ReviewVersions) > 0 {
			c.Forbidden(idConversion, versionsAt, unwanted)
		}
		return
	}
	c.webhook(n.Webhook, configAt)
	if crd.APIVersion == structural.APIVersionV1 || len(n.ReviewVersions) > 0 { // v1beta1 has a default
		c.reviewVersions(n.ReviewVersions, versionsAt)
	}
}

func (c *definitionRules) webhook(w *structural.Webhook, at *structural.Path) {
	if w == nil {
		c.Required(idConversion, at, "required when strategy is set to Webhook")
		return
	}
	switch {
	case (w.URL == nil) == (w.Service == nil):
		c.Required(idConversion, at, "exactly one of url or service is required")
	case w.URL != nil:
		c.webhookURL(*w.URL, at.Child("url"))
	default:
		c.webhookService(w.Service, at.Child("service"))
	}
	if _, err := base64.StdEncoding.DecodeString(w.CABundle); err != nil {
		c.Add(&structural.Error{ID: idConversion, Type: prunert.ErrorTypeInvalid, Path: at.Child("caBundle"), BadValue: structural.Omitted{}, Detail: err.Error(),
			Hint: "write certificates in base64, or leave caBundle out if something else fills it in"})
	}
}

func (c *definitionRules) webhookURL(address string, at *structural.Path) {
	const form = "; desired format: https://host[/path]"
	u, err := url.Parse(address)
	if err != nil {
		c.Required(idConversion, at, "url must be a valid URL: "+err.Error()+form)
		return
	}
	if u.Scheme != "https" {
		c.Invalid(idConversion, at, u.Scheme, "'https' is the only allowed URL scheme"+form)
	}
	if u.Host == "" {
		c.Invalid(idConversion, at, u.Host, "host must be specified"+form)
	}
	if u.User != nil {
		c.Invalid(idConversion, at, u.User.String(), "user information is not permitted in the URL")
	}
	if u.Fragment != "" {
		c.Invalid(idConversion, at, u.Fragment, "fragments are not permitted in the URL")
	}
	if u.RawQuery != "" {
		c.Invalid(idConversion, at, u.RawQuery, "query parameters are not permitted in the URL")
	}
}

func (c *definitionRules) webhookService(s *structural.WebhookService, at *structural.Path) {
	// Kubernetes takes one for the other here.
	for _, name := range []struct{ value, missing, said string }{{s.Namespace, "namespace", "name"}, {s.Name, "name", "namespace"}} {
		if name.value == "" {
			c.Add(&structural.Error{ID: idConversion, Type: prunert.ErrorTypeRequired, Path: at.Child(name.said),
				Hint: "the " + name.missing + " is missing: Kubernetes names the other field"})
		}
	}
	if p := s.Port; p != nil && (*p < 1 || *p > 65535) {
		c.Invalid(idConversion, at.Child("port"), *p, "port is not valid: must be between 1 and 65535, inclusive")
	}
	path := s.Path
	at = at.Child("path")
	switch path {
	case "", "/":
		return
	case "//":
		c.Invalid(idConversion, at, path, "segment[0] may not be empty")
		return
	}
	if path[0] != '/' {
		c.Invalid(idConversion, at, path, "must start with a '/'")
	}
	for i, segment := range strings.Split(strings.TrimSuffix(path[1:], "/"), "/") {
		if c.Full {
			return // each text has the whole path in it
		}
		if segment == "" {
			c.Invalid(idConversion, at, path, fmt.Sprintf("segment[%d] may not be empty", i))
			continue
		}
		for _, wrong := range kubenames.Subdomain(segment) {
			c.Invalid(idConversion, at, path, fmt.Sprintf("segment[%d]: %s", i, wrong))
		}
	}
}

func (c *definitionRules) reviewVersions(versions []string, at *structural.Path) {
	if len(versions) == 0 {
		c.Required(idConversion, at, "")
		return
	}
	seen := map[string]bool{}
	for i, v := range versions {
		if seen[v] {
			c.Invalid(idConversion, at.Index(i), v, "duplicate version")
			continue
		}
		seen[v] = true
		for _, wrong := range kubenames.Label(v) {
			c.Invalid(idConversion, at.Index(i), v, wrong)
		}
	}
	if !seen["v1"] && !seen["v1beta1"] {
		c.Invalid(idConversion, at, versions, "must include at least one of v1, v1beta1")
	}
}
