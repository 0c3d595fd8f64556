/**
 * The only place in the site where text becomes markup. Every value put into a template is escaped, so markup can only
 * come from templates; `trusted` lets in what the renderer or the diff has already made safe. Attribute values are
 * always written in quotes. Arrays are joined; `undefined`, `null` and `false` show nothing.
 */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[];

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += markupOf(value) + (strings[index + 1] ?? '');
  return new Html(text);
}

/** Markup that the language's renderer or the diff made: escaped there, in its own one place. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** A data block for machines. `<` is written as an escape, so that no value can end the element. */
export function jsonBlock(type: string, value: unknown): Html {
  const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return new Html(`<script type="${escapeHtml(type)}">${json}</script>`);
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

/** XML 1.0 has no control characters but tab and line ends, not even escaped (§2.2). */
export function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed()).replace(/[\x01-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g, '\uFFFD');
}

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  let text = '';
  for (const one of value) text += markupOf(one);
  return text;
}
