package arca

// class is the letter of a voucher.
type class byte

const (
	classA    class = 'A'
	classB    class = 'B'
	classC    class = 'C'
	classALEY class = 'L' // A with the legend on retention, formerly M
	classUsed class = 'U' // purchase of used goods, type 49
)

// kind is what the rules ask of a type of voucher. Associates are the types that it
// may refer to (code 10040).
type kind struct {
	class      class
	note       bool // debit or credit
	fce        bool // MiPyME credit invoice and its notes
	associates []int
}

func (k kind) authorizable() bool { return k.class != 0 }

// lenient kinds are not held to the arithmetic of their rates (10051, 10061).
func (k kind) lenient() bool { return k.note && !k.fce && k.class != classC }

var (
	assocA   = []int{1, 2, 3, 4, 5, 34, 39, 60, 63, 88, 991}
	assocB   = []int{6, 7, 8, 9, 10, 35, 40, 61, 64, 88, 991}
	assocC   = []int{11, 12, 13, 15}
	assocL   = []int{51, 52, 53, 54, 88, 991}
	dispatch = []int{88, 991}
	assocFCE = []int{91, 990, 991, 993, 994, 995}
	assocFA  = []int{201, 202, 203}
	assocFB  = []int{206, 207, 208}
	assocFC  = []int{211, 212, 213}
)

// kinds are the types that FECAESolicitar takes (code 10007).
var kinds = map[int]kind{
	1: {class: classA, associates: dispatch}, 2: {class: classA, note: true, associates: assocA},
	3: {class: classA, note: true, associates: assocA},
	4: {class: classA}, 5: {class: classA}, 34: {class: classA}, 39: {class: classA}, 60: {class: classA},
	63: {class: classA},
	6:  {class: classB, associates: dispatch}, 7: {class: classB, note: true, associates: assocB},
	8: {class: classB, note: true, associates: assocB},
	9: {class: classB}, 10: {class: classB}, 35: {class: classB}, 40: {class: classB}, 61: {class: classB},
	64: {class: classB},
	11: {class: classC}, 12: {class: classC, note: true, associates: assocC},
	13: {class: classC, note: true, associates: assocC}, 15: {class: classC},
	51: {class: classALEY, associates: dispatch}, 52: {class: classALEY, note: true, associates: assocL},
	53: {class: classALEY, note: true, associates: assocL}, 54: {class: classALEY},
	49:  {class: classUsed},
	201: {class: classA, fce: true, associates: assocFCE},
	202: {class: classA, fce: true, note: true, associates: assocFA},
	203: {class: classA, fce: true, note: true, associates: assocFA},
	206: {class: classB, fce: true, associates: assocFCE},
	207: {class: classB, fce: true, note: true, associates: assocFB},
	208: {class: classB, fce: true, note: true, associates: assocFB},
	211: {class: classC, fce: true, associates: assocFCE},
	212: {class: classC, fce: true, note: true, associates: assocFC},
	213: {class: classC, fce: true, note: true, associates: assocFC},
}

// conditionClasses is the manual's matrix of CondicionIVAReceptorId by class.
var conditionClasses = map[int]string{
	1: "ALC", 4: "BC", 5: "BCU", 6: "ALC", 7: "BC", 8: "BC", 9: "BC", 10: "BC", 13: "ALC", 15: "BC", 16: "ALC",
}

// known says whether one of the services authorizes a type.
func known(tipo int) bool { return kinds[tipo].authorizable() || isExport(tipo) }
