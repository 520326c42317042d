package projections

// EncodeForTest is the stored form of a document.
func EncodeForTest(v any) string {
	b, err := encode(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
