//go:build long

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Every block of the tutorial is run, in its order, in a copy of the repository.
func TestTheTutorialOfProjectionsIsRunToTheLetter(t *testing.T) {
	isRunToTheLetter(t, "adding-a-projection.md", 12, `"documents":`, `"sum_total":`,
		"id,environment,month,customer,total,document", "version 2 of this program replayed", "not begun",
		"before sales_by_customer_v1", "dropped sales_by_customer_v1", " 0 differ: live sales_by_customer_v2,",
		"dropped sales_by_customer_v2_g2")
}

// The page for analysts likewise. It needs npm, curl and jq, which .ci/test-long installs.
func TestThePageForAnalystsIsRunToTheLetter(t *testing.T) {
	out := isRunToTheLetter(t, "analysing.md", 12, "5 invoices and 11 lines", "chart.svg is written", "'120000.00'",
		"'102000.00' │ '19380.00'", `"authorization"`)
	if n := strings.Count(out, "AuthorityAccepted invoice-"); n != 5 {
		t.Errorf("the official client heard of %d acceptances of 5 in\n%s", n, out)
	}
	if !strings.Contains(out, "\n0\n") {
		t.Errorf("the feed had an event twice, or the shell did not say in\n%s", out)
	}
}

// isRunToTheLetter runs the blocks of a page and looks for texts in what they print.
func isRunToTheLetter(t *testing.T, page string, atLeast int, wants ...string) string {
	t.Helper()
	raw, err := os.ReadFile("../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	script, blocks := tutorialScript(string(raw))
	if blocks < atLeast {
		t.Fatalf("%d blocks were found", blocks)
	}
	dir := copyOfTheRepository(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "bash", "-c", script)
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range wants {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	return string(out)
}

// copyOfTheRepository has what is committed or would be.
func copyOfTheRepository(t *testing.T) string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join("..", name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed so far
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), raw, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
