//! Lists the matcher rests on, each a text of words. Its own: those of the product would let it judge itself.

/// Whether a list holds a word.
pub(super) fn listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Words that turn a sentence round, by language.
pub(super) const NEGATIONS: &[(&str, &str)] = &[
    ("en", "not no never nor neither without nobody nothing none cannot t dont doesnt didnt isnt wont cant hasnt"),
    ("en", "dislikes dislike hates hate lacks stopped quit avoids avoid"),
    ("de", "nicht nie niemals kein keine keinen keinem keiner keines ohne hasst weder"),
    ("fr", "ne n pas jamais aucun aucune sans déteste ni"),
    ("es", "no nunca jamás ningún ninguna sin odia tampoco ni"),
    ("it", "non mai nessun nessuna senza odia"),
    ("pt", "não nunca jamais nenhum nenhuma sem odeia nem"),
    ("nl", "niet nooit geen zonder haat noch"),
    ("sv", "inte aldrig ingen inga inget utan hatar"),
    ("no", "ikke aldri ingen intet uten hater"),
    ("nb", "ikke aldri ingen intet uten hater"),
    ("da", "ikke aldrig ingen intet uden hader"),
    ("pl", "nie nigdy żaden bez żadnego"),
    ("ru", "не нет никогда без"),
    ("tr", "değil yok hiç asla"),
];

/// Words that begin another clause.
pub(super) const BREAKS: &str = "but because since aber sondern weil mais pero sino porque mas perché perche men omdat";

/// What the person is called in claims, by language.
pub(super) const PERSON: &[(&str, &str)] = &[
    ("en", "user"),
    ("de", "nutzer"),
    ("de", "nutzers"),
    ("de", "nutzerin"),
    ("fr", "utilisateur"),
    ("fr", "utilisatrice"),
    ("es", "usuario"),
    ("es", "usuaria"),
    ("it", "utente"),
    ("pt", "utilizador"),
    ("no", "brukeren"),
    ("no", "brukerens"),
    ("sv", "anvandaren"),
    ("nl", "gebruiker"),
];

/// Words that carry nothing by themselves, by language; those of English in every one.
pub(super) const STOP: &[(&str, &str)] = &[
    (
        "en",
        "a an the of in on at to for from by with and or is are was were be been being am user users s their his her",
    ),
    ("en", "its they he she it who that which this these those as also very really about into there do does did will"),
    (
        "en",
        "would can could should some any i my me you your we our has have had having got get than then so just both",
    ),
    ("en", "been now currently used"),
    (
        "de",
        "der die das den dem des ein eine einen einem einer nutzer nutzers benutzer ist hat im in am an und mit von zu",
    ),
    ("de", "sich als seine sein ihre haben hatte wird bei für auf vor"),
    (
        "fr",
        "le la les un une de du des d l utilisateur est a au aux en et qui son sa ses se s ont sont chez que dans pour",
    ),
    ("fr", "par sur avec ai"),
    ("es", "el la los las un una de del usuario es está en y su sus se con a al que por para ha tiene"),
    ("it", "il lo la i gli le l un una di del della utente è ha in e suo sua si con a al che per da"),
    ("pt", "o a os as um uma de do da usuário utilizador é tem em e seu sua se com ao que por para no na"),
    ("no", "brukeren bruker er har en et ei i på og sin sitt med til som av for de den det"),
    ("sv", "användaren är har en ett i på och sin sitt med till som av för"),
    ("nl", "de het een gebruiker is heeft in op en zijn haar met van als voor"),
];

/// Words without which a claim is still told.
pub(super) const LIGHT: &str = "called named name call names small big new old own stand like dislike hate seems seem apparently \
    maybe might possibly probably thinks think could plan plans wants want intend intends hopes going go goes comes come lives \
    live moved better va vais vai vado nomme nommé appelle appell heisst llama quizá quizas peut etre être vielleicht age ages kept";

/// Words that tell the same of a person, by their stems in English.
pub(super) const SAME: &[&str] = &[
    "live resid reloc move",
    "work job employ",
    "child kid children",
    "mother mum mom mama",
    "father dad",
    "partner spous",
    "wife husband marri",
    "own has have got keep kept",
    "like love enjoy fan favorit favourit prefer better",
    "buy bought purchas",
    "begin began start",
    "studi student learn learnt",
    "teach teacher taught",
    "bike bicycl cycl",
    "flat apart",
    "holiday vacat",
    "manag boss",
    "run ran",
    "name call",
    "doctor physician",
    "car automobil",
    "quit stop gave",
    "birthday born birthplac",
    "habit vit wohnt lebt",
    "job busi shop trade",
    "angst furchtet",
    "die lost dead pass",
    "second use hand",
    "age old",
];

/// Number words in English, each at the place of its number.
pub(super) const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
    sixteen seventeen eighteen nineteen twenty";

/// People of a person, by language: what is told of them is not told of the person.
pub(super) const KIN: &[(&str, &str)] = &[
    (
        "en",
        "sister brother mother mum mom mama father dad wife husband partner son daughter friend colleague boss manager",
    ),
    (
        "en",
        "neighbour neighbor cousin aunt uncle grandmother grandfather grandma grandpa roommate flatmate girlfriend boyfriend",
    ),
    ("en", "niece nephew child kid teacher granddaughter grandson landlord dog cat"),
    (
        "de",
        "schwester bruder mutter vater frau mann sohn tochter freund freundin kollege kollegin nachbar nachbarin hund katze",
    ),
    ("fr", "sœur frère mère père femme mari fils fille ami amie collègue voisin voisine chien chat"),
    ("es", "hermana hermano madre padre esposa marido hijo hija amigo amiga vecino vecina perro gato"),
    ("it", "sorella fratello madre padre moglie marito figlio figlia amico amica vicino cane gatto"),
    ("pt", "irmã irmão mãe pai esposa marido filho filha amigo amiga vizinho cão gato"),
    ("no", "søster bror mor far kone mann sønn datter venn venninne nabo hund katt"),
    ("sv", "syster bror mor far fru man son dotter vän granne hund katt"),
    ("nl", "zus broer moeder vader vrouw man zoon dochter vriend vriendin buurman hond kat"),
];
