/**
 * The one place where the HTTP face makes HTML: every value put into a template is escaped, so that markup can
 * only come from templates. Nest templates freely; arrays are joined; `undefined`, `null` and `false` show nothing.
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

export type HtmlValue = Html | string | number | undefined | null | false | HtmlValue[];

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += markupOf(value) + (strings[index + 1] ?? '');
  return new Html(text);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(markupOf).join('');
  return escapeHtml(String(value));
}
