/** Date and time styles by language, as formats of `{{#time}}`. `{{#timef}}` and signatures use them. */

export type DateStyle = 'date' | 'time' | 'both' | 'pretty';

const english = ['j F Y', 'H:i', 'H:i, j F Y', 'j F'];

/** Formats of the date, the time of day, both, and the date without the year, for languages that differ from English. */
const styles = new Map<string, readonly string[]>(
  Object.entries({
    de: ['j. F Y', 'H:i', 'H:i, j. M Y', 'j. F'],
    fr: ['j F Y', 'H:i', 'j F Y "à" H:i', 'j F'],
    es: ['j M Y', 'H:i', 'H:i j M Y', 'j F'],
    it: ['j M Y', 'H:i', 'H:i, j M Y', 'j F'],
    pt: ['j "de" F "de" Y', 'H"h"i"min"', 'H"h"i"min" "de" j "de" F "de" Y', 'j F'],
    nl: ['j M Y', 'H:i', 'j M Y H:i', 'j F'],
    pl: ['j M Y', 'H:i', 'H:i, j M Y', 'j xg'],
    cs: ['j. n. Y', 'H:i', 'j. n. Y, H:i', 'j. n. Y'],
    sk: ['j. F Y', 'H:i', 'H:i, j. F Y', 'j. F Y'],
    hu: ['Y. F j.', 'H:i', 'Y. F j., H:i', 'F j'],
    fi: ['j. F"ta" Y', 'H.i', 'j. F"ta" Y "kello" H.i', 'j. F"ta" Y'],
    sv: ['j F Y', 'H.i', 'j F Y "kl." H.i', 'j F'],
    da: ['j. F Y', 'H:i', 'j. M Y, H:i', 'j F'],
    nb: ['j. M Y', 'H:i', 'j. M Y "kl." H:i', 'j F'],
    ja: ['Y"年"n"月"j"日" (D)', 'H:i', 'Y"年"n"月"j"日" (D) H:i', 'n"月"j"日"'],
    zh: ['Y"年"n"月"j"日" (l)', 'H:i', 'Y"年"n"月"j"日" (D) H:i', 'Y"年"n"月"j"日" (l)'],
    ko: ['Y"년" M j"일" (D)', 'H:i', 'Y"년" M j"일" (D) H:i', 'Y"년" M j"일" (D)'],
    tr: ['j F Y', 'H.i', 'H.i, j F Y', 'j F'],
    ca: ['j M Y', 'H:i', 'H:i, j M Y', 'j F'],
    ro: ['j F Y', 'H:i', 'j F Y H:i', 'j F'],
    vi: [
      '"ngày" j "tháng" n "năm" Y',
      'H:i',
      'H:i, "ngày" j "tháng" n "năm" Y',
      '"ngày" j "tháng" n "năm" Y',
    ],
    id: ['j F Y', 'H.i', 'j F Y H.i', 'j F'],
    th: ['j F xkY', 'H:i', 'H:i, j F xkY', 'j F xkY'],
    ...Object.fromEntries(
      'ru uk be el he ar la'.split(' ').map((code) => [code, ['j xg Y', 'H:i', 'H:i, j xg Y', 'j F']]),
    ),
  }),
);

const order: readonly DateStyle[] = ['date', 'time', 'both', 'pretty'];

/** Returns a format of `#time` for the language or for the language without its region, by default that of English. */
export function dateStyle(style: DateStyle, language: string): string {
  const own = styles.get(language) ?? styles.get(language.split('-', 1)[0] ?? '') ?? english;
  return own[order.indexOf(style)] ?? '';
}

/** Whether a text names a style, in lower case. */
export function isDateStyle(written: string): written is DateStyle {
  return order.some((style) => style === written);
}
