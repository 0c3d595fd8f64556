/** Roman and Hebrew numerals. */

const romanDigits = 'M CM D CD C XC L XL X IX V IV I'.split(' ');
const romanValues = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];

/** Returns `MMIX` for `2009`. Text that is no number up to 10,000 stays as it is. */
export function romanNumeral(text: string): string {
  const number = whole(text, 10_000);
  if (number === undefined) return text;
  let rest: number = number;
  let out = '';
  romanValues.forEach((value, index) => {
    for (; rest >= value; rest -= value) out += romanDigits[index];
  });
  return out;
}

const hebrewDigits = ['אבגדהוזחט', 'יכלמנסעפצ'].map((letters) => ['', ...letters]);
const hebrewHundreds = ' ק ר ש ת תק תר תש תת תתק'.split(' ');

/** Returns `ה'תשפ"ז` for `5787`. Text that is no number up to 9,999 stays as it is. */
export function hebrewNumeral(text: string): string {
  const number = whole(text, 9999);
  if (number === undefined) return text;
  const [ones = [], tens = []] = hebrewDigits;
  const thousand = ones[Math.floor(number / 1000)] ?? '';
  const rest = number % 1000;
  if (rest === 0) return number === 1000 ? `${thousand}' אלף` : `${thousand}' אלפים`;
  // Regular spellings of 15 and 16 would contain letters of the name of God.
  const below = rest % 100;
  const lower =
    below === 15
      ? 'טו'
      : below === 16
        ? 'טז'
        : (tens[Math.floor(below / 10)] ?? '') + (ones[below % 10] ?? '');
  const letters = [...(hebrewHundreds[Math.floor(rest / 100)] ?? ''), ...lower];
  const last = letters.pop();
  const marked = letters.length === 0 ? `${last}'` : `${letters.join('')}"${last}`;
  return thousand === '' ? marked : `${thousand}'${marked}`;
}

function whole(text: string, most: number): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : undefined;
}
