//! Irregular verbs of English, since a stemmer leaves "took" and "take" apart.

use std::sync::LazyLock;

use fnv::{FnvHashMap, FnvHashSet};

/// The base of an irregular form; the base itself for itself.
pub fn base(word: &str) -> Option<&'static str> {
    FORMS.get(word).map(|form| form.base)
}

/// The stem of the base of an irregular form.
pub fn root(word: &str) -> Option<&'static str> {
    FORMS.get(word).map(|form| form.root.as_str())
}

/// Two forms of one verb of another language that share hardly a letter ("esse", "isst"; "ем", "ест").
pub fn is_form_of(left: &str, right: &str) -> bool {
    GERMAN
        .split("; ")
        .chain(OTHERS.split("; "))
        .any(|line| line.split(' ').any(|form| form == left) && line.split(' ').any(|form| form == right))
}

const OTHERS: &str = "учусь учится учимся; ем ест едим; пью пьёт пьет; хочу хочет; люблю любит; вожу водит; пишу пишет; езжу ездит; хожу \
    ходит; jem je jemy; piję pije; chcę chce; faccio fa; vado va; esco esce; fais fait; vais va; bois boit; lis lit; \
    vis vit; tengo tiene; quiero quiere; juego juega; duermo duerme";

const GERMAN: &str = "essen esse isst ißt aß gegessen; lesen lese liest las gelesen; geben gebe gibt gab gegeben; nehmen nehme \
    nimmt nahm genommen; sprechen spreche spricht sprach gesprochen; sehen sehe sieht sah gesehen; helfen helfe \
    hilft half geholfen; treffen treffe trifft traf getroffen; vergessen vergesse vergisst vergaß; fahren fahre \
    fährt fuhr gefahren; tragen trage trägt trug getragen; schlafen schlafe schläft schlief geschlafen; laufen \
    laufe läuft lief gelaufen; haben habe hat hatte gehabt; sein bin ist war gewesen; werden werde wird wurde \
    geworden; wissen weiß wusste gewusst; können kann konnte; wollen will wollte; müssen muss musste; mögen mag \
    mochte; dürfen darf durfte";

/// When a form speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// "take", "takes".
    Present,
    /// "took", "taken", "walked".
    Past,
    /// "taking".
    Progressive,
    /// "put", or no verb that is known.
    Unclear,
}

/// The form of a folded word that is taken for a verb.
pub fn form(word: &str) -> Form {
    if let Some(known) = FORMS.get(word) {
        return known.form;
    }
    if word.len() > 4 && word.ends_with("ing") && !NOUNS.split(' ').any(|noun| noun == word) {
        return Form::Progressive;
    }
    if word.len() > 3 && word.ends_with("ed") {
        return Form::Past;
    }
    Form::Unclear
}

/// The word is a form of an irregular verb, or of a regular one that is met often.
pub fn is_known(word: &str) -> bool {
    FORMS.contains_key(word) || REGULAR.contains(word)
}

/// Every form of the frequent regular verbs.
static REGULAR: LazyLock<FnvHashSet<String>> = LazyLock::new(|| {
    let mut forms = FnvHashSet::default();
    for verb in COMMON.split(' ') {
        let stem = verb.strip_suffix('e').unwrap_or(verb);
        let soft = verb.strip_suffix('y').map(|stem| format!("{stem}i"));
        let stems = [stem, soft.as_deref().unwrap_or(stem)];
        forms.insert(verb.to_owned());
        forms.extend(stems.iter().flat_map(|stem| ["s", "es", "ed", "ing"].map(|end| format!("{stem}{end}"))));
        // "plan", "planned": a doubled last letter.
        let last = verb.chars().next_back().filter(|c| !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'w'));
        forms.extend(last.into_iter().flat_map(|last| ["ed", "ing"].map(|end| format!("{verb}{last}{end}"))));
    }
    forms
});

/// Nouns that look like progressive forms.
const NOUNS: &str = "wedding morning evening building meeting thing string spring ceiling clothing feeling painting nothing \
    something anything everything during king ring sibling pudding earring";

struct Known {
    base: &'static str,
    root: String,
    form: Form,
}

static FORMS: LazyLock<FnvHashMap<&'static str, Known>> = LazyLock::new(|| {
    let mut forms = FnvHashMap::default();
    for line in IRREGULAR.split("; ") {
        let words: Vec<&'static str> = line.split(' ').collect();
        let Some(base) = words.first().copied() else { continue };
        for (place, word) in words.iter().copied().enumerate() {
            let same = words.iter().filter(|other| **other == word).count() > 1 && word == base;
            let form = if same { Form::Unclear } else { FORM_OF_PLACE.get(place).copied().unwrap_or(Form::Past) };
            forms.entry(word).or_insert_with(|| Known { base, root: super::stem(base), form });
        }
    }
    forms
});

/// Base, third person, past, participle, progressive, further past forms.
const FORM_OF_PLACE: [Form; 5] = [Form::Present, Form::Present, Form::Past, Form::Past, Form::Progressive];

const IRREGULAR: &str = "be is was been being are were am; have has had had having; do does did done doing; go goes went gone going; \
    get gets got gotten getting; make makes made made making; take takes took taken taking; come comes came come \
    coming; see sees saw seen seeing; know knows knew known knowing; think thinks thought thought thinking; give \
    gives gave given giving; find finds found found finding; tell tells told told telling; feel feels felt felt \
    feeling; become becomes became become becoming; leave leaves left left leaving; put puts put put putting; \
    mean means meant meant meaning; keep keeps kept kept keeping; let lets let let letting; begin begins began \
    begun beginning; show shows showed shown showing; hear hears heard heard hearing; run runs ran run running; \
    hold holds held held holding; bring brings brought brought bringing; write writes wrote written writing; sit \
    sits sat sat sitting; stand stands stood stood standing; lose loses lost lost losing; pay pays paid paid \
    paying; meet meets met met meeting; set sets set set setting; learn learns learnt learned learning; lead \
    leads led led leading; understand understands understood understood understanding; speak speaks spoke spoken \
    speaking; read reads read read reading; spend spends spent spent spending; grow grows grew grown growing; \
    win wins won won winning; buy buys bought bought buying; send sends sent sent sending; build builds built \
    built building; fall falls fell fallen falling; cut cuts cut cut cutting; sell sells sold sold selling; \
    drive drives drove driven driving; break breaks broke broken breaking; draw draws drew drawn drawing; choose \
    chooses chose chosen choosing; wear wears wore worn wearing; eat eats ate eaten eating; drink drinks drank \
    drunk drinking; sing sings sang sung singing; swim swims swam swum swimming; fly flies flew flown flying; \
    forget forgets forgot forgotten forgetting; teach teaches taught taught teaching; catch catches caught \
    caught catching; fight fights fought fought fighting; throw throws threw thrown throwing; sleep sleeps slept \
    slept sleeping; ride rides rode ridden riding; rise rises rose risen rising; shake shakes shook shaken \
    shaking; steal steals stole stolen stealing; hurt hurts hurt hurt hurting; hit hits hit hit hitting; quit \
    quits quit quit quitting; cost costs cost cost costing; hide hides hid hidden hiding; bite bites bit bitten \
    biting; blow blows blew blown blowing; feed feeds fed fed feeding; dig digs dug dug digging; wake wakes woke \
    woken waking; tear tears tore torn tearing; lend lends lent lent lending; bend bends bent bent bending; \
    light lights lit lit lighting; lie lies lay lain lying; lay lays laid laid laying; freeze freezes froze \
    frozen freezing; swear swears swore sworn swearing; stick sticks stuck stuck sticking; strike strikes struck \
    struck striking; deal deals dealt dealt dealing; hang hangs hung hung hanging; shoot shoots shot shot \
    shooting; shut shuts shut shut shutting; spread spreads spread spread spreading; bear bears bore borne \
    bearing; beat beats beat beaten beating; bind binds bound bound binding; bleed bleeds bled bled bleeding; \
    breed breeds bred bred breeding; burn burns burnt burned burning; dream dreams dreamt dreamed dreaming; \
    forgive forgives forgave forgiven forgiving; sew sews sewed sewn sewing; seek seeks sought sought seeking; \
    shine shines shone shone shining; slide slides slid slid sliding; smell smells smelt smelled smelling; spin \
    spins spun spun spinning; sweep sweeps swept swept sweeping; weep weeps wept wept weeping; bid bids bid bid \
    bidding; ring rings rang rung ringing; sink sinks sank sunk sinking; spill spills spilt spilled spilling; \
    die dies died died dying; try tries tried tried trying; move moves moved moved moving; live lives lived \
    lived living; work works worked worked working; love loves loved loved loving; use uses used used using; \
    need needs needed needed needing; want wants wanted wanted wanting";

/// Frequent regular verbs, by which a clause without a subject is known.
const COMMON: &str = "like play start finish help call ask talk walk cook bake paint plan pick join visit watch enjoy hate miss \
    hope try open close clear clean clos collect travel train study practice practise volunteer adopt attend \
    book borrow carry change check decide design discover drop earn end fix follow found hand happen hike hire \
    invite jog look manage marry order organise organize own pass prefer promise publish pull push reach receive \
    record remember rent repair retire return save sign stay stop support switch teach turn wait wash wish worry \
    post share launch create appreciate consider plant fish might may gonna will can could would should must";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn irregular_forms_lead_to_their_base_and_tense() {
        assert_eq!(base("took"), Some("take"));
        assert_eq!(form("took"), Form::Past);
        assert_eq!(form("takes"), Form::Present);
        assert_eq!(form("put"), Form::Unclear);
        assert_eq!(form("walked"), Form::Past);
        assert!(is_known("joined"));
        assert!(!is_known("garden"));
    }
}
