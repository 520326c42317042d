package mongodb

import (
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/mongo"

	"folio/fault"
)

// refusals are the server's codes that asking again does not change: the command is wrong
// for it, or the document is. Everything else that goes wrong is taken to pass.
var refusals = []int{
	2,     // BadValue
	4,     // NoSuchKey
	9,     // FailedToParse
	14,    // TypeMismatch
	26,    // NamespaceNotFound
	40,    // ConflictingUpdateOperators
	48,    // NamespaceExists
	59,    // CommandNotFound
	66,    // ImmutableField
	67,    // CannotCreateIndex
	72,    // InvalidOptions
	73,    // InvalidNamespace
	85,    // IndexOptionsConflict
	86,    // IndexKeySpecsConflict
	115,   // CommandNotSupported
	121,   // DocumentValidationFailure
	238,   // NotImplemented (FerretDB)
	10334, // BSONObjectTooLarge
	17419, // a document would grow too large
	17420, // a document is too large
}

// Explain makes fault.StoreUnavailable of a failure of the driver, unless it is an answer
// (mongo.ErrNoDocuments, a duplicate key) or a refusal that would come again. Its
// text names no server.
func Explain(err error) error {
	switch {
	case err == nil, errors.Is(err, mongo.ErrNoDocuments), errors.Is(err, fault.StoreUnavailable), refused(err):
		return err
	case mongo.IsDuplicateKeyError(err) && !unsure(err):
		return err
	}
	return fmt.Errorf("%w: %w", fault.StoreUnavailable, fault.Unaddressed(err))
}

// refused says that the server understood and said no.
func refused(err error) bool {
	var e mongo.ServerError
	return errors.As(err, &e) && slices.ContainsFunc(refusals, e.HasErrorCode)
}

// unsure says that some of a write was done without the majority's word for it.
func unsure(err error) bool {
	var bulk mongo.BulkWriteException
	var one mongo.WriteException
	return errors.As(err, &bulk) && bulk.WriteConcernError != nil || errors.As(err, &one) && one.WriteConcernError != nil
}
