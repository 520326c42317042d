// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// Replay is a company's wish to have deliveries of a period sent again.
type Replay struct {
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// How many were sent again.
	Done int64 `json:"done"`
	// When it ended; null while it runs.
	EndedAt *string `json:"ended_at"`
	// Codes of the events that are sent.
	Events []string `json:"events"`
	// RFC 3339
	From *string `json:"from"`
	// The record's id.
	ID string `json:"id"`
	// How many deliveries it is of.
	Planned int64 `json:"planned"`
	// Deliveries after this Folio-Position.
	SincePosition *string `json:"since_position"`
	// Running, finished or cancelled.
	Status string `json:"status"`
	// RFC 3339
	To *string `json:"to"`
}

// StartReplayBody: see the operation that has it.
type StartReplayBody struct {
	// True only counts the deliveries.
	DryRun *bool `json:"dry_run,omitempty"`
	// Codes of the events that are sent.
	Events []string `json:"events,omitempty"`
	// RFC 3339; deliveries from then on
	From string `json:"from,omitempty"`
	// Deliveries after this Folio-Position.
	SincePosition string `json:"since_position,omitempty"`
	// RFC 3339; deliveries before then
	To string `json:"to,omitempty"`
}

// RotateSecretBody: see the operation that has it.
type RotateSecretBody struct {
	// How long the old one works too: 0 to 720, else 24.
	OverlapHours *int64 `json:"overlap_hours,omitempty"`
}
