package node

func isIndex(string) bool { return false }
