package version

import (
	"runtime/debug"
	"testing"
)

func TestTheVersionIsThatOfTheBuild(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs", Value: "git"},
		{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}}
	for _, c := range []struct {
		given string
		info  debug.BuildInfo
		want  string
	}{
		{"v2.0.0", debug.BuildInfo{Main: debug.Module{Version: "v1.0.0"}}, "v2.0.0"},
		{"", debug.BuildInfo{Main: debug.Module{Version: "v1.0.0+dirty"}, Settings: commit}, "v1.0.0+dirty"},
		{"", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: commit}, "devel-0123456789ab"},
		{"", debug.BuildInfo{}, "devel"},
	} {
		if got := of(c.given, &c.info); got != c.want {
			t.Errorf("%q, %+v: %s, want %s", c.given, c.info, got, c.want)
		}
	}
}
