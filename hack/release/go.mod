module github.com/prune-gen/prune-gen/hack/release

go 1.26.0

require github.com/CycloneDX/cyclonedx-go v0.12.0
