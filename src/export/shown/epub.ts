/** A book in EPUB 3: one chapter for each page in tree order, with its pictures. */
import type { Root } from 'hast';
import type { TreePosition } from '#core/ports/list-reads.ts';
import type { ExportEntry } from '../entries.ts';
import { bytesOf, type ExportCounts, type ExportSource } from '../walk.ts';
import { bookMarkup, escaped, makePlain } from './book-markup.ts';
import type { BookIds } from './book-values.ts';
import { changeElements, elementsIn, readHtml } from './hast.ts';
import { inReadingOrder, planShown, type ShownPage } from './plan.ts';
import { type Addresses, type ShownText, shownPages, type UsedFile } from './shown-pages.ts';

/**
 * Picture types that every reading system supports (EPUB 3.2 §3.1). SVG is always left out because it can contain anything that
 * HTML can.
 */
const pictures: Readonly<Record<string, string>> = {
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

interface Item {
  id: string;
  href: string;
  mime: string;
  properties: string;
}

export async function* epubEntries(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts,
): AsyncGenerator<ExportEntry> {
  const { now: at, wiki } = source;
  yield { path: 'mimetype', at, contents: 'application/epub+zip', isPlain: true };
  yield { path: 'META-INF/container.xml', at, contents: container };
  const plan = await planShown(source, top);
  const order = [...inReadingOrder(plan.roots)].filter(({ isTool }) => !isTool);
  const chapters = new Set(order.map(({ id }) => id));
  const items: Item[] = [];
  const written = new Set<string>();
  const addresses: Addresses = {
    page: (target, _from, fragment) =>
      chapters.has(target.id) ? `${chapterOf(target)}${fragment === '' ? '' : `#${fragment}`}` : '#',
    file: (file) => (file.mime in pictures ? pictureOf(file) : undefined),
    fragment: (fragment) => `#${fragment}`,
    hasThumbnails: false,
  };
  for await (const text of shownPages(source, plan, chapters, addresses)) {
    counts.pages++;
    const { tree } = text;
    removeDeadLinks(tree, makePlain(tree));
    const shown = new Set(
      elementsIn(tree).map(({ tagName, properties }) => tagName === 'img' && properties.src),
    );
    for (const file of text.files) {
      const href = pictureOf(file);
      if (!(file.mime in pictures) || !shown.has(href) || written.has(href)) continue;
      const bytes = await bytesOf(source.files, file, counts);
      if (!bytes) continue;
      written.add(href);
      items.push({ id: `i-${file.hash}`, href, mime: file.mime, properties: '' });
      yield { path: `book/${href}`, at: file.uploadedAt, contents: bytes };
    }
    changeElements(tree, (element) => {
      const { src, alt } = element.properties;
      const isLost = typeof src === 'string' && !written.has(src);
      return isLost ? { type: 'text', value: typeof alt === 'string' ? alt : '' } : element;
    });
    const href = chapterOf(text.shown);
    const hasFormula = elementsIn(tree).some(({ tagName }) => tagName === 'math');
    items.push({ id: `p-${text.shown.id}`, href, mime: xhtml, properties: hasFormula ? 'mathml' : '' });
    yield { path: `book/${href}`, at: text.page.updatedAt, contents: chapter(text) };
  }
  const title = plan.roots.length === 1 ? (plan.roots[0]?.title ?? wiki.name) : wiki.name;
  items.push({ id: 'nav', href: 'nav.xhtml', mime: xhtml, properties: 'nav' });
  items.push({ id: 'style', href: 'style.css', mime: 'text/css', properties: '' });
  yield { path: 'book/style.css', at, contents: styles };
  yield { path: 'book/nav.xhtml', at, contents: contents(title, plan.roots) };
  yield { path: 'book/content.opf', at, contents: packageOf(source, title, items) };
}

const xhtml = 'application/xhtml+xml';

function chapterOf({ id }: ShownPage): string {
  return `p${id}.xhtml`;
}

function pictureOf({ hash, mime }: UsedFile): string {
  return `${hash}.${pictures[mime]}`;
}

/** Removes links to targets that are missing from the book, because reading systems refuse them. */
function removeDeadLinks(tree: Root, ids: BookIds): void {
  for (const { properties } of elementsIn(tree)) {
    const { href } = properties;
    if (typeof href !== 'string' || /^(?:https?|mailto):/i.test(href)) continue;
    const id = href.startsWith('#') ? ids.find(href.slice(1)) : undefined;
    const [chapter] = href.split('#');
    if (id !== undefined) properties.href = `#${id}`;
    // The heading may be missing in the other chapter, so the link points to the chapter itself.
    else if (chapter?.endsWith('.xhtml')) properties.href = chapter;
    else delete properties.href;
  }
}

function chapter({ page, displayTitle, tree }: ShownText): string {
  const title = displayTitle === undefined ? escaped(page.title) : bookMarkup(readHtml(displayTitle));
  return document(
    page.title,
    `<section><h1 dir="auto">${title}</h1>\n<div dir="auto">${bookMarkup(tree)}</div></section>`,
  );
}

function document(title: string, body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head><meta charset="utf-8"/><title>${escaped(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>${body}</body>
</html>
`;
}

/** Table of contents, nested like the tree. */
function contents(title: string, roots: readonly ShownPage[]): string {
  const parts: string[] = [];
  const waiting: (ShownPage | string)[] = [...visible(roots)].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    parts.push(`<li><a href="${chapterOf(next)}">${escaped(next.title)}</a>`);
    const below = visible(next.children);
    if (below.length === 0) parts.push('</li>');
    else {
      parts.push('<ol>');
      waiting.push('</ol></li>', ...below.reverse());
    }
  }
  // A book needs at least one page, so an empty book contains this one.
  const own = `<li><a href="nav.xhtml">${escaped(title)}</a></li>`;
  return document(
    title,
    `<nav epub:type="toc" id="toc"><h1>${escaped(title)}</h1><ol>${parts.join('') || own}</ol></nav>`,
  );
}

/** Replaces pages meant only for writers by the pages beneath them. */
function visible(pages: readonly ShownPage[]): ShownPage[] {
  return pages.flatMap((page) => (page.isTool ? visible(page.children) : [page]));
}

function packageOf({ wiki, now }: ExportSource, title: string, items: readonly Item[]): string {
  const manifest = items.map(
    ({ id, href, mime, properties }) =>
      `<item id="${id}" href="${href}" media-type="${mime}"${properties === '' ? '' : ` properties="${properties}"`}/>`,
  );
  const pages = items.filter(({ id }) => id.startsWith('p-'));
  const shown = pages.length > 0 ? pages : items.filter(({ id }) => id === 'nav');
  const spine = shown.map(({ id }) => `<itemref idref="${id}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${escaped(`${wiki.url || 'urn:coppice'}#${title}`)}</dc:identifier>
<dc:title>${escaped(title)}</dc:title>
<dc:language>${escaped(wiki.language)}</dc:language>
<meta property="dcterms:modified">${new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')}</meta>
</metadata>
<manifest>
${manifest.join('\n')}
</manifest>
<spine>
${spine.join('\n')}
</spine>
</package>
`;
}

const container = `<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

const styles = `body { line-height: 1.5; }
img { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; font-size: 0.85em; }
table { border-collapse: collapse; }
th, td { border: 1px solid; padding: 0.2em 0.5em; vertical-align: top; }
figure { margin: 1em 0; }
`;
