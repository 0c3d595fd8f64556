/**
 * Evaluates parsed messages (ICU MessageFormat). Runs on the server and in scripts, which get their messages parsed, so that
 * readers load no parser.
 */

/** A parsed message in the fewest characters: text, `#`, or an array that begins with its kind. */
export type Parsed = readonly Piece[];
export type Piece = string | 0 | Value | Choice | Tag;
/** `{name}` */
type Value = readonly ['v', name: string];
/** `{count, plural, …}`: `s` select, `p` plural, `o` selectordinal. */
type Choice = readonly ['s' | 'p' | 'o', name: string, options: Readonly<Record<string, Parsed>>];
/** `<link>…</link>` */
type Tag = readonly ['t', name: string, children: Parsed];

/** Makes plain text or markup of a message. */
export interface Making<Made> {
  /** Locale of plurals and numbers. */
  locale: string;
  /** Text of the message itself. */
  text(text: string): Made;
  value(name: string): Made;
  /** Value of an argument by which a plural or select chooses. */
  chooser(name: string): string | number;
  tag(name: string, children: Made): Made;
  join(parts: Made[]): Made;
}

export function evaluate<Made>(parsed: Parsed, making: Making<Made>, count?: number): Made {
  return making.join(
    parsed.map((piece) => {
      if (typeof piece === 'string') return making.text(piece);
      if (piece === 0) return making.text(numberIn(making.locale, count ?? 0));
      const [kind, name] = piece;
      if (kind === 'v') return making.value(name);
      if (kind === 't') return making.tag(name, evaluate(piece[2], making, count));
      const given = making.chooser(name);
      const chosen = optionOf(kind, piece[2], given, making.locale);
      return evaluate(chosen, making, kind === 's' ? count : Number(given));
    }),
  );
}

function optionOf(
  kind: 's' | 'p' | 'o',
  options: Readonly<Record<string, Parsed>>,
  given: string | number,
  locale: string,
): Parsed {
  const category = kind === 's' ? String(given) : rulesOf(locale, kind).select(Number(given));
  return (kind === 's' ? undefined : options[`=${given}`]) ?? options[category] ?? options.other ?? [];
}

const numbers = new Map<string, Intl.NumberFormat>();
const rules = new Map<string, Intl.PluralRules>();

/** `1,204` */
export function numberIn(locale: string, number: number): string {
  return kept(numbers, locale, () => new Intl.NumberFormat(locale)).format(number);
}

function rulesOf(locale: string, kind: 'p' | 'o'): Intl.PluralRules {
  const type = kind === 'p' ? 'cardinal' : 'ordinal';
  return kept(rules, kind + locale, () => new Intl.PluralRules(locale, { type }));
}

/** Makes a formatter once, because making one takes long. Browsers do not have `getOrInsertComputed` yet. */
export function kept<Value>(all: Map<string, Value>, key: string, make: () => Value): Value {
  let found = all.get(key);
  if (found === undefined) {
    found = make();
    all.set(key, found);
  }
  return found;
}
