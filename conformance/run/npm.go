package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// npm installs the Node clients and runs our steps with one of them, against a plain node and one with TLS.
func (r *run) npm(ctx context.Context, script string) ([]row, error) {
	dir := filepath.Join(r.work, "node")
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		if err := r.npmInstall(ctx, dir); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	var rows []row
	for _, tls := range []bool{false, true} {
		r, err := r.npmSteps(ctx, dir, script, tls)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (r *run) npmInstall(ctx context.Context, dir string) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("the Node clients need node and npm: %w", err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(r.here, "node"))); err != nil {
		return err
	}
	answers, err := os.ReadFile(filepath.Join(r.here, "answers.json"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "answers.json"), answers, 0o600)
	}
	if err != nil {
		return fmt.Errorf("copy the table of answers: %w", err)
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

func (r *run) npmSteps(ctx context.Context, dir, script string, tls bool) (row, error) {
	at, err := r.nodes.start(ctx, "127.0.0.1:0", tls, false)
	if err != nil {
		return row{}, err
	}
	defer func() { _ = r.nodes.stop(at) }()
	result := row{suite: "npm " + script[:len(script)-len(".js")], test: "plain"}
	address := fmt.Sprintf("esdb://%s?tls=false", at)
	if tls {
		result.test = "TLS, logged in"
		address = fmt.Sprintf("esdb://admin:changeit@%s?tls=true&tlsCaFile=%s", at,
			filepath.Join(r.material.dir, "ca", "ca.crt"))
	}
	cmd := exec.CommandContext(ctx, "node", script, address)
	cmd.Dir = dir
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	ended := cmd.Run()
	lines := bufio.NewScanner(&out)
	for lines.Scan() {
		var step struct {
			Name, Error string
			OK          bool
		}
		if json.Unmarshal(lines.Bytes(), &step) != nil {
			continue
		}
		if step.OK {
			result.passed++
			continue
		}
		result.failed++
		result.notes = append(result.notes, "FAILED "+step.Name)
		fmt.Printf("--- %s %s: %s\n%s\n", result.suite, result.test, step.Name, step.Error)
	}
	if result.passed+result.failed == 0 || ended != nil && result.failed == 0 {
		return result, fmt.Errorf("node %s: %w: %s", script, ended, bytes.TrimSpace(complaints.Bytes()))
	}
	return result, nil
}
