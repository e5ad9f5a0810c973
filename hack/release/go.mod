module github.com/prune-gen/prune-gen/hack/release

go 1.26.0

require (
	github.com/CycloneDX/cyclonedx-go v0.12.0
	sigs.k8s.io/yaml v1.6.0
)

require (
	github.com/prune-gen/prune-gen v0.1.0
	go.yaml.in/yaml/v2 v2.4.2 // indirect
)

replace github.com/prune-gen/prune-gen => ../..
