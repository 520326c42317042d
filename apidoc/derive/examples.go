package derive

func (o object) examples(string) object { return o }
