package lint

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// conversion checks how objects of one version become objects of another.
func (c *definitionRules) conversion(crd *structural.CRD, n *yamltext.Node, at *structural.Path) {
	if n.IsNull() {
		return
	}
	strategy := n.Child("strategy").Str()
	if strategy != "None" && crd.PreserveUnknownFields {
		c.Add(&structural.Error{Rule: ruleConversion, Type: prunert.ErrorTypeInvalid, Path: at.Child("strategy"), BadValue: &strategy,
			Detail: "must be None if spec.preserveUnknownFields is true",
			Hint:   "write preserveUnknownFields: false; webhooks that convert require structural schemas"})
	}
	switch strategy {
	case "":
		c.Required(ruleConversion, at.Child("strategy"), "")
	case "None", "Webhook":
	default:
		c.NotSupported(ruleConversion, at.Child("strategy"), strategy, "None", "Webhook")
	}
	// In v1 these two stand below webhook.
	config, versions := n.Child("webhookClientConfig"), n.Child("conversionReviewVersions")
	configAt, versionsAt := at.Child("webhookClientConfig"), at.Child("conversionReviewVersions")
	if crd.APIVersion == structural.APIVersionV1 {
		config, versions = n.Child("webhook").Child("clientConfig"), n.Child("webhook").Child("conversionReviewVersions")
		configAt, versionsAt = at.Child("webhook", "clientConfig"), at.Child("webhook", "conversionReviewVersions")
	}
	if strategy != "Webhook" {
		const unwanted = "should not be set when strategy is not set to Webhook"
		if !config.IsNull() {
			c.Forbidden(ruleConversion, configAt, unwanted)
		}
		if len(versions.Elements()) > 0 {
			c.Forbidden(ruleConversion, versionsAt, unwanted)
		}
		return
	}
	c.webhook(config, configAt)
	if crd.APIVersion == structural.APIVersionV1 || len(versions.Elements()) > 0 { // v1beta1 has a default
		c.reviewVersions(versions.Strings(), versionsAt)
	}
}

func (c *definitionRules) webhook(config *yamltext.Node, at *structural.Path) {
	if config.IsNull() {
		c.Required(ruleConversion, at, "required when strategy is set to Webhook")
		return
	}
	address, service := stringAt(config.Child("url")), config.Child("service")
	switch {
	case (address == nil) == service.IsNull():
		c.Required(ruleConversion, at, "exactly one of url or service is required")
	case address != nil:
		c.webhookURL(*address, at.Child("url"))
	default:
		c.webhookService(service, at.Child("service"))
	}
	if bundle := config.Child("caBundle").Str(); bundle != "" {
		if _, err := base64.StdEncoding.DecodeString(bundle); err != nil {
			c.Add(&structural.Error{Rule: ruleConversion, Type: prunert.ErrorTypeInvalid, Path: at.Child("caBundle"), BadValue: structural.Omitted{}, Detail: err.Error(),
				Hint: "write certificates in base64, or leave caBundle out if something else fills it in"})
		}
	}
}

func (c *definitionRules) webhookURL(address string, at *structural.Path) {
	const form = "; desired format: https://host[/path]"
	u, err := url.Parse(address)
	if err != nil {
		c.Required(ruleConversion, at, "url must be a valid URL: "+err.Error()+form)
		return
	}
	if u.Scheme != "https" {
		c.Invalid(ruleConversion, at, u.Scheme, "'https' is the only allowed URL scheme"+form)
	}
	if u.Host == "" {
		c.Invalid(ruleConversion, at, u.Host, "host must be specified"+form)
	}
	if u.User != nil {
		c.Invalid(ruleConversion, at, u.User.String(), "user information is not permitted in the URL")
	}
	if u.Fragment != "" {
		c.Invalid(ruleConversion, at, u.Fragment, "fragments are not permitted in the URL")
	}
	if u.RawQuery != "" {
		c.Invalid(ruleConversion, at, u.RawQuery, "query parameters are not permitted in the URL")
	}
}

func (c *definitionRules) webhookService(service *yamltext.Node, at *structural.Path) {
	// Kubernetes takes one for the other here.
	for _, names := range [][2]string{{"namespace", "name"}, {"name", "namespace"}} {
		if missing, said := names[0], names[1]; service.Child(missing).Str() == "" {
			c.Add(&structural.Error{Rule: ruleConversion, Type: prunert.ErrorTypeRequired, Path: at.Child(said),
				Hint: "the " + missing + " is missing: Kubernetes names the other field"})
		}
	}
	if p := service.Child("port"); !p.IsNull() {
		if port, ok := p.Value().(int64); ok && (port < 1 || port > 65535) {
			c.Invalid(ruleConversion, at.Child("port"), port, "port is not valid: must be between 1 and 65535, inclusive")
		}
	}
	path := service.Child("path").Str()
	at = at.Child("path")
	switch path {
	case "", "/":
		return
	case "//":
		c.Invalid(ruleConversion, at, path, "segment[0] may not be empty")
		return
	}
	if path[0] != '/' {
		c.Invalid(ruleConversion, at, path, "must start with a '/'")
	}
	for i, segment := range strings.Split(strings.TrimSuffix(path[1:], "/"), "/") {
		if c.Full {
			return // each text has the whole path in it
		}
		if segment == "" {
			c.Invalid(ruleConversion, at, path, fmt.Sprintf("segment[%d] may not be empty", i))
			continue
		}
		for _, wrong := range kubenames.Subdomain(segment) {
			c.Invalid(ruleConversion, at, path, fmt.Sprintf("segment[%d]: %s", i, wrong))
		}
	}
}

func (c *definitionRules) reviewVersions(versions []string, at *structural.Path) {
	if len(versions) == 0 {
		c.Required(ruleConversion, at, "")
		return
	}
	seen := map[string]bool{}
	for i, v := range versions {
		if seen[v] {
			c.Invalid(ruleConversion, at.Index(i), v, "duplicate version")
			continue
		}
		seen[v] = true
		for _, wrong := range kubenames.Label(v) {
			c.Invalid(ruleConversion, at.Index(i), v, wrong)
		}
	}
	if !seen["v1"] && !seen["v1beta1"] {
		c.Invalid(ruleConversion, at, versions, "must include at least one of v1, v1beta1")
	}
}
