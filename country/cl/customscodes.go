package cl

import (
	"strconv"
	"strings"
)

// The codes of Chile's customs service as a form prints them (Compendio de Normas
// Aduaneras, annex 51). A code that is in none of the tables is printed as it is: what
// customs knows decides customs, not this list.
var (
	saleModes = coded("1 A firme; 2 Bajo condición; 3 En consignación libre; 4 En consignación con un mínimo a " +
		"firme; 9 Sin pago")
	saleClauses = coded("1 CIF; 2 CFR; 3 EXW; 4 FAS; 5 FOB; 6 Sin cláusula; 8 Otra; 9 DDP; 10 FCA; 11 CPT; 12 CIP; " +
		"17 DAT; 18 DAP")
	customsRoutes = coded("1 Marítima, fluvial y lacustre; 4 Aérea; 5 Postal; 6 Ferroviaria; 7 Carretera; 8 Oleoductos " +
		"y gasoductos; 9 Tendido eléctrico; 10 Otra")
	exportTerms = coded("1 Cobranza hasta 1 año; 2 Cobranza a más de 1 año; 11 Acreditivo hasta 1 año; 12 Crédito de " +
		"bancos y organismos financieros; 21 Sin pago; 32 Anticipo; 50 Anticipo y cobranza; 60 Anticipo y acreditivo; 80 " +
		"Sin pago y cobranza")
	customsUnits = coded("1 TMB; 2 QMB; 3 MKWH; 4 TMN; 5 KLT; 6 KN; 7 GN; 8 HL; 9 LT; 10 U; 11 DOC; 12 U(JGO); 13 MU; " +
		"14 MT; 15 MT2; 16 MCUB; 17 PAR; 18 KNFC; 19 CARTON; 20 KWH; 23 BAR; 24 M2/1MM")
	packageTypes = coded(packageNames)
	customsPorts = coded(portNames)
	customsISO   = coded(countryCodes) // ISO 3166-1 alpha-2
)

// coded reads "1 name; 2 name".
func coded(list string) map[int]string {
	names := map[int]string{}
	for _, entry := range strings.Split(strings.ReplaceAll(list, "\n", " "), "; ") {
		number, name, _ := strings.Cut(entry, " ")
		code, _ := strconv.Atoi(number)
		names[code] = name
	}
	return names
}

const packageNames = `1 Polvo; 2 Granos; 3 Nódulos; 4 Líquido; 5 Gas; 10 Pieza; 11 Tubo; 12 Cilindro; 13 Rollos; 16 Barra; 17 Lingote; 18 Troncos; 19 Bloque;
20 Rollizo; 21 Cajón; 22 Caja de cartón; 23 Fardo; 24 Baúl; 25 Cofre; 26 Armazón; 27 Bandeja; 28 Caja de madera; 29 Caja de lata; 31 Botella de gas;
32 Botella; 33 Jaula; 34 Bidón; 35 Jaba; 36 Cesta; 37 Barrilete; 38 Tonel; 39 Pipa; 40 Caja no especificada; 41 Jarro; 42 Frasco; 43 Damajuana;
44 Barril; 45 Tambor; 46 Cuñete; 47 Tarro; 51 Cubo; 61 Paquete; 62 Saco; 63 Maleta; 64 Bolsa; 65 Bala; 66 Red; 67 Sobre; 73 Contenedor de 20 pies;
74 Contenedor de 40 pies; 75 Contenedor refrigerado de 20 pies; 76 Contenedor refrigerado de 40 pies; 77 Estanque; 78 Contenedor no especificado;
80 Pallets; 81 Tablero; 82 Lámina; 83 Carrete; 85 Automotor; 86 Ataúd; 88 Maquinaria; 89 Planchas; 90 Atado; 91 Bobina; 93 Bulto no especificado;
98 Sin bulto; 99 Sin embalar`

const countryCodes = `101 SN; 102 GM; 103 GW; 104 GN; 105 SL; 106 LR; 107 CI; 108 GH; 109 TG; 111 NG; 112 ZA; 113 BW; 114 LS; 115 MW; 116 ZW; 117 ZM; 118 KM; 119 MU;
120 MG; 121 MZ; 122 SZ; 123 SD; 124 EG; 125 LY; 126 TN; 127 DZ; 128 MA; 129 CV; 130 TD; 131 NE; 133 ML; 134 MR; 135 TZ; 136 UG; 137 KE; 138 SO;
139 ET; 140 AO; 141 BI; 142 RW; 143 CD; 144 CG; 145 GA; 146 ST; 147 GQ; 148 CF; 149 CM; 150 BJ; 155 DJ; 156 SC; 159 NA; 160 SS; 161 BF; 163 ER;
164 MH; 165 EH; 201 VE; 202 CO; 203 TT; 204 BB; 205 JM; 206 DO; 207 BS; 208 HT; 209 CU; 210 PA; 211 CR; 212 NI; 213 SV; 214 HN; 215 GT; 216 MX;
217 GY; 218 EC; 219 PE; 220 BR; 221 BO; 222 PY; 223 UY; 224 AR; 225 US; 226 CA; 231 DM; 232 GD; 233 LC; 234 VC; 235 SR; 236 BZ; 240 AG; 241 KN;
242 AI; 243 AW; 244 BM; 245 VG; 246 KY; 248 TC; 249 VI; 250 MQ; 251 PR; 252 MS; 253 GL; 301 JO; 302 SA; 303 KW; 304 OM; 305 CY; 306 IL; 307 IQ;
308 AF; 309 IR; 310 SY; 311 LB; 312 QA; 313 BH; 314 LK; 315 KH; 316 LA; 317 IN; 318 BT; 319 TH; 320 NP; 321 BD; 324 PK; 325 VN; 326 MM; 327 MV;
328 ID; 329 MY; 330 TW; 331 JP; 332 SG; 333 KR; 334 KP; 335 PH; 336 CN; 337 MN; 341 AE; 342 HK; 344 BN; 345 MO; 346 YE; 401 FJ; 402 NR; 403 TO;
404 WS; 405 NZ; 406 AU; 412 PG; 415 VU; 416 KI; 417 FM; 418 SB; 419 TV; 420 PW; 421 NU; 422 PF; 423 NC; 424 MP; 425 GU; 426 TL; 427 CK; 501 PT;
504 IT; 505 FR; 506 IE; 507 DK; 508 CH; 509 AT; 510 GB; 511 SE; 512 FI; 513 NO; 514 BE; 515 NL; 516 IS; 517 ES; 518 AL; 519 RO; 520 GR; 522 TR;
523 MT; 524 VA; 525 AD; 527 BG; 528 PL; 530 HU; 532 LU; 534 LI; 535 MC; 536 SM; 540 AM; 541 AZ; 542 BY; 543 BA; 544 CZ; 545 SK; 546 RS; 547 HR;
548 SI; 549 EE; 550 GE; 551 KZ; 552 KG; 553 LV; 554 LT; 555 MK; 556 MD; 557 TJ; 558 TM; 559 UA; 560 UZ; 561 ME; 562 RU; 563 DE; 565 GI; 566 GG;
567 IM; 568 JE; 997 CL`

const portNames = `111 Montreal; 112 Costa del Pacífico de Canadá, otros; 113 Halifax; 114 Vancouver; 115 Saint John; 116 Toronto; 117 Otros puertos de Canadá;
118 Bayside; 120 Port Cartier; 121 Costa del Atlántico, otros; 122 Golfo de México, otros; 123 Costa del Pacífico, otros; 124 Quebec;
125 Prince Rupert; 126 Hamilton; 131 Boston; 132 New Haven; 133 Bridgeport; 134 New York; 135 Filadelfia; 136 Baltimore; 137 Norfolk;
138 Wilmington; 139 Charleston; 140 Savannah; 141 Miami; 142 Everglades; 143 Jacksonville; 145 Palm Beach; 146 Baton Rouge; 148 Pittsburgh;
149 Duluth; 150 Milwaukee; 151 Tampa; 152 Pensacola; 153 Mobile; 154 New Orleans; 155 Port Arthur; 156 Galveston; 157 Corpus Christi;
158 Brownsville; 159 Houston; 160 Oakland; 161 Stockton; 171 Seattle; 172 Portland; 173 San Francisco; 174 Los Angeles; 175 Long Beach;
176 San Diego; 180 Otros puertos de Estados Unidos; 199 Los Vilos; 204 Patache; 205 Calbuco; 206 Michilla; 207 Puerto Angamos; 209 Tres Puentes;
210 Otros puertos de México; 211 Tampico; 213 Veracruz; 214 Coatzacoalcos; 215 Guaymas; 216 Mazatlán; 217 Manzanillo; 218 Acapulco; 220 Altamira;
221 Cristóbal; 222 Balboa; 223 Colón; 224 Otros puertos de Panamá; 231 Otros puertos de Colombia; 232 Buenaventura; 233 Barranquilla;
241 Otros puertos de Ecuador; 242 Guayaquil; 251 Otros puertos de Perú; 252 Callao; 253 Ilo; 254 Iquitos; 261 Otros puertos de Argentina;
262 Buenos Aires; 263 Necochea; 264 Mendoza; 265 Córdoba; 266 Bahía Blanca; 267 Comodoro Rivadavia; 268 Puerto Madryn; 269 Mar del Plata;
270 Rosario; 271 Otros puertos de Uruguay; 272 Montevideo; 281 Otros puertos de Venezuela; 282 La Guaira; 285 Maracaibo;
291 Otros puertos de Brasil; 292 Santos; 293 Rio de Janeiro; 294 Rio Grande del Sur; 295 Paranaguá; 296 São Paulo; 297 Salvador;
301 Otros puertos de las Antillas; 302 Curazao; 399 Otros puertos de América; 411 Shanghai; 412 Dalian; 413 Otros puertos de China; 421 Nampo;
422 Busan; 423 Otros puertos de Corea; 431 Manila; 432 Otros puertos de Filipinas; 441 Otros puertos de Japón; 442 Osaka; 443 Kobe; 444 Yokohama;
445 Nagoya; 446 Shimizu; 447 Moji; 448 Yawata; 449 Fukuyama; 451 Kaohsiung; 452 Keelung; 453 Otros puertos de Taiwán; 462 Otros puertos de Irán;
471 Calcuta; 472 Otros puertos de India; 481 Chalna; 482 Otros puertos de Bangladesh; 491 Singapur; 492 Hong Kong; 499 Otros puertos asiáticos;
511 Constanza; 512 Otros puertos de Rumania; 521 Varna; 522 Otros puertos de Bulgaria; 541 Otros puertos de Italia; 542 Génova; 543 Livorno;
544 Nápoles; 545 Salerno; 546 Augusta; 547 Savona; 551 Otros puertos de Francia; 552 La Pallice; 553 Le Havre; 554 Marsella; 555 Burdeos;
556 Calais; 557 Brest; 558 Ruan; 561 Otros puertos de España; 562 Cádiz; 563 Barcelona; 564 Bilbao; 565 Huelva; 566 Sevilla; 567 Tarragona;
571 Liverpool; 572 Londres; 573 Rochester; 576 Otros puertos de Inglaterra; 577 Dover; 578 Plymouth; 581 Helsinki; 582 Otros puertos de Finlandia;
591 Bremen; 592 Hamburgo; 593 Nuremberg; 594 Frankfurt; 595 Düsseldorf; 596 Otros puertos de Alemania; 601 Amberes; 602 Otros puertos de Bélgica;
603 Zeebrugge; 604 Gante; 611 Lisboa; 612 Otros puertos de Portugal; 613 Setúbal; 621 Amsterdam; 622 Rotterdam; 623 Otros puertos de Holanda;
631 Gotemburgo; 632 Otros puertos de Suecia; 633 Malmö; 641 Aarhus; 642 Copenhague; 643 Otros puertos de Dinamarca; 651 Oslo;
652 Otros puertos de Noruega; 699 Otros puertos de Europa; 711 Durban; 712 Ciudad del Cabo; 713 Otros puertos de Sudáfrica; 714 Saldanha;
799 Otros puertos de África; 811 Sidney; 812 Fremantle; 813 Otros puertos de Australia; 899 Otros puertos de Oceanía; 901 Arica; 902 Iquique;
903 Antofagasta; 904 Coquimbo; 905 Valparaíso; 906 San Antonio; 907 Talcahuano; 908 San Vicente; 909 Lirquén; 910 Puerto Montt;
911 Chacabuco / Puerto Aysén; 912 Punta Arenas; 913 Patillos; 914 Tocopilla; 915 Mejillones; 916 Taltal; 917 Chañaral / Barquito; 918 Caldera;
919 Calderilla; 920 Huasco / Guacolda; 921 Quintero; 922 Juan Fernández; 923 Constitución; 924 Tomé; 925 Penco; 926 Coronel; 927 Lota; 928 Lebu;
929 Isla de Pascua; 930 Corral; 931 Ancud; 932 Castro; 933 Quellón; 934 Chaitén; 935 Tortel; 936 Natales; 942 Cabo Negro; 943 Puerto Williams;
946 Guayacán; 948 Ventanas; 950 Caleta Coloso; 957 Chacalluta; 958 Chungará; 959 Colchane; 961 Ollagüe; 962 San Pedro de Atacama; 963 Socompa;
965 Los Libertadores; 967 Cardenal Samoré; 972 Huahum; 976 Huemules; 981 Monte Aymond; 982 San Sebastián; 983 Coyhaique Alto;
987 Aeropuerto Chacalluta; 988 Aeropuerto Diego Aracena; 989 Aeropuerto Cerro Moreno; 990 Aeropuerto El Tepual; 991 Aeropuerto C. I. del Campo;
992 Aeropuerto A. M. Benítez; 997 Otros puertos chilenos; 998 Paso Jama`
