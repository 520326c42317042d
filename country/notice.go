package country

// NoticeThreshold is how many numbers left make the first notice of a kind of document
// (specification, ENU schedule by remaining quantity).
func NoticeThreshold(kind DocumentType) int64 {
	switch kind.Class {
	case Receipt:
		return 50
	case Invoice, Export:
		return 20
	}
	return 10
}
