package version

import (
	"runtime/debug"
	"testing"
)

func TestTheVersionIsThatOfTheBuild(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs", Value: "git"},
		{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}}
	for _, c := range []struct {
		given, archived string
		info            debug.BuildInfo
		want            string
	}{
		{"v2.0.0", "v1.0.0 0123456", debug.BuildInfo{Main: debug.Module{Version: "v1.0.0"}}, "v2.0.0"},
		{"", "", debug.BuildInfo{Main: debug.Module{Version: "v1.0.0+dirty"}, Settings: commit}, "v1.0.0+dirty"},
		{"", archived, debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: commit}, "devel-0123456789ab"},
		{"", archived, debug.BuildInfo{}, "devel"}, // of a clone
		{"", "v2.0.0-4-g0123456 0123456\n", debug.BuildInfo{}, "v2.0.0-4-g0123456"},
		{"", " 0123456\n", debug.BuildInfo{}, "devel-0123456"}, // before the first tag
		{"", "", debug.BuildInfo{}, "devel"},
	} {
		if got := of(c.given, c.archived, &c.info); got != c.want {
			t.Errorf("%q, %q, %+v: %s, want %s", c.given, c.archived, c.info, got, c.want)
		}
	}
}
