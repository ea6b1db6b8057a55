/// The number of the month that a lower-cased word names, 1 to 12.
///
/// A word names a month by its first three letters or more, in any of the table's languages: `sept`, `déc`.
func monthNumber(named word: String) -> Int? {
    if let month = englishMonths[word] { return month }
    guard word.count >= 3 else { return nil }
    return monthNames.firstIndex { names in names.contains { $0.hasPrefix(word) } }.map { $0 + 1 }
}

/// The number of the weekday that a lower-cased English word names, Sunday being 0.
func weekdayNumber(named word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    return englishWeekdays.firstIndex { $0.hasPrefix(word) }
}

/// Words that may stand between the parts of a date and say nothing.
let dateFillers: Set<String> = [
    "at", "of", "on", "the", "de", "den", "der", "del", "le", "um", "kl", "à",
    "st", "nd", "rd", "th", "er", "º", "ª",
    "年", "月", "日", "년", "월", "일",
]

/// Words for the halves of the day, and how many hours each adds to a twelve-hour clock.
let halfDayHours: [String: Int] = [
    "am": 0, "a.m": 0, "오전": 0,
    "pm": 12, "p.m": 12, "오후": 12,
]

/// Korean words, which only servers on Korean time write.
let koreanWords: Set<String> = ["년", "월", "일", "오전", "오후"]

/// The spellings that nearly every feed uses, answered without a search.
private let englishMonths: [String: Int] = [
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
    "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
]

private let englishWeekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

/// Month names, a row per month: English, German, French, Spanish, Italian, Portuguese, Dutch, Nordic,
/// Polish, Hungarian, Russian, Greek.
///
/// A row holds full names, and short forms only where they are not the beginning of a full one.
private let monthNames: [[String]] = [
    [
        "january", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro", "styczeń", "stycznia",
        "január", "январь", "января", "ιανουάριος", "ιανουαρίου",
    ],
    [
        "february", "februar", "feber", "février", "fevrier", "febrero", "fevereiro", "luty", "lutego",
        "február", "февраль", "февраля", "φεβρουάριος", "φεβρουαρίου",
    ],
    [
        "march", "märz", "maerz", "mrz", "mars", "marzo", "março", "maart", "mrt", "marzec", "marca",
        "március", "март", "марта", "μάρτιος", "μαρτίου",
    ],
    [
        "april", "avril", "abril", "aprile", "kwiecień", "kwietnia", "április", "апрель", "апреля",
        "απρίλιος", "απριλίου",
    ],
    [
        "may", "mai", "mayo", "maggio", "maio", "mei", "maj", "maja", "május", "май", "мая", "μάιος",
        "μαΐου", "μαϊ",
    ],
    [
        "june", "juni", "juin", "junio", "giugno", "junho", "czerwiec", "czerwca", "június", "июнь", "июня",
        "ιούνιος", "ιουνίου",
    ],
    [
        "july", "juli", "juillet", "julio", "luglio", "julho", "lipiec", "lipca", "július", "июль", "июля",
        "ιούλιος", "ιουλίου",
    ],
    [
        "august", "août", "aout", "agosto", "augustus", "sierpień", "sierpnia", "augusztus", "август",
        "августа", "αύγουστος", "αυγούστου",
    ],
    [
        "september", "septembre", "septiembre", "settembre", "setembro", "wrzesień", "września",
        "szeptember", "сентябрь", "сентября", "σεπτέμβριος", "σεπτεμβρίου",
    ],
    [
        "october", "oktober", "octobre", "octubre", "ottobre", "outubro", "październik", "października",
        "október", "октябрь", "октября", "οκτώβριος", "οκτωβρίου",
    ],
    [
        "november", "novembre", "noviembre", "novembro", "listopad", "listopada", "ноябрь", "ноября",
        "νοέμβριος", "νοεμβρίου",
    ],
    [
        "december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro", "desember",
        "grudzień", "grudnia", "декабрь", "декабря", "δεκέμβριος", "δεκεμβρίου",
    ],
]
