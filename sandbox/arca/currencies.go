package arca

// currencyTypes as the service returned them in 2021, in its order.
var currencyTypes = rows{"Moneda", `PES|Pesos Argentinos|20090403
DOL|Dólar Estadounidense|20090403
002|Dólar Libre EEUU|20090416
007|Florines Holandeses|20090403
010|Pesos Mejicanos|20090403
011|Pesos Uruguayos|20090403
014|Coronas Danesas|20090403
015|Coronas Noruegas|20090403
016|Coronas Suecas|20090403
018|Dólar Canadiense|20090403
019|Yens|20090403
021|Libra Esterlina|20090403
023|Bolívar Venezolano|20090403
024|Corona Checa|20090403
025|Dinar Yugoslavo|20090403
026|Dólar Australiano|20090403
027|Dracma Griego|20090403
028|Florín (Antillas Holandesas)|20090403
029|Güaraní|20090403
031|Peso Boliviano|20090403
032|Peso Colombiano|20090403
033|Peso Chileno|20090403
034|Rand Sudafricano|20090403
036|Sucre Ecuatoriano|20090403
051|Dólar de Hong Kong|20090403
052|Dólar de Singapur|20090403
053|Dólar de Jamaica|20090403
054|Dólar de Taiwan|20090403
055|Quetzal Guatemalteco|20090403
056|Forint (Hungría)|20090403
057|Baht (Tailandia)|20090403
059|Dinar Kuwaiti|20090403
012|Real|20090403
030|Shekel (Israel)|20090403
035|Nuevo Sol Peruano|20090403
060|Euro|20090403
040|Lei Rumano|20090415
042|Peso Dominicano|20090415
043|Balboas Panameñas|20090415
044|Córdoba Nicaragüense|20090415
045|Dirham Marroquí|20090415
046|Libra Egipcia|20090415
047|Riyal Saudita|20090415
061|Zloty Polaco|20090415
062|Rupia Hindú|20090415
063|Lempira Hondureña|20090415
064|Yuan (Rep. Pop. China)|20090415
009|Franco Suizo|20091110
041|Derechos Especiales de Giro|20100125
049|Gramos de Oro Fino|20100125`}
