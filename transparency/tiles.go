package transparency

import (
	"context"
	"fmt"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

// WrongTile names a tile above the entries whose hashes do not follow from the level below, in the tree of so many
// leaves; empty when all do, and ErrIncomplete when one is missing. It reads each part of the tree once or twice.
func (s *Store) WrongTile(ctx context.Context, tree string, size int64) (string, error) {
	for level, count := 1, size/torchwood.TileWidth; count > 0; level, count = level+1, count/torchwood.TileWidth {
		var tile []tlog.Hash
		for n := range count {
			var err error
			if n%torchwood.TileWidth == 0 {
				tile, err = s.hashes(ctx, tree, level, n/torchwood.TileWidth, min(torchwood.TileWidth, count-n))
			}
			if err != nil {
				return "", err
			}
			below, err := s.hashes(ctx, tree, level-1, n, torchwood.TileWidth)
			if err != nil {
				return "", err
			}
			above, err := over(below)
			if err != nil {
				return "", err
			}
			if above != tile[n%torchwood.TileWidth] {
				return fmt.Sprintf("tile %d of level %d", n/torchwood.TileWidth, level), nil
			}
		}
	}
	return "", nil
}

// over is the hash above those of a full tile.
func over(hashes []tlog.Hash) (out tlog.Hash, err error) {
	r := factory.NewEmptyRange(0)
	for _, h := range hashes {
		if err := r.Append(h[:], nil); err != nil {
			return out, fmt.Errorf("hash a tile: %w", err)
		}
	}
	root, err := r.GetRootHash(nil)
	copy(out[:], root)
	return out, err
}
