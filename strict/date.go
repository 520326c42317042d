package strict

// date checks YYYY-MM-DD of the Gregorian calendar, years 1900 to 2999.
func (r *rules) date(s string) (string, trouble) {
	if s == "" && !r.required {
		return "", trouble{}
	}
	if !isDate(s) {
		return "", trouble{CodeDate, "must be a date of the calendar in the form YYYY-MM-DD"}
	}
	return s, trouble{}
}

// dateTime checks YYYY-MM-DD HH:MM:SS; leap seconds do not exist here.
func (r *rules) dateTime(s string) (string, trouble) {
	if s == "" && !r.required {
		return "", trouble{}
	}
	if r.dateAlone && isDate(s) {
		return s + " 00:00:00", trouble{}
	}
	if len(s) != len("YYYY-MM-DD HH:MM:SS") || !isDate(s[:10]) || s[10] != ' ' || !isTime(s[11:]) {
		if r.dateAlone {
			return "", trouble{CodeDateTime, "must be a date of the calendar in the form YYYY-MM-DD or YYYY-MM-DD HH:MM:SS"}
		}
		return "", trouble{CodeDateTime, "must be a date and time of the calendar in the form YYYY-MM-DD HH:MM:SS"}
	}
	return s, trouble{}
}

func isDate(s string) bool {
	if len(s) != len("YYYY-MM-DD") || s[4] != '-' || s[7] != '-' {
		return false
	}
	year, month, day := digits(s[:4]), digits(s[5:7]), digits(s[8:])
	if year < 1900 || year > 2999 || month < 1 || month > 12 || day < 1 {
		return false
	}
	return day <= daysIn(year, month)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

func isTime(s string) bool {
	return len(s) == len("HH:MM:SS") && s[2] == ':' && s[5] == ':' &&
		within(digits(s[:2]), 23) && within(digits(s[3:5]), 59) && within(digits(s[6:]), 59)
}

func within(n, high int) bool { return n >= 0 && n <= high }

// digits reads ASCII digits, -1 for anything else.
func digits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}
