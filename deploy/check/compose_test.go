package deploycheck

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// load reads docker-compose.yml as Docker does: by the schema of the compose specification and its further rules.
func load(t *testing.T) *types.Project {
	t.Helper()
	text, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{WorkingDir: "../..",
		ConfigFiles: []types.ConfigFile{{Filename: "docker-compose.yml", Content: text}}, Environment: types.Mapping{}},
		func(o *loader.Options) { o.SetProjectName("folio", true) })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTheComposeFileIsOne(t *testing.T) {
	p := load(t)
	folio, err := p.GetService("folio")
	if err != nil {
		t.Fatal(err)
	}
	drain, err := time.ParseDuration(*folio.Environment["FOLIO_DRAIN"])
	if err != nil {
		t.Fatal(err)
	}
	// Requests under way have ten seconds after the drain, the stores five.
	if grace := folio.StopGracePeriod; grace == nil || time.Duration(*grace) < drain+15*time.Second {
		t.Errorf("a stop has %v, and the drain takes %s", grace, drain)
	}
	if folio.HealthCheck == nil || strings.Join(folio.HealthCheck.Test, " ") != "CMD /folio health" {
		t.Errorf("the health check is %+v", folio.HealthCheck)
	}
	for _, s := range p.Services {
		if s.Name == "secrets" || s.Name == "eventstore-user" {
			continue // they end
		}
		if s.Restart != "unless-stopped" {
			t.Errorf("%s is not started again: %q", s.Name, s.Restart)
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s is open to %q at port %s", s.Name, port.HostIP, port.Published)
			}
		}
	}
}
