/** Values of attributes as books may have them: readers of books refuse a whole chapter for a wrong one. */
import type { Properties } from 'hast';
import { percentDecoded } from '#core/model/path.ts';

const isBoolean = (value: unknown) => value === true || value === '';
const isNumber = (least: number, most: number) => (value: unknown) =>
  /^-?\d{1,9}$/.test(String(value)) && Number(value) >= least && Number(value) <= most;
const isOneOf =
  (...values: string[]) =>
  (value: unknown) =>
    values.includes(String(value));

/** Checks of HTML 5, by the attribute's name in the tree. */
const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  width: isNumber(0, 100_000),
  height: isNumber(0, 100_000),
  value: isNumber(-1e9, 1e9),
  start: isNumber(-1e9, 1e9),
  colSpan: isNumber(1, 1000),
  rowSpan: isNumber(0, 65_534),
  reversed: isBoolean,
  open: isBoolean,
  scope: isOneOf('row', 'col', 'rowgroup', 'colgroup'),
  dir: isOneOf('ltr', 'rtl', 'auto'),
  dateTime: (value) => isMoment(String(value)),
  cite: (value) => /^https?:/i.test(String(value)) && URL.canParse(String(value)),
  lang: (value) => /^[a-z]{2,8}(?:-[a-z\d]{1,8}){0,4}$/i.test(String(value)),
};

/** The attribute's value, or undefined if books may not have it. */
export function bookValue(name: string, value: Properties[string]): Properties[string] | undefined {
  if (name === 'style') return plainStyle(String(value)) || undefined;
  return checks[name]?.(value) === false ? undefined : value;
}

function isMoment(value: string): boolean {
  const form = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
  const at = form.test(value) ? Date.parse(value.slice(0, 10)) : Number.NaN;
  // A day that does not exist becomes one of the next month.
  return (
    Number.isFinite(at) &&
    new Date(at).toISOString().startsWith(value.slice(0, 10)) &&
    Number.isFinite(Date.parse(value))
  );
}

/** Declarations that are whole; others would make readers refuse the chapter. */
function plainStyle(style: string): string {
  const declarations = style.split(';').map((one) => one.trim());
  return declarations
    .filter((one) => /^[a-z-]+\s*:[\w\s#%.,+-]*(?:\([\w\s#%.,+-]*\))?[\w\s#%.,+-]*$/i.test(one))
    .join('; ');
}

/** An address of the web that every reader accepts; undefined if there is none. */
export function bookAddress(href: string): string | undefined {
  const whole = href
    .trim()
    .replace(/%(?![\da-f]{2})/gi, '%25')
    .replace(/[\s"<>\\^`{|}]/g, encodeURIComponent);
  if (whole.startsWith('#') || !/^[a-z][a-z\d+.-]*:/i.test(whole)) return whole;
  return URL.canParse(whole)
    ? whole.replace(/#.*$/s, (end) => end.replace(/[[\]?]/g, encodeURIComponent))
    : undefined;
}

/**
 * IDs of one chapter. An ID in XHTML is an XML name without colons (EPUB 3.3, XML 1.0 §2.3), and links name it without escapes,
 * so all other characters are replaced.
 */
export class BookIds {
  readonly #known = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** Undefined for an ID that the chapter has already: links lead to the first one. */
  add(id: string): string | undefined {
    if (id === '' || this.#known.has(id)) return undefined;
    const bare = id.toWellFormed().replace(/[^\p{L}\p{Nd}._-]+/gu, '_');
    const name = /^[\p{L}_]/u.test(bare) ? bare : `_${bare}`;
    let free = name;
    for (let number = 2; this.#taken.has(free); number++) free = `${name}_${number}`;
    this.#taken.add(free);
    this.#known.set(id, free);
    return free;
  }

  /** `fragment`: as links write it, escaped or not. */
  find(fragment: string): string | undefined {
    return this.#known.get(fragment) ?? this.#known.get(percentDecoded(fragment));
  }
}
