//! Closed word classes of English, as data: what a clause can begin with is decided by these and not by a tagger, which would cost more than the turn.

use std::sync::LazyLock;

use fnv::FnvHashSet;

/// A class of words.
type Words = LazyLock<FnvHashSet<&'static str>>;

fn set(words: &'static str) -> FnvHashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Words joined to what follows: they open a clause without being part of it.
pub(super) static FILLERS: Words = LazyLock::new(|| {
    set(
        "and but or so then also anyway anyways btw oh ah well now honestly actually basically really still plus yet um \
    uh hmm er erm like hey hi hello ok okay yeah yes yep no nope nah right sure lol haha wow ugh thanks thx sorry \
    look listen because cause 'cause cuz coz though although however maybe perhaps apparently unfortunately luckily \
    sadly finally currently recently sometimes usually today tomorrow yesterday tonight just besides otherwise \
    whereas while by please pls plz kindly",
    )
});

/// Words that begin another main clause where a subject and a verb follow.
pub(super) static COORDINATORS: Words =
    LazyLock::new(|| set("and but or so because cause 'cause cuz coz though although while yet whereas plus then"));

/// Words that open a clause which hangs on the next one.
pub(super) static SUBORDINATORS: Words = LazyLock::new(|| {
    set(
        "if unless when whenever once since although though while before after until till as because suppose supposing in \
    whether even given provided wenn",
    )
});

/// Subjects that are a word of their own.
pub(super) static SUBJECTS: Words = LazyLock::new(|| {
    set("i we he she they you it that this these those there everyone everybody someone somebody nobody everything \
    something nothing both all most some mine u ppl people neither one what who")
});

/// Subjects glued to their verb.
pub(super) static GLUED_SUBJECTS: Words = LazyLock::new(|| {
    set("i'm i've i'll i'd im ive we're we've we'll we'd he's he'll he'd she's she'll she'd they're they've they'll \
    they'd you're you've you'll you'd it's it'll it'd that's that'll there's there'll here's dont everyone's \
    nobody's everything's who's what's thats youre theyre hes shes")
});

/// What stands before a noun.
pub(super) static DETERMINERS: Words = LazyLock::new(|| {
    set("the a an my our your his her their its this that these those some any every each no both all most many few \
    another one two three four five six seven eight nine ten")
});

/// Auxiliaries: with a subject after them they ask, with one before them they state.
pub(super) static AUXILIARIES: Words = LazyLock::new(|| {
    set("am is are was were be do does did have has had can could will would shall should may might must isn't aren't \
    wasn't weren't don't doesn't didn't haven't hasn't hadn't can't cannot couldn't won't wouldn't shouldn't mustn't \
    ain't isnt arent wasnt doesnt didnt dont havent cant wont used going gonna gotta")
});

/// Auxiliaries that begin a question before a subject that is not a pronoun.
pub(super) static ASKING: Words = LazyLock::new(|| {
    set("am is are was were do does did can could will would shall should isn't aren't wasn't weren't don't doesn't \
    didn't haven't hasn't can't couldn't won't wouldn't shouldn't ain't have has had may might")
});

/// Pronouns after an auxiliary that make a question.
pub(super) static ASKED: Words = LazyLock::new(|| {
    set(
        "i you u we he she it they this that these those there anyone anybody someone somebody everyone any your ya yall \
    y'all",
    )
});

/// Question words.
pub(super) static ASKERS: Words = LazyLock::new(|| set("what who whom whose which where when why how wat"));

/// Question words glued to their verb.
pub(super) static GLUED_ASKERS: Words = LazyLock::new(|| {
    set(
        "what's who's where's when's why's how's whats wheres hows what're how're where'd how'd why'd what'd who'd how'll \
    what'll wassup whatcha",
    )
});

/// Finite verbs that are not regular pasts: common present and past forms.
pub(super) static FINITE: Words = LazyLock::new(|| {
    set(
        "got gets get went goes go came comes come took takes take made makes make said says say told tells tell thinks \
    think thought knows know knew wants want needs need likes like loves love hates hate lives live works work plays \
    play keeps keep kept gave gives give found finds find left leaves leave felt feels feel bought buys buy brought \
    brings bring began begins begin starts start ran runs run saw sees see met meets meet sent sends send set sets \
    spent spends spend stood stands sold sells sell sat sits slept sleeps sleep spoke speaks speak swam taught \
    teaches teach wore wears wear won wins win wrote writes write broke breaks break built builds build caught chose \
    cost costs cut cuts drew drank drinks drink drove drives drive ate eats eat fell falls fought flew flies fly \
    forgot forgets forget grew grows grow hangs heard hears hear held holds hit hurt hurts led lent let lets lost \
    loses lose means mean meant paid pays pay put puts quit read reads rides ride rode rang rose shut sings sing \
    sang stole sticks stuck tastes taste threw understands woke wakes seems seem looks look sounds sound helps help \
    asks ask uses use tries try turns turn calls call moves move stays stay studies study hopes hope owns own opens \
    open closes close ends end happens bakes cooks cook walks walk talks talk visits visit watches watch barely \
    never always still just also already really measures sheds belongs depends pulls draws insists prefers prefer \
    can grumbles laughs",
    )
});

/// Words that end in "-ed" without being verbs.
pub(super) static NOT_PAST: Words =
    LazyLock::new(|| set("bed red need speed seed feed shed hundred kindred embed indeed weed sled wed fed med"));

/// Verbs of saying and thinking: what follows them is their content, even after a comma.
pub(super) static SAYING: Words = LazyLock::new(|| {
    set(
        "said says say told tells think thinks thought guess know knows heard wrote writes asked asks means mean claims \
    claimed swears believe hope suppose reckon",
    )
});

/// What people order with: the base form of verbs that ask somebody to do something.
pub(super) static ORDERS: Words = LazyLock::new(|| {
    set(
        "tell give show write make help book put remind suggest recommend explain translate summarize summarise list find \
    search send draft create generate check fix rewrite shorten add remove delete remember forget note call set play \
    open turn start stop compare describe name pick choose calculate convert keep look try let lets let's stay use \
    answer reply respond respect ask imagine pretend ignore act order plan schedule proofread correct improve define \
    draw design format print run read repeat save store include avoid consider provide address enjoy have take go \
    come wait hold hang speak talk switch change continue skip watch think believe bring get see be cancel reserve \
    buy compose outline paraphrase simplify sort solve teach update do leave follow guess share say grab text email \
    message prepare sing mark treat mention propose offer serve wake",
    )
});

/// Orders that are often nouns or statements without their subject; they need more than their place to be orders.
pub(super) static WEAK_ORDERS: Words = LazyLock::new(|| {
    set(
        "plan name play start run read have go come get see do leave text email message book order list note set put cut \
    change design work love guess share say think believe bring talk draft search walk answer mark use watch turn \
    look call stop address open study hold try help keep treat need",
    )
});

/// What follows an order and nothing else: whom or what it is about.
pub(super) static ORDERED: Words = LazyLock::new(|| {
    set(
        "me us my our the a an this that these those it them him her some all up for to out on in off at your every any \
    two three five ten one about how what if which why with into down away back only more",
    )
});

/// Pasts that show a left-out subject after a comma.
pub(super) static BARE_PASTS: Words = LazyLock::new(|| {
    set(
        "got went took was slept bought had saw ate gave made met haven't didn't don't can't couldn't won't hasn't wasn't \
    havent didnt dont cant lost left came did wrote ran drove flew paid spent started moved need love loved hate \
    hated work live play played never turned decided",
    )
});
