/**
 * Post-processes rendered text for the site: edit links of sections, times in the site's words, names for linked pictures, and
 * lists used only for indentation. The editor's live preview repeats all but the first.
 */
import type { SourceSection } from '#core/content/page-sections.ts';
import { percentDecoded } from '#core/model/path.ts';
import type { Language } from '#html/html.ts';
import { urlOf } from '#http/page-paths.ts';
import { english } from '#words/languages.ts';
import { say } from '#words/say.ts';
import { timeAgo } from './format.ts';
import { type Html, html, trusted, trustedIn } from './html.ts';

/** `editing`: the page's own sections, if the reader may edit them. */
export function readable(
  markup: string,
  now: number,
  editing?: { path: string; sections: SourceSection[] },
): Html {
  return trustedIn((language) => {
    const named = accessible(markup, language).replace(listedTime, (written, iso: string) => {
      const at = Date.parse(iso);
      return Number.isNaN(at) ? written : timeAgo(at, now).in(language);
    });
    return editing && editing.sections.length > 0 ? withSectionLinks(named, editing, language) : named;
  });
}

/** Times of changes in listings of the text, in milliseconds since 1970. */
export function timesIn(markup: string): number[] {
  const times = [...markup.matchAll(listedTime)].map(([, iso = '']) => Date.parse(iso));
  return times.filter((at) => !Number.isNaN(at));
}

/** The form that the renderer writes in listings. Authors may write similar elements with an invalid date. */
const listedTime = /<time datetime="(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)">\d{4}-\d\d-\d\d<\/time>/g;

/**
 * A preview, in which files to be uploaded with the page are not shown as missing. IDs of the following `fields` are removed
 * from it, because labels would refer to the text.
 */
export function previewed(markup: string, pendingNames: string[], fields: Html): Html {
  const pending = new Set(pendingNames);
  const taken = new Set(Array.from(fields.in(english).matchAll(/ id="([^"]+)"/g), ([, id]) => id));
  const ids = /(<[a-z][^<>]*?) id="([^"]*)"/g;
  // In a gallery, the box of a missing picture contains only its name.
  const missing =
    /(<span class="missing-file">|<div class="thumb" style="height: \d+px;">)([^<]*)(<\/(?:span|div)>)/g;
  return trustedIn((language) =>
    accessible(markup, language)
      .replace(ids, (all, open: string, id: string) => (taken.has(id) ? open : all))
      .replace(missing, (all, open: string, name: string, close: string) => {
        if (!pending.has(unescaped(name))) return all;
        const note = html`<span class="pending-file">${unescaped(name)} <span data-note>${say('markup.shownAfterThePageIsSaved')}</span></span>`;
        return open.startsWith('<div') ? `${open}${note.in(language)}${close}` : note.in(language);
      }),
  );
}

/** Headings from templates have no source in this page, and so no edit link. */
function withSectionLinks(
  markup: string,
  { path, sections }: { path: string; sections: SourceSection[] },
  language: Language,
): string {
  const known = new Map(sections.map((section) => [section.id, section]));
  const edit = urlOf('/edit', path);
  // The renderer writes every attribute in double quotes with `"` escaped, so an ID ends at the next quote.
  const heading = /(<h([1-6])\b[^>]*?\sid="([^"]*)"[^>]*>)(.*?)(<\/h\2>)/gs;
  return markup.replace(heading, (all, ...[open, , id = '', inside, close]: string[]) => {
    const section = known.get(unescaped(id));
    if (!section) return all;
    const link = html`<a data-edit-section href="${edit}?section=${encodeURIComponent(section.id)}" aria-label="${say(
      'markup.editTheSectionTitle',
      { title: section.title },
    )}">${say('markup.edit')}</a>`;
    return `${open}${inside}${link.in(language)}${close}`;
  });
}

function accessible(markup: string, language: Language): string {
  return withoutTermlessLists(withPictureNames(markup, language));
}

/** Replies are indented by definition lists without terms (`:`), which have no meaning for screen readers. */
function withoutTermlessLists(markup: string): string {
  const open: { at: number; hasTerm: boolean }[] = [];
  const termless = new Set<number>();
  const tag = /<(dl|dt|\/dl)\b/g;
  for (const { 1: name, index } of markup.matchAll(tag)) {
    const innermost = open.at(-1);
    if (name === 'dl') open.push({ at: index, hasTerm: false });
    else if (name === 'dt' && innermost) innermost.hasTerm = true;
    else if (name === '/dl' && open.pop()?.hasTerm === false && innermost) termless.add(innermost.at);
  }
  if (termless.size === 0) return markup;
  return markup.replace(/<dl\b/g, (start, at: number) =>
    termless.has(at) ? `${start} role="presentation"` : start,
  );
}

/** A picture without description that links to its file would be a link without a name. */
function withPictureNames(markup: string, language: Language): string {
  return markup.replace(
    /<a href="(\/files\/[^"]*)"([^>]*)>(?=<img alt="")/g,
    (all, href: string, rest: string) => {
      if (/\s(title|aria-label)=/.test(rest)) return all;
      // File names on the server are `<page>-<hash>-<file name>`.
      const name = percentDecoded(unescaped(href)).replace(/^\/files\/(\d+-[0-9a-f]+-)?/, '');
      return html`<a href="${unescaped(href)}"${trusted(rest)} aria-label="${say('markup.pictureName', { name })}">`.in(
        language,
      );
    },
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
