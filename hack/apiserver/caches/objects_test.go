package caches

import (
	_ "embed"
	"encoding/json"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

var (
	//go:embed testdata/pod.yaml
	podText []byte
	//go:embed testdata/jobset.yaml
	jobSetText []byte
)

func parse[T any](text []byte) *T {
	obj := new(T)
	must(yaml.UnmarshalStrict(text, obj))
	return obj
}

// JobSet is the Go type of JobSets of sigs.k8s.io/jobset, without what the one in testdata does not have.
type JobSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              JobSetSpec   `json:"spec"`
	Status            JobSetStatus `json:"status"`
}

type JobSetSpec struct {
	ReplicatedJobs []ReplicatedJob `json:"replicatedJobs,omitempty"`
	Network        *struct {
		EnableDNSHostnames       *bool  `json:"enableDNSHostnames,omitempty"`
		Subdomain                string `json:"subdomain,omitempty"`
		PublishNotReadyAddresses *bool  `json:"publishNotReadyAddresses,omitempty"`
	} `json:"network,omitempty"`
	SuccessPolicy *struct {
		Operator             string   `json:"operator"`
		TargetReplicatedJobs []string `json:"targetReplicatedJobs,omitempty"`
	} `json:"successPolicy,omitempty"`
	FailurePolicy *struct {
		MaxRestarts     int32  `json:"maxRestarts,omitempty"`
		RestartStrategy string `json:"restartStrategy,omitempty"`
	} `json:"failurePolicy,omitempty"`
	StartupPolicy *struct {
		StartupPolicyOrder string `json:"startupPolicyOrder"`
	} `json:"startupPolicy,omitempty"`
	Suspend                 *bool  `json:"suspend,omitempty"`
	TTLSecondsAfterFinished *int32 `json:"ttlSecondsAfterFinished,omitempty"`
}

type ReplicatedJob struct {
	Name     string                  `json:"name"`
	Template batchv1.JobTemplateSpec `json:"template"`
	Replicas int32                   `json:"replicas,omitempty"`
}

type JobSetStatus struct {
	Conditions           []metav1.Condition    `json:"conditions,omitempty"`
	Restarts             int32                 `json:"restarts,omitempty"`
	TerminalState        string                `json:"terminalState,omitempty"`
	ReplicatedJobsStatus []ReplicatedJobStatus `json:"replicatedJobsStatus,omitempty"`
}

type ReplicatedJobStatus struct {
	Name      string `json:"name"`
	Ready     int32  `json:"ready"`
	Succeeded int32  `json:"succeeded"`
	Failed    int32  `json:"failed"`
	Active    int32  `json:"active"`
	Suspended int32  `json:"suspended"`
}

func (j *JobSet) DeepCopyObject() runtime.Object {
	data, err := json.Marshal(j)
	must(err)
	return parse[JobSet](data)
}

type JobSetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []JobSet `json:"items"`
}

func (l *JobSetList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*JobSet))
	}
	return &out
}

var jobSets = schema.GroupVersion{Group: "jobset.x-k8s.io", Version: "v1alpha2"}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	must(corev1.AddToScheme(scheme))
	scheme.AddKnownTypes(jobSets, &JobSet{}, &JobSetList{})
	metav1.AddToGroupVersion(scheme, jobSets)
	return scheme
}

// jobSetForStatus keeps of a JobSet what projections/jobset.keep names.
func jobSetForStatus(obj *JobSet) {
	*obj = JobSet{
		TypeMeta: obj.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Name: obj.Name, Namespace: obj.Namespace, UID: obj.UID, ResourceVersion: obj.ResourceVersion, Generation: obj.Generation,
			CreationTimestamp: obj.CreationTimestamp, DeletionTimestamp: obj.DeletionTimestamp, Finalizers: obj.Finalizers,
			OwnerReferences: obj.OwnerReferences, Labels: obj.Labels,
		},
		Spec:   JobSetSpec{ReplicatedJobs: obj.Spec.ReplicatedJobs, Suspend: obj.Spec.Suspend},
		Status: obj.Status,
	}
	for i := range obj.Spec.ReplicatedJobs {
		v := &obj.Spec.ReplicatedJobs[i]
		*v = ReplicatedJob{Name: v.Name, Replicas: v.Replicas}
	}
	for i := range obj.Status.Conditions {
		v := &obj.Status.Conditions[i]
		*v = metav1.Condition{Type: v.Type, Status: v.Status}
	}
}

// tree is what is kept of an object: nil keeps everything. The fields of the elements of a list are below the list.
type tree map[string]tree

// podKept is projections/endpoints.keep. There is no CRD from which a function for unstructured Pods could be generated.
var podKept = tree{"apiVersion": nil, "kind": nil,
	"metadata": {"name": nil, "namespace": nil, "uid": nil, "resourceVersion": nil, "generation": nil, "creationTimestamp": nil, "deletionTimestamp": nil,
		"finalizers": nil, "ownerReferences": nil, "labels": nil},
	"spec":   {"nodeName": nil, "hostNetwork": nil, "serviceAccountName": nil},
	"status": {"phase": nil, "podIP": nil, "hostIP": nil, "startTime": nil, "conditions": {"type": nil, "status": nil}}}

// content drops from unstructured content what is not kept.
func (t tree) content(obj map[string]any) { t.project(obj) }

func (t tree) project(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, below := range v {
			if kept, ok := t[k]; !ok {
				delete(v, k)
			} else if kept != nil {
				kept.project(below)
			}
		}
	case []any:
		for _, e := range v {
			t.project(e)
		}
	}
}
