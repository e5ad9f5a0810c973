package apiserver

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// scheme knows the types that are not objects of a resource: options, tables, statuses.
var (
	scheme = newScheme()
	codecs = serializer.NewCodecFactory(scheme, serializer.WithStreamingCollectionEncodingToJSON(), serializer.WithStreamingCollectionEncodingToProtobuf())
	// Objects have no form in protobuf, the last of the types.
	standardSerializers = codecs.SupportedMediaTypes()[:2]
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	v1 := schema.GroupVersion{Version: "v1"}
	metav1.AddToGroupVersion(s, v1)
	s.AddUnversionedTypes(v1, &metav1.Status{}, &metav1.WatchEvent{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	return s
}

// negotiator chooses how bodies are read and answers are written. Request bodies meet generated code here.
type negotiator struct {
	serializer.CodecFactory
	codec     *custom.Codec
	converter runtime.ObjectConvertor
}

func (n negotiator) EncoderForVersion(encoder runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return versioning.NewCodec(encoder, nil, n.converter, scheme, scheme, scheme, gv, nil, "linked resources")
}

// DecoderToVersion returns a decoder for request bodies. The library asks for the strict serializer when it wants to hear of
// unknown fields.
func (n negotiator) DecoderToVersion(decoder runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	s, ok := decoder.(*json.Serializer)
	normalizing := n.codec.Decoder(decoder, prunert.FromRequest, ok && s.IsStrict())
	return versioning.NewCodec(nil, normalizing, runtime.UnsafeObjectConvertor(scheme), scheme, scheme, nil, nil, gv, "linked resources")
}
