/**
 * Additions of the site to rendered text: a way to edit each section, times in the words of the site, a name for each
 * picture that is a link, and that what is only indented is no list of terms. The editor's live preview does all but the
 * first by itself.
 */
import type { SourceSection } from '#domain/content/page-sections.ts';
import { percentDecoded } from '#domain/pages/path.ts';
import { urlOf } from '#http/page-paths.ts';
import { timeAgo } from './format.ts';
import { type Html, html, trusted } from './html.ts';

/** `editing`: the page's own sections, if the reader may edit them. */
export function readable(
  markup: string,
  now: number,
  editing?: { path: string; sections: SourceSection[] },
): Html {
  const named = accessible(markup).replace(listedTime, (written, iso: string) => {
    const at = Date.parse(iso);
    return Number.isNaN(at) ? written : timeAgo(at, now).text;
  });
  return trusted(editing && editing.sections.length > 0 ? withSectionLinks(named, editing) : named);
}

/** When the pages that the text lists were changed, in milliseconds since the epoch. */
export function timesIn(markup: string): number[] {
  const times = [...markup.matchAll(listedTime)].map(([, iso = '']) => Date.parse(iso));
  return times.filter((at) => !Number.isNaN(at));
}

/** The form that the renderer writes in listings. Authors may write a similar element with an invalid date. */
const listedTime = /<time datetime="(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)">\d{4}-\d\d-\d\d<\/time>/g;

/**
 * A preview, in which files that wait to be saved with the page are not missing but not there yet. IDs of the `fields` after it are left
 * out: labels would name the text.
 */
export function previewed(markup: string, pendingNames: string[], fields: Html): Html {
  const pending = new Set(pendingNames);
  const taken = new Set(Array.from(fields.text.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
  const ids = /(<[a-z][^<>]*?) id="([^"]*)"/g;
  // In a gallery the box of a missing picture holds its name alone.
  const missing =
    /(<span class="missing-file">|<div class="thumb" style="height: \d+px;">)([^<]*)(<\/(?:span|div)>)/g;
  return trusted(
    accessible(markup)
      .replace(ids, (all, open: string, id: string) => (taken.has(id) ? open : all))
      .replace(missing, (all, open: string, name: string, close: string) => {
        if (!pending.has(unescaped(name))) return all;
        const note = html`<span class="pending-file">${unescaped(name)} <span data-note>(shown once the page is saved)</span></span>`;
        return open.startsWith('<div') ? `${open}${note.text}${close}` : note.text;
      }),
  );
}

/** Headings that come from templates have no source in this page, and so no link. */
function withSectionLinks(
  markup: string,
  { path, sections }: { path: string; sections: SourceSection[] },
): string {
  const known = new Map(sections.map((section) => [section.id, section]));
  const edit = urlOf('/edit', path);
  // The renderer writes every attribute in double quotes with `"` escaped, so an id ends at the next quote.
  const heading = /(<h([1-6])\b[^>]*?\sid="([^"]*)"[^>]*>)(.*?)(<\/h\2>)/gs;
  return markup.replace(heading, (all, open: string, _level, id: string, inside: string, close: string) => {
    const section = known.get(unescaped(id));
    if (!section) return all;
    const link = html`<a data-edit-section href="${edit}?section=${encodeURIComponent(section.id)}" aria-label="Edit the section ${section.title}">Edit</a>`;
    return `${open}${inside}${link.text}${close}`;
  });
}

function accessible(markup: string): string {
  return withoutTermlessLists(withPictureNames(markup));
}

/** An answer is indented by a list of definitions without terms (`:`), which says nothing to those who hear the page. */
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

/** A picture without a description, linked to its file, would be a link without a name. */
function withPictureNames(markup: string): string {
  return markup.replace(
    /<a href="(\/files\/[^"]*)"([^>]*)>(?=<img alt="")/g,
    (all, href: string, rest: string) => {
      if (/\s(title|aria-label)=/.test(rest)) return all;
      // Server-made names are `<page>-<hash>-<file name>`.
      const name = percentDecoded(unescaped(href)).replace(/^\/files\/(\d+-[0-9a-f]+-)?/, '');
      return html`<a href="${unescaped(href)}"${trusted(rest)} aria-label="Picture: ${name}">`.text;
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
