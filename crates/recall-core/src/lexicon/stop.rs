//! Words that carry no claim of their own: articles, pronouns, auxiliaries, and words a claim adds when it retells.

use std::sync::LazyLock;

use fnv::FnvHashSet;

/// The word carries nothing that a source would have to carry.
pub fn is_function(word: &str) -> bool {
    FUNCTION.contains(word)
}

/// The word names an attitude or an act of speaking that any first-person sentence shows ("believes", "mentions").
pub fn is_retelling(root: &str) -> bool {
    RETELLING.contains(root)
}

/// The word begins to tell what somebody says, thinks or feels of something, not only that one likes it.
pub fn is_frame(root: &str) -> bool {
    !LIKING.contains(root)
}

/// A verb with hardly any content of its own ("has", "goes").
pub fn is_light(root: &str) -> bool {
    LIGHT.contains(root)
}

/// Share of English function words among words, above which a text is taken as English.
pub const ENGLISH_SHARE: f64 = 0.15;

static FUNCTION: LazyLock<FnvHashSet<&'static str>> = LazyLock::new(|| FUNCTION_WORDS.split_whitespace().collect());
static LIGHT: LazyLock<FnvHashSet<String>> =
    LazyLock::new(|| LIGHT_WORDS.split_whitespace().map(super::stem).collect());
static LIKING: LazyLock<FnvHashSet<String>> =
    LazyLock::new(|| LIKING_WORDS.split_whitespace().map(super::stem).collect());
static RETELLING: LazyLock<FnvHashSet<String>> =
    LazyLock::new(|| RETELLING_WORDS.split_whitespace().map(super::stem).collect());

const FUNCTION_WORDS: &str = "a an the this that these those there here it its it's itself he him his she her hers they them their theirs \
    themself themselves i me my mine we us our ours you your yours one ones who whom whose which what where when while how why \
    and or but nor so yet if then than as at by for from in into of off on onto out over to up with about after before \
    between during through throughout until till upon via within along among around across against toward towards under \
    be am is are was were been being i'm i've i'd i'll we're we've we'll we'd you're you've they're they've he's she's that's there's \
    do does did doing don't doesn't didn't has have had having hasn't haven't hadn't will would can could shall should may might must \
    won't wouldn't can't cannot couldn't shouldn't isn't aren't wasn't weren't not no n't never \
    very really quite just too also such both each other another some any all every own same even still already again ever \
    user user's users s t own himself herself myself yourself ourselves because since though although due \
    der die das den dem des ein eine einen einem einer und oder nutzer nutzerin nutzers ist hat mit als von zum zur beim seit \
    seine seinen seiner ihr ihre ihren el la los las un una unos y o de del al usuario usuaria que en es su sus \
    用 户 的 了 在 是 المستخدم في من منذ उपयोगकर्ता में है हूँ का की के और";

const LIGHT_WORDS: &str = "have get be do go make take use keep come put let own want need like thing way lot kind bit time day \
    currently recently now new good great feel look seem become plan going one own something someone anything week month year ago number name call";

const LIKING_WORDS: &str =
    "enjoy love like interest interested passion passionate willing happy glad wants planning help involve include";

const RETELLING_WORDS: &str = "believe think feel consider mention express say tell share describe appreciate find value view see \
    acknowledge admit agree recognize realize understand hope aim intend seek encourage support thank grateful gratitude \
    excited excitement enthusiasm enthusiastic eager thrilled interested interest happy glad proud enjoy love like willing \
    determined passionate passion inspired inspire motivated motivate important importance experience conversation offer \
    particularly especially various including involve reference specific different personal help show indicate suggest advise \
    assure reassure emphasize emphasise highlight stress remind urge comment discuss endeavor endeavour effort appear cooperation \
    confident confidence assist remark respond ensure \
    ask inquire curious compliment praise congratulate admire impressed planning wants";
