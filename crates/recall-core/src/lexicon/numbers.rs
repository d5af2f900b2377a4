//! Number words and digits as one value, so that "twelve", "12" and "a dozen" meet.

use std::sync::LazyLock;

use fnv::FnvHashMap;

/// The value a folded word or number stands for, in one spelling (`12`, `7:40`, `3`).
pub fn value(folded: &str) -> Option<String> {
    let word = if folded.ends_with("'s") { folded.trim_end_matches("'s") } else { folded };
    if let Some(value) = BY_WORD.get(word) {
        return Some((*value).to_owned());
    }
    if let Some(value) = word.split_once('-').and_then(|(tens, ones)| compound(tens, ones)) {
        return Some(value.to_string());
    }
    if word.chars().next().is_some_and(char::is_numeric) {
        return Some(digits(word));
    }
    None
}

fn compound(tens: &str, ones: &str) -> Option<u32> {
    let number = |name: &str| BY_WORD.get(name).and_then(|value| value.parse::<u32>().ok());
    let ones = match ones {
        "one" | "first" => 1,
        "second" => 2,
        ones => number(ones)?,
    };
    let tens = number(tens)?;
    ((20..100).contains(&tens) && ones < 10).then_some(tens + ones)
}

/// Decimal digits of any script as ASCII, without leading zeros, ordinal endings and thousands separators.
fn digits(word: &str) -> String {
    let ascii: String =
        word.chars().map(|c| digit(c).map_or(c, |value| char::from_digit(value, 10).unwrap_or(c))).collect();
    let ascii = ascii.replace(',', "");
    let plain = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| ascii.strip_suffix(end).filter(|head| head.chars().all(|c| c.is_ascii_digit())));
    let plain = plain.unwrap_or(&ascii);
    let trimmed = plain.trim_start_matches('0');
    if trimmed.chars().next().is_some_and(|c| c.is_ascii_digit()) { trimmed.to_owned() } else { plain.to_owned() }
}

/// First characters of the runs of ten decimal digits that are in everyday use.
const ZEROS: [char; 10] =
    ['0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{be6}', '\u{e50}', '\u{ff10}'];

fn digit(c: char) -> Option<u32> {
    ZEROS.iter().find_map(|zero| {
        let from = u32::from(c).checked_sub(u32::from(*zero))?;
        (from < 10).then_some(from)
    })
}

static BY_WORD: LazyLock<FnvHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let abroad = ABROAD.split("; ").filter_map(|line| line.split_once(' '));
    let abroad = abroad.flat_map(|(value, words)| words.split(' ').map(move |word| (word, value)));
    WORDS.iter().copied().chain(abroad).collect()
});

/// Number words of other languages, behind their value, without those that are also words of English ("seize", "quince", "once").
const ABROAD: &str = "2 dwa dwie dwóch twee två dois duas; 3 tre trzy trzech drie três; 4 quattro quatro cztery czterech vier fyra fire; \
    5 cinque cinco pięć pięciu vijf fem; 6 sześć sześciu zes; 7 sette sete siedem siedmiu zeven; 8 oito osiem ośmiu; \
    9 nove dziewięć dziewięciu negen; 10 dieci dez dziesięć dziesięciu tien; 11 undici onze; 12 douze doce dodici doze dwanaście \
    twaalf; 13 treize trece tredici treze dreizehn dertien; 14 quatorze catorce quattordici catorze vierzehn veertien; \
    15 quinze quindici fünfzehn vijftien piętnaście; 16 dieciséis sedici dezesseis dezasseis sechzehn zestien; \
    17 diecisiete diciassette dezessete siebzehn zeventien; 18 dieciocho diciotto dezoito achtzehn achttien; \
    19 diecinueve diciannove dezenove neunzehn negentien; 20 vingt veinte venti vinte zwanzig twintig dwadzieścia; \
    30 trente treinta trenta trinta dreißig dertig trzydzieści; 40 quarante cuarenta quaranta quarenta vierzig veertig; \
    50 cinquante cincuenta cinquanta cinquenta fünfzig vijftig; 60 soixante sesenta sessanta sessenta sechzig zestig; \
    70 setenta settanta siebzig zeventig; 80 ochenta ottanta oitenta achtzig tachtig; 90 noventa novanta neunzig negentig; \
    100 hundert cento cien sto honderd";

/// "one" and "a" are left out: they are pronouns and articles more often than numbers.
const WORDS: &[(&str, &str)] = &[
    ("zero", "0"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("dozen", "12"),
    ("thirteen", "13"),
    ("fourteen", "14"),
    ("fifteen", "15"),
    ("sixteen", "16"),
    ("seventeen", "17"),
    ("eighteen", "18"),
    ("nineteen", "19"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("seventy", "70"),
    ("eighty", "80"),
    ("ninety", "90"),
    ("hundred", "100"),
    ("thousand", "1000"),
    ("million", "1000000"),
    ("couple", "2"),
    ("both", "2"),
    ("twice", "2"),
    ("third", "3"),
    ("fourth", "4"),
    ("fifth", "5"),
    ("sixth", "6"),
    ("seventh", "7"),
    ("eighth", "8"),
    ("ninth", "9"),
    ("tenth", "10"),
    ("eleventh", "11"),
    ("twelfth", "12"),
    ("thirteenth", "13"),
    ("fourteenth", "14"),
    ("fifteenth", "15"),
    ("sixteenth", "16"),
    ("seventeenth", "17"),
    ("eighteenth", "18"),
    ("nineteenth", "19"),
    ("twentieth", "20"),
    ("thirtieth", "30"),
    ("fortieth", "40"),
    ("fiftieth", "50"),
    ("sixtieth", "60"),
    ("seventieth", "70"),
    ("eightieth", "80"),
    ("ninetieth", "90"),
    ("hundredth", "100"),
    ("zwei", "2"),
    ("drei", "3"),
    ("vier", "4"),
    ("fünf", "5"),
    ("sechs", "6"),
    ("sieben", "7"),
    ("acht", "8"),
    ("neun", "9"),
    ("zehn", "10"),
    ("elf", "11"),
    ("zwölf", "12"),
    ("dos", "2"),
    ("tres", "3"),
    ("cuatro", "4"),
    ("cinco", "5"),
    ("seis", "6"),
    ("siete", "7"),
    ("ocho", "8"),
    ("nueve", "9"),
    ("diez", "10"),
    ("deux", "2"),
    ("trois", "3"),
    ("quatre", "4"),
    ("cinq", "5"),
    ("sept", "7"),
    ("huit", "8"),
    ("neuf", "9"),
    ("dix", "10"),
    ("二", "2"),
    ("两", "2"),
    ("三", "3"),
    ("四", "4"),
    ("五", "5"),
    ("六", "6"),
    ("七", "7"),
    ("八", "8"),
    ("九", "9"),
    ("十", "10"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_digits_of_any_script_meet_in_one_value() {
        let table = [
            ("twelve", "12"),
            ("12", "12"),
            ("07:40", "7:40"),
            ("twenty-one", "21"),
            ("9th", "9"),
            ("٧", "7"),
            ("1,850", "1850"),
            ("0", "0"),
        ];
        for (said, value) in table {
            assert_eq!(super::value(said).as_deref(), Some(value), "{said}");
        }
        assert_eq!(value("tent"), None);
    }
}
