/**
 * The only place where HTML templates are made, for the site and the API reference. Every interpolated value is escaped, so
 * markup can only come from templates. Attribute values must always be quoted. Templates nest; arrays are joined; `undefined`,
 * `null` and `false` render nothing.
 *
 * A template may contain messages of the catalogues (`#words/say.ts`), which become text when the page is sent and its reader's
 * language is known. So templates, and everything that is kept of them, are the same in all languages.
 */
export class Html {
  readonly parts: readonly (string | LocalText)[];
  constructor(parts: string | readonly (string | LocalText)[]) {
    this.parts = typeof parts === 'string' ? [parts] : parts;
  }

  /** Markup for a reader of this language. */
  in(language: Language): string {
    let text = '';
    for (const part of this.parts) text += typeof part === 'string' ? part : part.markupIn(language);
    return text;
  }

  /** Markup without messages. Throws if there are any, because their language is not known here. */
  get text(): string {
    if (this.parts.every((part) => typeof part === 'string')) return this.parts.join('');
    throw new Error('Markup with messages has no text until its language is known: use `in`.');
  }

  get isEmpty(): boolean {
    return this.parts.every((part) => part === '');
  }

  toString(): string {
    return this.text;
  }
}

/** Markup that is the same in many pages: made once for each language. */
export function madeOnce(markup: Html): Html {
  const markupIn = (language: Language) => markup.in(language);
  return new Html([new MadeOnce({ markupIn, textIn: markupIn })]);
}

/** Text that depends on the reader's language: a message, a time, a number. */
export interface LocalText {
  /** Plain text, not escaped. */
  textIn(language: Language): string;
  /** Escaped, with the markup of its arguments. */
  markupIn(language: Language): string;
}

/** Text that many readers get: made once for each language. Must depend on nothing else. Scripts use it, too. */
export class MadeOnce implements LocalText {
  readonly #original: LocalText;
  readonly #texts = new Map<Language, string>();
  readonly #markups = new Map<Language, string>();

  constructor(original: LocalText) {
    this.#original = original;
  }

  textIn(language: Language): string {
    const known = this.#texts.get(language);
    if (known !== undefined) return known;
    const made = this.#original.textIn(language);
    this.#texts.set(language, made);
    return made;
  }

  markupIn(language: Language): string {
    const known = this.#markups.get(language);
    if (known !== undefined) return known;
    const made = this.#original.markupIn(language);
    this.#markups.set(language, made);
    return made;
  }

  toString(): string {
    return this.#original.toString();
  }
}

/** Tag of a language of the site, such as `pt-BR`. `#words/languages.ts` lists them. */
export type Language = string;

/** Text that people read: of the site, or as somebody wrote it. */
export type Words = string | LocalText;

export type HtmlValue = Html | LocalText | string | number | undefined | null | false | readonly HtmlValue[];

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const parts = new Parts(strings[0] ?? '');
  // Without an iterator, because a page is made of hundreds of templates.
  for (let index = 0; index < values.length; index++) {
    parts.add(values[index]);
    parts.text += strings[index + 1] ?? '';
  }
  return parts.finish();
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => escapes[character] ?? '');
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\0': '\uFFFD',
};

/** Joins adjacent text, so that a template without messages stays one string. */
class Parts {
  text: string;
  readonly #parts: (string | LocalText)[] = [];

  constructor(text: string) {
    this.text = text;
  }

  add(value: HtmlValue): void {
    if (value === undefined || value === null || value === false) return;
    if (typeof value === 'string') this.text += escapeHtml(value);
    else if (typeof value === 'number') this.text += String(value);
    else if (value instanceof Html) for (const part of value.parts) this.#addPart(part);
    else if ('markupIn' in value) this.#addPart(value);
    else for (const one of value) this.add(one);
  }

  finish(): Html {
    return this.#parts.length === 0 ? new Html(this.text) : new Html([...this.#parts, this.text]);
  }

  #addPart(part: string | LocalText): void {
    if (typeof part === 'string') {
      this.text += part;
      return;
    }
    this.#parts.push(this.text, part);
    this.text = '';
  }
}
