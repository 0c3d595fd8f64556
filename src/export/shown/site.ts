/**
 * A static site with the look of the web application, for any host and for `file://`. Each page is `index.html` in the folder
 * of its path, so its address is the same as in the wiki. Every link has a target in the export.
 */
import { dayWords } from '#core/model/date-words.ts';
import { writtenIn } from '#core/model/language-tag.ts';
import { encodePath } from '#core/model/path.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { Html, html, type Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import type { ExportEntry } from '../entries.ts';
import { safeName } from '../file-names.ts';
import { batches, bytesOf, type ExportCounts, type ExportSource } from '../walk.ts';
import { textOf, writeHtml } from './hast.ts';
import { planShown, type ShownPage, type ShownPlan } from './plan.ts';
import { safeSiteName } from './safe-names.ts';
import { type Addresses, type ShownText, shownPages } from './shown-pages.ts';
import { type SiteFrame, siteFrame } from './site-frame.ts';
import { breadcrumb, pageLink, redirectDocument, siteDocument } from './site-layout.ts';
import { placesMap } from './site-map.ts';
import { SiteIndex, searchScript } from './site-search.ts';

export async function* siteEntries(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts,
): AsyncGenerator<ExportEntry> {
  const { wiki, now: at } = source;
  const plan = await planShown(source, top);
  const frame = siteFrame(wiki, plan);
  const index = new SiteIndex();
  const written = new Set<string>();
  let home: ShownPage | undefined;
  for await (const text of shownPages(source, plan, plan.pages.keys(), addresses)) {
    const { shown, page } = text;
    counts.pages++;
    if (page.path === wiki.home) home = shown;
    if (!shown.isTool)
      index.add(`${encodePath(shown.folder)}/index.html`, page.title, page.description, textOf(text.tree));
    const document = siteDocument(frame, {
      up: upFrom(shown.folder),
      title: page.title,
      kind: 'page',
      main: article(text, wiki.language),
      head: html`<meta name="description" content="${page.description}">
<meta name="coppice-files" content="${JSON.stringify(page.files.map((file) => ({ file: placeOf(file), filename: file.filename })))}">
${shown.access && html`<meta name="coppice-access" content="${JSON.stringify(shown.access)}">`}`,
    });
    yield { path: `${shown.folder}/index.html`, at: page.updatedAt, contents: document };
    for (const file of text.files) {
      const path = placeOf(file);
      if (written.has(path)) continue;
      const bytes = await bytesOf(source.files, file, counts);
      if (!bytes) continue;
      written.add(path);
      yield { path, at: file.uploadedAt, contents: bytes };
    }
  }
  yield* redirects(source, top, plan);
  const plain = (path: string, title: Words, main: Html, more = {}) => ({
    path,
    at,
    contents: siteDocument(frame, {
      up: upFrom(path.slice(0, -'/index.html'.length)),
      title,
      kind: 'plain',
      main,
      ...more,
    }),
  });
  yield { path: 'index.html', at, contents: homeDocument(source, frame, plan, home) };
  yield plain(
    'tree/index.html',
    say('common.allPages'),
    html`<h1>${say('common.allPages')}</h1>${tree(plan.roots, '../')}`,
  );
  yield plain('map/index.html', say('layout.map'), placesMap(plan, '../'));
  yield plain(
    'search/index.html',
    say('search.search'),
    html`<h1>${say('search.search')}</h1><p role="status"><noscript>${say('exported.searchNeedsScripts', {
      link: (words) => html`<a href="../tree/index.html">${words}</a>`,
    })}</noscript></p><ol class="results" data-results></ol>`,
    { isSearch: true },
  );
  yield { path: 'assets/search.js', at, contents: searchScript(wiki.language) };
  for (const [name, script] of index.scripts()) yield { path: `assets/search/${name}`, at, contents: script };
  const look = source.look(wiki.settings);
  yield { path: 'assets/style.css', at, contents: look.styleSheet };
  for (const [name, contents] of look.files) yield { path: `assets/${name}`, at, contents };
  for (const { path, contents } of frame.pictures.values()) yield { path, at, contents };
}

const addresses: Addresses = {
  page: (target, from, fragment) =>
    `${upFrom(from.folder)}${encodePath(target.folder)}/index.html${fragment === '' ? '' : `#${fragment}`}`,
  file: (file, from) => upFrom(from.folder) + encodePath(placeOf(file)),
  fragment: (fragment) => `#${fragment}`,
  hasThumbnails: true,
};

/** File names are unique within the wiki, so no folder is needed for each page. */
function placeOf(file: { name: string; mime: string }): string {
  return `files/${safeSiteName(file)}`;
}

/** Returns the relative path from a page in this folder to the top. */
function upFrom(folder: string): string {
  return '../'.repeat(folder.split('/').length);
}

function article(
  { shown, page, tree: text, displayTitle, outline, files }: ShownText,
  wikiLanguage: string,
): Html {
  const { lang, dir } = writtenIn(page.language, wikiLanguage);
  const inLanguage = html` lang="${lang}" dir="${dir}"`;
  const up = upFrom(shown.folder);
  const top = Math.min(...outline.map(({ level }) => level));
  const children = shown.children.filter(({ isTool }) => !isTool);
  const attached = page.files.filter(({ name }) => files.some((file) => file.name === name));
  return html`<article class="page${outline.length > 2 && ' has-contents'}">
<header class="page-head">
${breadcrumb(shown, up)}
<div class="title-row"><h1${inLanguage}>${displayTitle === undefined ? page.title : new Html(displayTitle)}</h1></div>
${page.content.description !== null && html`<p class="lede" dir="auto">${page.content.description}</p>`}
<p class="byline">${say('exported.changed', { day: dayWords(page.updatedAt) })}</p>
</header>
<aside class="page-side" aria-label="${say('view.aboutThisPage')}">
${
  outline.length > 2 &&
  html`<nav class="contents" aria-label="${say('layout.contents')}"><p class="side-head">${say('view.contents')}</p><ol class="contents-list">${outline.map(
    ({ level, title, id }) =>
      html`<li style="--depth: ${Math.min(level - top, 3)}"><a href="#${encodeURIComponent(id)}" dir="auto">${title}</a></li>`,
  )}</ol></nav>`
}
</aside>
<div class="markup"${inLanguage}>
${new Html(writeHtml(text))}
</div>
${neighbours(shown, up)}
<footer class="page-foot">
${children.length > 0 && html`<section><details open><summary><h2>${say('view.pagesBelowThisOne')}</h2></summary>${tree(children, up)}</details></section>`}
${
  attached.length > 0 &&
  html`<section><details open><summary><h2>${say('view.files')}</h2></summary><ul class="links">${attached.map(
    (file) =>
      html`<li><a href="${up}${encodePath(placeOf(file))}" download="${file.filename}" dir="auto">${file.filename}</a></li>`,
  )}</ul></details></section>`
}
</footer>
</article>`;
}

function neighbours({ previous, next }: ShownPage, up: string): Html | undefined {
  if (!previous && !next) return undefined;
  const link = (page: ShownPage, rel: 'prev' | 'next', words: Words) =>
    html`<a rel="${rel}" href="${up}${encodePath(page.folder)}/index.html"><span class="quiet">${words}</span> <span dir="auto">${page.title}</span></a>`;
  return html`<nav class="neighbours" aria-label="${say('exported.neighbours')}">${
    previous && link(previous, 'prev', say('treeBeside.previous'))
  }${next && link(next, 'next', say('treeBeside.next'))}</nav>`;
}

function homeDocument(
  { wiki }: ExportSource,
  frame: SiteFrame,
  plan: ShownPlan,
  home: ShownPage | undefined,
): string {
  if (home) return redirectDocument(wiki.name, `${encodePath(home.folder)}/index.html`, wiki.language);
  const main = html`<h1>${wiki.name}</h1>${tree(plan.roots, '')}`;
  return siteDocument(frame, { up: '', title: wiki.name, kind: 'plain', main });
}

/**
 * Writes nested lists without recursion, because trees can be deep. Replaces pages meant only for writers by the pages beneath
 * them.
 */
function tree(roots: readonly ShownPage[], up: string): Html {
  const parts: string[] = ['<ul class="tree">'];
  const waiting: (ShownPage | string)[] = roots.toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') parts.push(next);
    else if (next.isTool) waiting.push(...next.children.toReversed());
    else {
      const hasChildren = next.children.length > 0;
      parts.push(html`<li class="${hasChildren ? 'branch' : 'leaf'}">${pageLink(next, up)}`.text);
      if (hasChildren) parts.push('<ul class="tree">');
      waiting.push(hasChildren ? '</ul></li>' : '</li>', ...next.children.toReversed());
    }
  }
  parts.push('</ul>');
  return new Html(parts.join('\n'));
}

/** Yields redirects from old addresses to the pages that had them, unless another page is there now. */
async function* redirects(
  source: ExportSource,
  top: TreePosition | null,
  plan: ShownPlan,
): AsyncGenerator<ExportEntry> {
  for await (const ids of batches(source, top)) {
    const reader = source.reader();
    const old = await reader.pages.oldPaths(await reader.pages.outlines(ids));
    for (const { pageId, path } of old) {
      const page = plan.pages.get(pageId);
      const folder = path.slice(1).split('/').map(safeName).join('/');
      if (!page || plan.byPath.has(path) || plan.free.take(folder) !== folder) continue;
      const address = `${upFrom(folder)}${encodePath(page.folder)}/index.html`;
      yield {
        path: `${folder}/index.html`,
        at: source.now,
        contents: redirectDocument(page.title, address, source.wiki.language),
      };
    }
  }
}
