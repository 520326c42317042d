package dgi

import (
	"strings"
	"testing"
)

func TestExchangesShowNoSecretWhateverItsLineBreaks(t *testing.T) {
	for _, body := range []string{
		"<Token>c2VjcmV0</Token>", "<n:Token>\nc2VjcmV0\n</n:Token>", "&lt;Token&gt;c2VjcmV0&lt;/Token&gt;",
		"&lt;Token&gt;&#xA;c2VjcmV0&#10;c2VjcmV0&lt;/Token&gt;",
		"<SignatureValue>AAAA&#13;\nc2VjcmV0</SignatureValue>",
	} {
		if got := string(cut([]byte("<a>1</a>" + body + "<b>2</b>"))); strings.Contains(got, "c2VjcmV0") ||
			!strings.HasPrefix(got, "<a>1</a>") || !strings.HasSuffix(got, "<b>2</b>") {
			t.Errorf("%s is shown as %s", body, got)
		}
	}
}
