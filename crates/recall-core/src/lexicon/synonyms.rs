//! Words that say the same for the purpose of support: "moved to" shows "lives in", "allergy" shows "allergic".

use std::sync::LazyLock;

use fnv::FnvHashMap;

/// Two roots stand for the same.
pub fn same(left: &str, right: &str) -> bool {
    let groups = SAME.get(left).and_then(|groups| Some((groups, SAME.get(right)?)));
    groups.is_some_and(|(left, right)| left.iter().any(|group| right.contains(group)))
}

/// The first root names a kind of which the second is one: "pet" of "dog".
pub fn general(kind: &str, one: &str) -> bool {
    KINDS.get(kind).is_some_and(|members| members.iter().any(|member| member == one))
}

/// Two roots stand for opposites.
pub fn opposite(left: &str, right: &str) -> bool {
    OPPOSITE.get(left).is_some_and(|sides| {
        OPPOSITE.get(right).is_some_and(|others| {
            sides.iter().any(|(pair, side)| others.iter().any(|(other, across)| pair == other && side != across))
        })
    })
}

/// The kind of which both roots name one, where they name different ones: "dog" and "cat", "pink" and "yellow".
pub fn exclude(left: &str, right: &str) -> bool {
    left != right && !same(left, right) && EXCLUSIVE.get(left).is_some_and(|kind| EXCLUSIVE.get(right) == Some(kind))
}

static EXCLUSIVE: LazyLock<FnvHashMap<String, usize>> = LazyLock::new(|| {
    let kinds = KINDS_OF_ONE.split("; ").enumerate();
    kinds.flat_map(|(kind, words)| words.split(' ').map(move |word| (super::stem(word), kind))).collect()
});

/// Words of which one is put where another was said.
const KINDS_OF_ONE: &str = "dog puppy cat kitten bird snake turtle rabbit hamster horse parrot lizard fish goat cow pig sheep chicken \
    hen duck; red blue green yellow pink purple orange brown black white grey gray silver golden; mother father \
    sister brother son daughter wife husband grandmother grandfather aunt uncle cousin nephew niece girlfriend \
    boyfriend bf gf mom dad mum; guitar piano violin drum flute clarinet accordion harp cello trumpet; tea coffee beer \
    wine juice water milk; breakfast lunch dinner supper brunch; north south east west; left right; morning \
    afternoon evening night; football basketball tennis hockey rugby cricket golf volleyball baseball; english \
    french german spanish italian japanese chinese danish norwegian swedish dutch portuguese russian welsh \
    greek; wrist ankle knee elbow shoulder hip finger toe neck; bus train tram ferry plane car bike boat; bronze \
    silver gold; doctor dentist nurse lawyer teacher engineer plumber chef";

static SAME: LazyLock<FnvHashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut index: FnvHashMap<String, Vec<usize>> = FnvHashMap::default();
    for (group, line) in GROUPS.split("; ").enumerate() {
        for word in line.split(' ') {
            let groups = index.entry(super::stem(word)).or_default();
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    index
});

static KINDS: LazyLock<FnvHashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut index: FnvHashMap<String, Vec<String>> = FnvHashMap::default();
    for (kinds, members) in GENERAL {
        for kind in kinds.split(' ') {
            index.entry(super::stem(kind)).or_default().extend(members.split(' ').map(super::stem));
        }
    }
    index
});

/// A kind and what belongs to it: the kind follows from the member, never the other way round.
const GENERAL: &[(&str, &str)] = &[
    ("pet animal", "dog cat puppy kitten hamster rabbit parrot turtle pup horse snake lizard"),
    ("cat", "kitten"),
    ("dog", "puppy pup"),
    ("child kid", "son daughter boy girl toddler eldest youngest"),
    ("parent", "mother father mom dad mum"),
    ("sibling", "brother sister twin"),
    ("partner spouse", "wife husband girlfriend boyfriend"),
    (
        "family relative",
        "mother father sister brother aunt uncle cousin parent son daughter wife husband niece nephew mom dad",
    ),
    ("travel", "train flight fly bus ferry drive trip cruise sail"),
    ("sport", "football soccer basketball tennis hockey rugby cricket golf swimming surfing"),
    ("game", "chess football basketball soccer"),
    ("drink beverage", "coffee tea wine beer juice"),
    ("fruit", "apple banana kiwi strawberry orange berry"),
    ("food meal", "pizza pasta sushi bread cake soup salad breakfast lunch dinner"),
    ("vehicle", "car van truck bus"),
    ("instrument", "guitar piano violin drum flute clarinet accordion harp"),
    ("friend people person", "friend buddy pal guy folk everyone"),
    ("art", "paint draw sculpture sketch"),
    ("music", "song band album concert tune"),
    ("place", "park beach mountain forest city town cafe restaurant spot"),
    ("outdoor nature", "park beach mountain forest hike trail lake river camp"),
    ("event", "party concert festival wedding fair tournament"),
    ("job", "engineer teacher nurse manager"),
    ("dessert", "cake cookie pie cupcake icecream tart brownie"),
];

type Sides = Vec<(usize, usize)>;

static OPPOSITE: LazyLock<FnvHashMap<String, Sides>> = LazyLock::new(|| {
    let mut index: FnvHashMap<String, Sides> = FnvHashMap::default();
    for (pair, sides) in OPPOSITES.iter().enumerate() {
        for (side, words) in sides.iter().enumerate() {
            for word in words.split(' ') {
                index.entry(super::stem(word)).or_default().push((pair, side));
            }
        }
    }
    index
});

const OPPOSITES: &[[&str; 2]] = &[
    ["like love enjoy adore fan fond stand", "hate dislike loathe detest"],
    ["happy happier glad pleased", "unhappy sad"],
    ["more", "less fewer"],
    ["bigger larger", "smaller"],
    ["older elder", "younger"],
    ["better", "worse"],
    ["taller", "shorter"],
    ["faster", "slower"],
    ["cheaper", "dearer"],
    ["higher", "lower"],
    ["buy", "sell"],
    ["open", "close"],
    ["start begin", "stop end quit finish"],
    ["remember", "forget"],
    ["pass", "fail"],
    ["win", "lose"],
    ["increase rise grow", "decrease fall drop shrink"],
    ["early", "late"],
    ["first", "last"],
    ["easy", "hard difficult"],
    ["married", "single divorced"],
    ["expensive", "cheap"],
    ["always", "never"],
    ["accept", "reject decline refuse"],
    ["agree", "disagree"],
    ["before", "after"],
    ["arrive", "leave"],
];

const GROUPS: &str = "live reside move settle base stay; house home flat apartment place; job work employ employer position \
    career; work employ job; allergic allergy alergic alergy; anybody anyone; everybody everyone; somebody someone; buy purchase get acquire; own have get possess; big large huge \
    enormous; happy happier glad pleased joy delight happiness; like love enjoy adore fan fond stand; hate \
    dislike loathe; start begin launch open kick; finish complete end wrap; car vehicle; bike bicycle; film \
    movie; picture photo photograph pic image; shop store boutique; business biz company firm venture; friend \
    buddy pal bestie mate; trip travel journey vacation holiday visit; visit go trip; marry wedding marriage; \
    doctor physician; ill sick; illness disease sickness; begin start; help support assist aid; encourage \
    support cheer motivate push; hope want wish dream; try attempt; difficult hard tough challenging; challenge \
    difficulty obstacle setback struggle hardship; goal dream aim ambition target; great awesome amazing \
    wonderful fantastic incredible cool; beautiful gorgeous lovely stunning pretty; enjoy fun love; forward wait \
    excited eager; excited stoked thrilled pumped eager keen psyched; create make build design produce; \
    important key crucial essential; discover find; recommend suggest advise recommendation; discuss talk chat \
    conversation; organise organize arrange plan set; teach instruct train lesson; learn study; run manage \
    operate; manage handle cope; win victory first champion; compete competition contest comp tournament; game \
    gaming play; cook bake make prepare; food meal dish; song tune; book novel read; \
    recently lately recent just last; currently now; often frequently regularly lot; usually normally generally; \
    year annual; buddy friend; repair fix mend restore; break fracture injure injury; injury hurt injure; pain \
    hurt ache; fear scare afraid scary; anxious nervous worried stress stressful; calm relax peace peaceful \
    soothing; grateful thankful appreciate thank thanks gratitude; proud pride; strength strong; inspire \
    inspiration inspiring motivate; passion passionate love; opportunity chance; improve better enhance boost; \
    increase raise grow; quit leave resign; quit give; stop end; physiotherapy physio; exam test examination; \
    letter mail post; send post mail; reply answer respond response; kid child; city town; country nation; \
    chicken hen; boat ship; phone mobile; lodging stay; nature outdoors outdoor; hike trail walk trek; run jog; \
    swim swimming; exercise workout gym fitness; collect collection; write writing writer; paint painting \
    painter art; draw drawing sketch; dance dancing dancer; sing singing singer; volunteer help; donate donation \
    give; event function; photo camera photography; garden gardening plant; feel sense; share tell show; value \
    appreciate cherish treasure; believe think belief faith; success successful succeed; fail failure; lose \
    loss; earn income salary; money cash fund; cheap affordable; unique special; special memorable meaningful; \
    memory memorable remember reminder remind; search look hunt seek find; spot place location site; customer \
    client; advertise ad marketing campaign; speak talk; gift present; celebrate party celebration; award prize; \
    delicious tasty yummy; dessert sweet treat cake; tired exhausted exhausting; surprise unexpected; mum \
    mother; join participate part; participate part compete; struggle hard difficult; overcome face handle; \
    perform performance show; practice practise rehearse train; relationship bond connection; connect connection \
    bond; community group neighborhood; kind nice friendly; determined determination persevere; persevere keep \
    push; healthy health; diet eat food; vegetarian veggie; soon upcoming next; attend go; bring get; receive \
    get; call name; ready prepare; want wish hope; birthday bday; boyfriend bf; girlfriend gf; appointment appt; \
    apartment apt flat; holiday vacation vacay; doctor doc; medication medicine meds; \
    university uni; weekend wknd; tomorrow tmrw";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::stem;

    #[test]
    fn synonyms_meet_and_opposites_are_told_apart() {
        assert!(same(&stem("allergic"), &stem("allergy")));
        assert!(opposite(&stem("like"), &stem("hate")));
        assert!(!opposite(&stem("like"), &stem("love")));
        assert!(general(&stem("pet"), &stem("dog")) && !general(&stem("dog"), &stem("pet")));
        assert!(!same(&stem("cat"), &stem("dog")));
    }
}
