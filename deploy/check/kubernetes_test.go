package deploycheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// overlays are what an operator applies.
var overlays = []string{"node", "servers"}

// render makes the objects of an overlay, as kubectl apply -k does.
func render(t *testing.T, overlay string) (objects []*yaml.RNode, text []byte) {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(),
		filepath.Join("..", "kubernetes", overlay))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range made.Resources() {
		objects = append(objects, &r.RNode)
	}
	if text, err = made.AsYaml(); err != nil {
		t.Fatal(err)
	}
	return objects, text
}

// The schemas are those of Kubernetes 1.3x and of the Gateway API, in the npm packages kubernetes-models and
// @kubernetes-models/gateway-api.
func TestTheObjectsAreValid(t *testing.T) {
	dir := t.TempDir()
	script, err := os.ReadFile("validate.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "validate.mjs"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "kubernetes-models@5.1.0",
		"@kubernetes-models/gateway-api@2.0.0", "yaml@2.8.1")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	for _, overlay := range overlays {
		_, text := render(t, overlay)
		for name, c := range map[string]struct {
			text  string
			valid bool
		}{
			"as it is": {string(text), true},
			"with a port that is no number": {strings.Replace(string(text), "containerPort: 8080", "containerPort: http", 1),
				false},
		} {
			file := filepath.Join(dir, "objects.yaml")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.Command("node", "validate.mjs", file)
			run.Dir = dir
			if out, err := run.CombinedOutput(); (err == nil) != c.valid {
				t.Errorf("%s, %s: %v\n%s", overlay, name, err, out)
			}
		}
	}
}

// What every pod has, whichever it is.
func TestPodsAreConfined(t *testing.T) {
	for _, overlay := range overlays {
		objects, _ := render(t, overlay)
		pods := 0
		for _, o := range objects {
			spec, err := o.Pipe(yaml.Lookup("spec", "template", "spec"))
			if err != nil || spec == nil {
				continue
			}
			pods++
			c, err := spec.Pipe(yaml.Lookup("containers", "0"))
			if err != nil || c == nil {
				t.Fatalf("%s has no container", o.GetName())
			}
			for path, want := range map[string]string{"readinessProbe.httpGet.path": "/readyz",
				"livenessProbe.httpGet.path": "/healthz", "startupProbe.httpGet.path": "/healthz",
				"securityContext.readOnlyRootFilesystem": "true", "securityContext.allowPrivilegeEscalation": "false"} {
				holds(t, o.GetName(), c, path, want)
			}
			for path, want := range map[string]string{"securityContext.runAsNonRoot": "true",
				"automountServiceAccountToken": "false", "terminationGracePeriodSeconds": "40",
				"enableServiceLinks": "false"} {
				holds(t, o.GetName(), spec, path, want)
			}
		}
		if want := map[string]int{"node": 1, "servers": 3}[overlay]; pods != want {
			t.Errorf("%s has %d workloads, want %d", overlay, pods, want)
		}
	}
}

func holds(t *testing.T, name string, in *yaml.RNode, path, want string) {
	t.Helper()
	got, err := in.Pipe(yaml.Lookup(strings.Split(path, ".")...))
	if err != nil || got == nil || got.YNode().Value != want {
		t.Errorf("%s: %s is not %s (%v)", name, path, want, err)
	}
}
