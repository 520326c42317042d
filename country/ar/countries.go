package ar

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// countryCodes are ISO 3166-1 alpha-2 with ARCA's number for each (FEXGetPARAM_DST_pais),
// without Argentina and what ARCA has no single number for.
var countryCodes = parseCountries(`
AD404 AE331 AF301 AG237 AI652 AL401 AM349 AO149 AS695 AT405 AU501 AW653 AZ350 BA446 BB201 BD345 BE406 BF101 BG407
BH303 BI104 BJ112 BM663 BN346 BO202 BQ241 BR203 BS239 BT305 BW103 BY439 BZ236 CA204 CC673 CD109 CF107 CG108 CH430
CI110 CK654 CL208 CM105 CN310 CO205 CR206 CU207 CV150 CX672 CY311 CZ451 DE438 DJ153 DK409 DM233 DO209 DZ102 EC210
EE440 EG113 ER160 ES410 ET161 FI411 FJ512 FM515 FR412 GA115 GB426 GD240 GE351 GG670 GH117 GI665 GL666 GM116 GN118
GQ119 GR413 GT213 GU667 GW156 GY214 HK341 HN216 HR447 HT215 HU414 ID316 IE415 IL319 IM676 IN315 IQ317 IR318 IS416
IT417 JE670 JM217 JO321 JP320 KE120 KG353 KH306 KI514 KM155 KN238 KP308 KR309 KW323 KY671 KZ352 LA324 LB325 LC234
LI418 LK307 LR122 LS121 LT442 LU419 LV441 LY123 MA127 MC421 MD443 ME453 MG124 MH520 MK450 ML126 MM304 MN329 MO344
MP521 MR129 MS686 MT420 MU128 MV327 MW125 MX218 MY326 MZ151 NA158 NE130 NF677 NG131 NI219 NL423 NO422 NP330 NR503
NU687 NZ504 OM328 PA220 PE222 PF656 PG513 PH312 PK332 PL424 PM680 PN690 PR223 PS314 PT425 PW516 PY221 QA322 RO427
RS454 RU444 RW133 SA302 SB518 SC152 SD138 SE429 SG333 SH662 SI449 SJ696 SK448 SL135 SM428 SN134 SO136 SR232 ST157
SV211 SY334 SZ137 TC678 TD111 TG140 TH335 TJ354 TK699 TL358 TM355 TN141 TO519 TR336 TT224 TV517 TW313 TZ139 UA445
UG142 US212 UY225 UZ356 VA431 VC235 VE226 VG682 VI683 VN337 VU505 WS506 YE348 ZA159 ZM144 ZW132`)

func parseCountries(list string) map[string]string {
	out := map[string]string{}
	for _, pair := range strings.Fields(list) {
		out[pair[:2]] = pair[2:]
	}
	return out
}

// FindCountry finds a country of destination by ISO 3166-1 alpha-2 in any case or by
// ARCA's number, and returns both.
func FindCountry(text string) (iso, code string, ok bool) {
	upper := strings.ToUpper(text)
	if code, ok := countryCodes[upper]; ok {
		return upper, code, true
	}
	for iso, code := range countryCodes {
		// Guernsey and Jersey share a number, which is no country then.
		if code == text && code != "670" {
			return iso, code, true
		}
	}
	return "", "", false
}

// countryName is the Spanish name, the code itself for what has none.
func countryName(iso string) string {
	region, err := language.ParseRegion(iso)
	if err != nil || iso == "" {
		return iso
	}
	return display.Spanish.Regions().Name(region)
}
