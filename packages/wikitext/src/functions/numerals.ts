/** Numbers in Roman and in Hebrew letters. */

const romanDigits = 'M CM D CD C XC L XL X IX V IV I'.split(' ');
const romanValues = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];

/** `MMIX` for `2009`; what is no number up to 10,000 stays. */
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

/** `ה'תשפ"ז` for `5787`; what is no number up to 9,999 stays. */
export function hebrewNumeral(text: string): string {
  const number = whole(text, 9999);
  if (number === undefined) return text;
  const [ones = [], tens = []] = hebrewDigits;
  const thousand = ones[Math.floor(number / 1000)] ?? '';
  const rest = number % 1000;
  if (rest === 0) return number === 1000 ? `${thousand}' אלף` : `${thousand}' אלפים`;
  // Fifteen and sixteen would be letters of the name of God.
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
