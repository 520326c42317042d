package ar

// Province is one first-level division with ARCA's number for it.
type Province struct {
	ID   int
	Name string
}

// provinces are ISO 3166-2:AR; there is no I nor O.
var provinces = map[string]Province{
	"AR-A": {9, "Salta"}, "AR-B": {1, "Buenos Aires"}, "AR-C": {0, "Ciudad Autónoma de Buenos Aires"},
	"AR-D": {11, "San Luis"}, "AR-E": {5, "Entre Ríos"}, "AR-F": {8, "La Rioja"},
	"AR-G": {13, "Santiago del Estero"}, "AR-H": {16, "Chaco"}, "AR-J": {10, "San Juan"},
	"AR-K": {2, "Catamarca"}, "AR-L": {21, "La Pampa"}, "AR-M": {7, "Mendoza"},
	"AR-N": {19, "Misiones"}, "AR-P": {18, "Formosa"}, "AR-Q": {20, "Neuquén"},
	"AR-R": {22, "Río Negro"}, "AR-S": {12, "Santa Fe"}, "AR-T": {14, "Tucumán"},
	"AR-U": {17, "Chubut"}, "AR-V": {24, "Tierra del Fuego"}, "AR-W": {4, "Corrientes"},
	"AR-X": {3, "Córdoba"}, "AR-Y": {6, "Jujuy"}, "AR-Z": {23, "Santa Cruz"},
}

// FindProvince looks an ISO 3166-2 code up, such as AR-C.
func FindProvince(region string) (Province, bool) {
	p, ok := provinces[region]
	return p, ok
}
