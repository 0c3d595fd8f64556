/** Templates (`html/html.ts`), and kinds of values that only the site uses. */
import { escapeHtml, Html, type Language } from '#html/html.ts';

export { Html, type HtmlValue, html, type LocalText, madeOnce, type Words } from '#html/html.ts';

/** Marks markup made by the renderer or the diff, which escape it themselves. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** Trusted markup that contains words of the site, made for the language of each reader. */
export function trustedIn(make: (language: Language) => string): Html {
  return new Html([{ markupIn: make, textIn: make }]);
}

/** A JSON data block for scripts and crawlers. `<` is escaped, so that no value can end the element. */
export function jsonBlock(type: string, value: unknown): Html {
  const json = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Html(`<script type="${escapeHtml(type)}">${json}</script>`);
}

/** XML 1.0 permits no control characters except tab and line ends, not even escaped (§2.2). */
export function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed()).replace(/[\x01-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g, '\uFFFD');
}
