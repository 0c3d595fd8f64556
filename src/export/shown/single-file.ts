/** All pages in a single file with embedded pictures, for keeping, sending or printing. */
import { percentDecoded } from '#core/model/path.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { Html, html } from '#html/html.ts';
import { siteLanguage, siteLanguageOf } from '#words/languages.ts';
import { say } from '#words/say.ts';
import { bytesOf, type ExportCounts, type ExportSource } from '../walk.ts';
import { changeElements, elementsIn, writeHtml } from './hast.ts';
import { inReadingOrder, planShown, type ShownPage, type ShownPlan } from './plan.ts';
import { type Addresses, type ShownText, shownPages, type UsedFile } from './shown-pages.ts';

/** Larger files are named but not embedded, so that the result stays small enough to open. */
const maxPictureBytes = 2_000_000;

export async function* singleFile(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts,
): AsyncGenerator<string> {
  const plan = await planShown(source, top);
  const all = [...inReadingOrder(plan.roots)];
  const order = all.filter(({ isTool }) => !isTool);
  // Also of templates, which are not shown: the file may be named like one.
  const isRestricted = all.some(({ access }) => access);
  yield head(source, plan, order, isRestricted);
  const isWritten = new Set(order.map(({ id }) => id));
  const addresses: Addresses = {
    page: (target, _from, fragment) =>
      isWritten.has(target.id) ? `#${idIn(target, percentDecoded(fragment))}` : '#',
    file: (file) => (/^image\/(?!svg)/.test(file.mime) ? `file:${file.hash}` : undefined),
    fragment: (fragment, from) => `#${idIn(from, percentDecoded(fragment))}`,
    hasThumbnails: true,
  };
  for await (const text of shownPages(source, plan, isWritten, addresses)) {
    counts.pages++;
    await embedPictures(source, text, counts);
    yield section(text);
  }
  yield '</main>\n</body>\n</html>\n';
}

function head(source: ExportSource, { roots }: ShownPlan, order: ShownPage[], isRestricted: boolean): string {
  const { wiki } = source;
  const { styleSheet, files } = source.look(wiki.settings);
  const [own] = roots;
  const title = roots.length === 1 && own ? own.title : wiki.name;
  const language = siteLanguageOf(wiki.language);
  const css = styleSheet.replace(/url\("([^"]+)"\)/g, (all, name: string) => {
    const font = files.get(name);
    return font ? `url("data:font/woff2;base64,${Buffer.from(font).toString('base64')}")` : all;
  });
  return html`<!doctype html>
<html lang="${language}" dir="${siteLanguage(language).direction}" data-theme="system">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${isRestricted && html`<meta name="coppice-access" content="some of its pages are restricted">`}
<style>${new Html(css.replaceAll('</', '<\\/'))}
.book { max-width: 46rem; margin: 0 auto; padding: 24px 16px; }
.book > section { border-top: 1px solid var(--line); padding-top: 24px; margin-top: 48px; }
@media print { .book > section { break-before: page; border: 0; } }</style>
</head>
<body>
<main class="book">
<h1>${title}</h1>
${order.length > 1 && html`<nav aria-label="${say('exported.pages')}"><ol>${order.map((page) => html`<li><a href="#${idIn(page, '')}" dir="auto">${page.title}</a></li>`)}</ol></nav>`}
`.in(language);
}

function section({ shown, page, displayTitle, tree }: ShownText): string {
  for (const { properties } of elementsIn(tree))
    if (typeof properties.id === 'string') properties.id = idIn(shown, properties.id);
  const title = displayTitle === undefined ? page.title : new Html(displayTitle);
  return html`<section id="${idIn(shown, '')}"${page.language !== null && html` lang="${page.language}"`} aria-label="${page.title}">
<h1 dir="auto">${title}</h1>
<div class="markup" dir="auto">${new Html(writeHtml(tree))}</div>
</section>
`.text;
}

/** Returns an ID that is unique in the file. */
function idIn({ id }: ShownPage, fragment: string): string {
  return fragment === '' ? `page-${id}` : `page-${id}-${fragment}`;
}

async function embedPictures(
  source: ExportSource,
  { tree, files }: ShownText,
  counts: ExportCounts,
): Promise<void> {
  const byHash = new Map<string, UsedFile>(files.map((file) => [`file:${file.hash}`, file]));
  const data = new Map<string, string>();
  for (const address of new Set(elementsIn(tree).map(({ properties }) => String(properties.src)))) {
    const file = byHash.get(address);
    const bytes = file && (await bytesOf(source.files, file, counts));
    const whole = bytes && (await readUpTo(bytes, maxPictureBytes));
    if (file && whole) data.set(address, `data:${file.mime};base64,${whole.toString('base64')}`);
  }
  changeElements(tree, (element) => {
    const { src, href, alt } = element.properties;
    if (typeof src === 'string' && src.startsWith('file:')) {
      const embedded = data.get(src);
      if (embedded === undefined) return { type: 'text', value: typeof alt === 'string' ? alt : '' };
      element.properties.src = embedded;
    }
    // Removes the link from a picture to its full size.
    if (typeof href === 'string' && href.startsWith('file:')) delete element.properties.href;
    return element;
  });
}

/** Returns undefined if there are more than `most` bytes. */
async function readUpTo(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
