package deploycheck

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// object is what the tests of network policies look at.
type object struct {
	Spec struct {
		Template struct {
			Metadata struct{ Labels map[string]string }
		}
		PodSelector selector
		Egress      []struct {
			To    []struct{ PodSelector selector }
			Ports []struct{ Port any }
		}
	}
}

type selector struct{ MatchLabels map[string]string }

// selects says whether a selector finds pods with labels.
func (s selector) selects(labels map[string]string) bool {
	for name, value := range s.MatchLabels {
		if labels[name] != value {
			return false
		}
	}
	return true
}

func decoded(t *testing.T, o *yaml.RNode) (out object) {
	t.Helper()
	text, err := o.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A policy whose selector finds no pod protects nothing, and says nothing of it. The pods of the name server are not
// ours, and have none of our labels.
func TestThePoliciesAreOfThePods(t *testing.T) {
	for _, overlay := range overlays {
		objects, _ := render(t, overlay)
		var policies, pods []object
		for _, o := range objects {
			switch d := decoded(t, o); {
			case o.GetKind() == "NetworkPolicy":
				policies = append(policies, d)
			case len(d.Spec.Template.Metadata.Labels) > 0:
				pods = append(pods, d)
			}
		}
		if len(policies) == 0 || len(pods) == 0 {
			t.Fatalf("%s: %d policies, %d workloads", overlay, len(policies), len(pods))
		}
		for _, p := range policies {
			for _, pod := range pods {
				if labels := pod.Spec.Template.Metadata.Labels; !p.Spec.PodSelector.selects(labels) {
					t.Errorf("%s: a policy for %v does not find the pods with %v", overlay, p.Spec.PodSelector, labels)
				}
			}
			for _, rule := range p.Spec.Egress {
				for _, to := range rule.To {
					if _, ours := to.PodSelector.MatchLabels["app.kubernetes.io/name"]; ours {
						t.Errorf("%s: a rule is for pods of somebody else, and asks for our name: %v", overlay, to.PodSelector)
					}
				}
			}
		}
	}
}

// Each authority is reached at the ports of its addresses.
func TestThePoliciesLetTheAuthoritiesBeCalled(t *testing.T) {
	wanted := map[string]bool{"443": true}
	files, err := filepath.Glob("../../authority/*/endpoints.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`https://[a-z0-9.-]+:(\d+)/`).FindAllSubmatch(text, -1) {
			wanted[string(m[1])] = true
		}
	}
	if len(wanted) < 4 {
		t.Fatalf("only these ports were found: %v", wanted)
	}
	for _, overlay := range overlays {
		objects, _ := render(t, overlay)
		left := maps.Clone(wanted)
		for _, o := range objects {
			for _, rule := range decoded(t, o).Spec.Egress {
				for _, p := range rule.Ports {
					port, _ := json.Marshal(p.Port)
					delete(left, string(port))
				}
			}
		}
		if len(left) > 0 {
			t.Errorf("%s: the policy lets nobody call port %v", overlay, left)
		}
	}
}
