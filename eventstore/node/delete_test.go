package node

import (
	"slices"
	"strings"
	"testing"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"google.golang.org/grpc/codes"
)

func TestDeleteConditions(t *testing.T) {
	c := open(t)
	del := func(stream string, e esdb.ExpectedRevision) error {
		_, err := c.DeleteStream(t.Context(), stream, esdb.DeleteStreamOptions{ExpectedRevision: e})
		return err
	}
	tomb := func(stream string, e esdb.ExpectedRevision) error {
		_, err := c.TombstoneStream(t.Context(), stream, esdb.TombstoneStreamOptions{ExpectedRevision: e})
		return err
	}
	for _, s := range []string{"a", "b", "c", "d", "e"} {
		write(t, c, s, esdb.NoStream{}, events("E", s, 0, 2)...)
	}
	for _, tc := range []struct {
		name string
		err  error
		code codes.Code
	}{
		{"deleting at the exact revision", del("a", esdb.Revision(1)), codes.OK},
		{"deleting twice at any", del("a", esdb.Any{}), codes.OK},
		{"deleting a deleted stream that must exist", del("a", esdb.StreamExists{}), codes.FailedPrecondition},
		{"deleting at another revision", del("b", esdb.Revision(0)), codes.FailedPrecondition},
		{"deleting at no stream what is there", del("b", esdb.NoStream{}), codes.FailedPrecondition},
		{"deleting what never was", del("never", esdb.Any{}), codes.FailedPrecondition},
		{"deleting a stream's metadata stream", del("$$a", esdb.Any{}), codes.InvalidArgument},
		{"tombstoning at the exact revision", tomb("c", esdb.Revision(1)), codes.OK},
		{"tombstoning at another revision", tomb("d", esdb.Revision(0)), codes.FailedPrecondition},
		{"tombstoning a stream that must exist and does", tomb("d", esdb.StreamExists{}), codes.OK},
		{"tombstoning what never was", tomb("never-2", esdb.NoStream{}), codes.OK},
		{"tombstoning twice", tomb("c", esdb.Any{}), codes.FailedPrecondition},
		{"deleting a tombstoned stream", del("c", esdb.Any{}), codes.FailedPrecondition},
	} {
		if got := grpcCode(tc.err); got != tc.code {
			t.Errorf("%s: got %v (%s), want %s", tc.name, tc.err, got, tc.code)
		}
	}
	if err := del("never", esdb.Any{}); !strings.Contains(err.Error(), "Delete failed due to WrongExpectedVersion") ||
		!strings.Contains(err.Error(), "Actual version: -1") {
		t.Errorf("other clients read this text: %v", err)
	}
	if _, err := drainRead(c.ReadStream(t.Context(), "c", esdb.ReadStreamOptions{}, 1)); code(
		err) != esdb.ErrorCodeStreamDeleted {
		t.Errorf("reading a tombstoned stream: %v", err)
	}
}

func TestSoftDeletedStreamGoesOn(t *testing.T) {
	c := open(t)
	write(t, c, "s", esdb.NoStream{}, events("E", "s", 0, 3)...)
	if _, err := c.DeleteStream(t.Context(), "s",
		esdb.DeleteStreamOptions{ExpectedRevision: esdb.Revision(2)}); err != nil {
		t.Fatal(err)
	}
	if _, err := drainRead(c.ReadStream(t.Context(), "s", esdb.ReadStreamOptions{}, 10)); code(
		err) != esdb.ErrorCodeResourceNotFound {
		t.Errorf("reading a deleted stream: %v", err)
	}
	if r := write(t, c, "s", esdb.Revision(2), event("E", "again")); r.NextExpectedVersion != 3 {
		t.Errorf("the next revision is %d, want 3", r.NextExpectedVersion)
	}
	got, err := drainRead(c.ReadStream(t.Context(), "s", esdb.ReadStreamOptions{}, 10))
	if err != nil || !slices.Equal(revisions(got), []uint64{3}) {
		t.Errorf("got %v (%v), want revision 3 alone", revisions(got), err)
	}
	m, err := c.GetStreamMetadata(t.Context(), "s", esdb.ReadStreamOptions{})
	if err != nil || m.TruncateBefore() == nil || *m.TruncateBefore() != 3 {
		t.Errorf("metadata after the return: %+v, %v", m, err)
	}
}

func TestMetadataUndeletesAStream(t *testing.T) {
	c := open(t)
	write(t, c, "s", esdb.NoStream{}, events("E", "s", 0, 3)...)
	if _, err := c.DeleteStream(t.Context(), "s", esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		t.Fatal(err)
	}
	m := esdb.StreamMetadata{}
	m.SetMaxCount(100)
	if _, err := c.SetStreamMetadata(t.Context(), "s", esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}},
		m); err != nil {
		t.Fatal(err)
	}
	got, err := drainRead(c.ReadStream(t.Context(), "s", esdb.ReadStreamOptions{}, 10))
	if err != nil || len(got) != 0 {
		t.Errorf("got %d events (%v), want an empty stream and no error", len(got), err)
	}
	back, err := c.GetStreamMetadata(t.Context(), "s", esdb.ReadStreamOptions{})
	if err != nil || *back.MaxCount() != 100 || *back.TruncateBefore() != 3 {
		t.Errorf("metadata: %+v, %v", back, err)
	}
}
