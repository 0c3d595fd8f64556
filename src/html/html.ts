/**
 * The only place where HTML templates are made, for the site and the API reference. Every interpolated value is escaped, so
 * markup can only come from templates. Attribute values must always be quoted. Templates nest; arrays are joined; `undefined`,
 * `null` and `false` render nothing.
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

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  let text = '';
  for (const one of value) text += markupOf(one);
  return text;
}
