//! Closed lists of English that the normaliser reads: irregular forms, numbers, empty words. Part of the normaliser's version.

/// Irregular forms and what they are forms of.
#[rustfmt::skip]
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("ate", "eat"), ("eaten", "eat"), ("became", "become"), ("began", "begin"), ("begun", "begin"), ("bent", "bend"),
    ("bitten", "bite"), ("bit", "bite"), ("blew", "blow"), ("blown", "blow"), ("bought", "buy"), ("born", "birth"),
    ("broke", "break"), ("broken", "break"), ("brought", "bring"), ("built", "build"), ("came", "come"),
    ("caught", "catch"), ("children", "child"), ("chose", "choose"), ("chosen", "choose"), ("cut", "cut"),
    ("done", "do"), ("drank", "drink"), ("drew", "draw"), ("drawn", "draw"), ("drove", "drive"), ("driven", "drive"),
    ("fed", "feed"), ("feet", "foot"), ("fell", "fall"), ("fallen", "fall"), ("felt", "feel"), ("flew", "fly"),
    ("flown", "fly"), ("fought", "fight"), ("found", "find"), ("forgot", "forget"), ("gave", "give"),
    ("given", "give"), ("grew", "grow"), ("grown", "grow"), ("heard", "hear"), ("held", "hold"), ("hit", "hit"),
    ("hurt", "hurt"), ("kept", "keep"), ("knew", "know"), ("known", "know"), ("laid", "lay"), ("led", "lead"),
    ("left", "leave"), ("lent", "lend"), ("lost", "lose"), ("made", "make"), ("meant", "mean"), ("men", "man"),
    ("met", "meet"), ("mice", "mouse"), ("paid", "pay"), ("people", "person"), ("put", "put"), ("ran", "run"),
    ("rode", "ride"), ("ridden", "ride"), ("rose", "rise"), ("said", "say"), ("sang", "sing"), ("sung", "sing"),
    ("sat", "sit"), ("saw", "see"), ("seen", "see"), ("sent", "send"), ("shook", "shake"), ("shot", "shoot"),
    ("shown", "show"), ("slept", "sleep"), ("sold", "sell"), ("spent", "spend"), ("spoke", "speak"),
    ("spoken", "speak"), ("spread", "spread"), ("stood", "stand"), ("stole", "steal"), ("stolen", "steal"),
    ("swam", "swim"), ("swept", "sweep"), ("took", "take"), ("taken", "take"), ("taught", "teach"),
    ("teeth", "tooth"), ("thought", "think"), ("threw", "throw"), ("thrown", "throw"), ("told", "tell"),
    ("tore", "tear"), ("torn", "tear"), ("understood", "understand"), ("women", "woman"), ("won", "win"),
    ("wore", "wear"), ("worn", "wear"), ("written", "write"), ("wrote", "write"), ("wives", "wife"),
    ("lives", "live"), ("knives", "knife"), ("leaves", "leave"), ("ground", "grind"), ("lay", "lie"),
    ("lying", "lie"), ("dying", "die"), ("tying", "tie"), ("read", "read"), ("slid", "slide"), ("spun", "spin"),
    ("stuck", "stick"), ("struck", "strike"), ("lit", "light"), ("hung", "hang"), ("dug", "dig"), ("sewn", "sew"),
    ("mown", "mow"), ("wept", "weep"), ("crept", "creep"), ("swung", "swing"), ("sprang", "spring"),
    ("leapt", "leap"), ("dealt", "deal"), ("bred", "breed"), ("fled", "flee"), ("woke", "wake"), ("frozen", "freeze"),
];

/// Number words and their digits.
#[rustfmt::skip]
pub(super) const NUMBERS: &[(&str, &str)] = &[
    ("zero", "0"), ("one", "1"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"),
    ("seven", "7"), ("eight", "8"), ("nine", "9"), ("ten", "10"), ("eleven", "11"), ("twelve", "12"),
    ("thirteen", "13"), ("fourteen", "14"), ("fifteen", "15"), ("sixteen", "16"), ("seventeen", "17"),
    ("eighteen", "18"), ("nineteen", "19"), ("twenty", "20"), ("thirty", "30"), ("forty", "40"), ("fifty", "50"),
    ("sixty", "60"), ("seventy", "70"), ("eighty", "80"), ("ninety", "90"), ("hundred", "100"), ("thousand", "1000"),
    ("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th"), ("once", "1x"),
    ("twice", "2x"),
];

/// Adjectives of stuff and the stuff.
#[rustfmt::skip]
pub(super) const MADE_OF: &[(&str, &str)] = &[
    ("grassy", "grass"), ("sandy", "sand"), ("rocky", "rock"), ("snowy", "snow"), ("rainy", "rain"), ("muddy", "mud"),
    ("dusty", "dust"), ("wooden", "wood"), ("golden", "gold"), ("metallic", "metal"), ("woollen", "wool"),
    ("sunny", "sun"), ("windy", "wind"), ("icy", "ice"), ("salty", "salt"), ("spicy", "spice"), ("hairy", "hair"),
    ("watery", "water"), ("asian", "asia"), ("african", "africa"), ("european", "europe"), ("american", "america"),
];

/// Irregular participles of verbs that things are done by.
#[rustfmt::skip]
pub(super) const PARTICIPLES: &[&str] = &[
    "bought", "built", "caught", "cut", "done", "driven", "eaten", "fed", "given", "held", "hit", "kept", "led",
    "left", "made", "met", "paid", "put", "read", "ridden", "sold", "sent", "shot", "shown", "spread", "taken",
    "taught", "thrown", "told", "torn", "won", "worn", "written", "found", "ground", "drawn", "sung", "swept",
    "broken", "chosen", "stolen", "thought", "brought", "lent",
];

/// Words that say nothing of their own.
#[rustfmt::skip]
pub(super) const EMPTY: &[&str] = &[
    "something", "someone", "somebody", "a", "an", "the", "this", "that", "these", "those", "some", "any", "one's",
    "every", "each", "either", "both", "such", "same", "own", "other", "another", "i", "me", "my", "mine", "myself",
    "you", "your", "yours", "we", "us", "our", "ours", "he", "him", "his", "she", "her", "hers", "it", "its", "they",
    "them", "their", "theirs", "themselves", "himself", "herself", "itself", "themself", "who", "whom", "whose",
    "which", "what", "where", "when", "why", "how", "is", "are", "was", "were", "be", "been", "being", "am", "'s",
    "'re", "'m", "has", "have", "had", "having", "do", "does", "did", "doing", "done", "'ve", "'d", "'ll", "will",
    "would", "shall", "should", "can", "could", "may", "might", "must", "ought", "and", "or", "but", "if", "then",
    "so", "as", "than", "because", "while", "since", "though", "although", "however", "also", "too", "of", "in", "on",
    "at", "to", "for", "with", "by", "from", "into", "onto", "about", "between", "through", "during", "within",
    "upon", "per", "via", "there", "here", "again", "user", "users", "user's", "still", "now", "already", "just",
    "really", "very", "quite", "even", "yet", "ever", "actually", "currently", "presently", "recently", "always",
    "only", "get", "gets", "got", "getting", "gotten", "go", "goes", "going", "went", "gone", "s", "t", "d", "ll",
    "ve", "re", "m",
];

/// Weekdays and months.
#[rustfmt::skip]
pub(super) const CALENDAR: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
    "april", "may", "june", "july", "august", "september", "october", "november", "december",
];
