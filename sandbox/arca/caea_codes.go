package arca

import "slices"

// translation is what a check of FECAESolicitar means in FECAEARegInformativo: a refusal with
// another code, a remark, or nothing where code is 0.
type translation struct {
	code   int
	remark bool
}

// translations are by the code of FECAESolicitar (manual v4.8, both tables of codes).
var translations = map[int]translation{
	10013: {1403, false}, 10014: {1422, false}, 10016: {}, 10152: {}, 10119: {},
	10018: {715, false}, 10019: {1000, false}, 10020: {1009, false}, 10021: {1008, false}, 10022: {1003, false},
	10023: {725, true}, 10024: {1423, false}, 10025: {900, false}, 10026: {905, false}, 10027: {906, false},
	10028: {907, false}, 10029: {1406, true}, 10030: {713, false}, 10031: {727, true}, 10032: {1412, true},
	10033: {728, true}, 10035: {729, true}, 10036: {1411, true}, 10037: {1401, false}, 10038: {726, false},
	10039: {726, false}, 10040: {806, true}, 10041: {801, true}, 10042: {908, false}, 10043: {717, false},
	10044: {718, false}, 10045: {719, false}, 10046: {723, false}, 10047: {1407, false}, 10048: {724, true},
	10049: {1413, true}, 10051: {1006, true}, 10052: {1103, false}, 10053: {1100, false}, 10054: {1101, false},
	10055: {1105, false}, 10056: {1409, false}, 10057: {805, false}, 10058: {802, false}, 10059: {803, false},
	10060: {804, false}, 10061: {1408, true}, 10062: {800, false}, 10063: {1402, true}, 10065: {1409, false},
	10067: {1425, true}, 10069: {788, false}, 10070: {1427, true}, 10071: {1443, false}, 10151: {808, false},
	10153: {1450, false}, 10155: {1452, false}, 10156: {1453, false}, 10158: {1455, false}, 10159: {1456, false},
	10160: {1457, false}, 10162: {1459, false}, 10163: {1460, false}, 10164: {1461, false}, 10165: {1462, false},
	10166: {1463, false}, 10167: {1464, false}, 10168: {1465, false}, 10169: {1466, false}, 10170: {1467, false},
	10171: {1468, false}, 10172: {1469, false}, 10173: {1470, false}, 10175: {1472, false}, 10178: {1475, false},
	10189: {1482, false}, 10190: {1483, false}, 10195: {1489, true}, 10196: {1490, false}, 10197: {1491, false},
	10198: {1492, false}, 10199: {1493, false}, 10203: {1494, false}, 10204: {1495, false}, 10205: {1496, false},
	10206: {1497, false}, 10207: {1498, false}, 10208: {1499, false}, 10210: {1501, true}, 10213: {1504, false},
	10214: {1513, false}, 10215: {1514, false}, 10216: {1515, false}, 10217: {1516, true}, 10218: {16000, false},
	10221: {16003, false}, 10239: {820, false}, 10240: {821, true}, 10241: {822, true}, 10242: {823, false},
	10243: {824, true}, 10245: {825, true}, 10246: {826, false},
	10247: {827, true}, 10249: {829, true}, 10284: {1528, false},
}

// ofClassC are those that have codes of their own for class C.
var ofClassC = map[int]translation{
	10043: {1434, false}, 10044: {1435, false}, 10045: {1436, false}, 10046: {1437, false}, 10047: {1438, false},
	10048: {1439, false},
}

// buyers are the checks of Compradores, which are not taken at all (1432).
var buyers = []int{10133, 10136, 10137, 10139, 10140, 10141, 10144, 10145, 10146, 10147, 10150, 10194}

// translated adds what a message of FECAESolicitar is here.
func translated(m Message, x *examination, reasons, remarks []Message) ([]Message, []Message) {
	if slices.Contains(buyers, m.Code) {
		return reasons, remarks
	}
	t, ok := translations[m.Code]
	if own, has := ofClassC[m.Code]; has && x.kind.class == classC {
		t = own
	}
	switch {
	case !ok: // it has a code of FECAEARegInformativo already
		return append(reasons, m), remarks
	case t.code == 0:
		return reasons, remarks // a window that FECAEARegInformativo does not have
	case t.remark:
		return reasons, append(remarks, coded(t.code))
	}
	return append(reasons, coded(t.code)), remarks
}

// reportedRecipient checks who a reported voucher is for where its codes are others than
// those of FECAESolicitar (1404, 1405, 1415, 1417 to 1421, 1487).
func (x *examination) reportedRecipient() (done bool) {
	d := x.detail
	ofA := x.kind.class == classA || x.kind.class == classALEY
	switch {
	case x.kind.fce && d.DocTipo != 80:
		x.refuse(1487)
	case ofA && d.DocTipo != 80:
		x.refuse(1403)
	case ofA && (d.DocNro < 20000000000 || d.DocNro > 60000000000):
		x.refuse(1421)
	case ofA:
		return false
	case !listed(documentTypes, d.DocTipo):
		x.refuse(1404)
	case d.DocNro < 0 || d.DocNro > 99999999999:
		x.refuse(1405)
	case d.Hasta > d.Desde && !x.dear() && (d.DocTipo != 99 || d.DocNro != 0):
		x.refuse(1415)
	case d.DocTipo == 99 && d.DocNro != 0:
		x.refuse(1418)
	case x.dear() && d.Hasta == d.Desde && (d.DocTipo == 99 || d.DocNro == 0):
		x.refuse(1417)
	case d.DocTipo != 99 && d.DocNro == 0:
		x.refuse(1419)
	case x.unknown():
		x.remark(1420)
	default:
		return false
	}
	return true
}
