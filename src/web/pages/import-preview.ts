/** Preview of the pages that an import would create, and the fields that describe its source. */

import type { FieldError } from '#core/model/problem.ts';
import type { ImportRequest } from '#import/imports.ts';
import type { JobCertificate } from '#import/job.ts';
import { maxOriginLength } from '#import/origin.ts';
import { type Kind, kinds } from '#import/source.ts';
import { pageUrl } from '../components.ts';
import { choices, field, selectField } from '../form-fields.ts';
import type { RefusedForm } from '../form-routes.ts';
import { count, plainNumber } from '../format.ts';
import { type Html, html } from '../html.ts';
import { lists } from './import-account.ts';

const kindNames: Record<Kind, string> = {
  mediawiki: 'MediaWiki',
  dokuwiki: 'DokuWiki',
  obsidian: 'Obsidian',
  logseq: 'Logseq',
  foam: 'Foam',
  dendron: 'Dendron',
  quartz: 'Quartz',
  wikijs: 'Wiki.js',
  docusaurus: 'Docusaurus',
  mkdocs: 'MkDocs',
  mdbook: 'mdBook',
  gitbook: 'GitBook',
  vitepress: 'VitePress or VuePress',
  hugo: 'Hugo',
  zola: 'Zola',
  jekyll: 'Jekyll',
  eleventy: 'Eleventy',
  nextjs: 'Next.js',
  markdown: 'Other Markdown',
  html: 'HTML',
  notion: 'Notion',
  confluence: 'Confluence',
  tiddlywiki: 'TiddlyWiki',
  evernote: 'Evernote',
  opml: 'OPML',
  outline: 'Outline',
  bookstack: 'BookStack',
  office: 'Word or OpenDocument',
  csv: 'CSV',
  wikitext: 'Wikitext',
  jsonl: 'JSON lines of Coppice',
};

/** Help on obtaining an importable file. */
export const whereFrom = html`<details class="import-help"><summary>How to get the file</summary><dl>
<dt>MediaWiki</dt><dd><code>php maintenance/run.php dumpBackup --full --uploads --include-files</code>, or the page <code>Special:Export</code></dd>
<dt>Obsidian, Logseq, MkDocs, mdBook, Docusaurus, Hugo, Jekyll and others</dt><dd>The folder of the vault or documents, as a .zip</dd>
<dt>Files of wikitext</dt><dd>The folder, as a .zip</dd>
<dt>Wiki.js</dt><dd>The folder or repository of its storage by Git, as a .zip</dd>
<dt>DokuWiki</dt><dd>Its folder <code>data</code>, as a .zip</dd>
<dt>Notion</dt><dd>Export, as Markdown &amp; CSV, with subpages</dd>
<dt>Confluence</dt><dd>Space settings, Export space, XML</dd>
<dt>Outline, GitBook</dt><dd>A Markdown export of these programs</dd>
<dt>BookStack</dt><dd>The portable ZIP of a book, chapter or page</dd>
<dt>Evernote, TiddlyWiki, outlines</dt><dd>The .enex, .html or .json, or .opml file itself</dd>
<dt>Single documents</dt><dd>A .docx, .odt, .md, .html or .csv file</dd>
<dt>Coppice</dt><dd>Its <a href="/export">export</a> as JSON lines</dd>
</dl></details>`;

/** Fields for how the source is read and where it goes. */
export function sourceFields({
  kind = '',
  parent = '',
  errors = [],
}: {
  kind?: string | undefined;
  parent?: string | undefined;
  errors?: FieldError[] | undefined;
}): Html {
  const offered = [['', 'Recognise by the file'], ...kinds.map((one) => [one, kindNames[one]])] as [
    string,
    string,
  ][];
  return html`${selectField('kind', 'Source', choices(offered, kind), { errors })}
${field('parent', 'Import beneath', html`value="${parent}" placeholder="/notes" autocomplete="off" dir="auto"`, { errors, hint: 'Path of a page, which is created if it does not exist. Leave empty for the top of the wiki.' })}`;
}

/** `upload`: absent if it has been deleted. */
export function previewOf(
  { id, total }: { id: number; total: number | null },
  certificate: JobCertificate,
  upload: ImportRequest | undefined,
  { errors, form }: RefusedForm,
): Html {
  const { numbers, tree = [], kind, parent } = certificate;
  const { pages, revisions, files, redirects } = numbers.source;
  const facts = [
    [pages, 'page'],
    [revisions, 'revision'],
    [files, 'file'],
    [redirects, 'redirect'],
  ] as const;
  return html`<p class="lede">${kindNames[kinds.find((one) => one === kind) ?? 'markdown']}${upload?.filename && html`, <bdi>${upload.filename}</bdi>`}: ${facts.flatMap(([number, word]) => (number > 0 ? [count(number, word)] : [])).join(', ')}. Nothing has been written yet.</p>
${certificate.recognisedBy !== undefined && html`<p class="quiet">Read as ${kindNames[kinds.find((one) => one === kind) ?? 'markdown']}, because ${certificate.recognisedBy}.</p>`}
${
  upload
    ? html`<form method="post" action="/import/${id}" class="narrow-form">${choiceOf(certificate, upload, errors)}<div class="buttons"><button type="submit" name="what" value="import" class="button">Import</button> <button type="submit" name="what" value="cancel" class="button quiet-button">Remove the file</button></div></form>
<details class="import-help"${form?.text('what') === 'look' && html` open`}><summary>Change kind or destination</summary><form method="post" action="/import/${id}" class="narrow-form">${sourceFields({ kind: form?.text('kind') ?? upload.kind, parent: form?.text('parent') ?? (parent === '/' ? '' : parent), errors })}<div class="buttons"><button type="submit" name="what" value="look" class="button quiet-button">Look again</button></div></form></details>`
    : html`<p>The file was already imported or removed. <a href="/import">Choose a file</a></p>`
}
${lists(id, certificate, ['refused', 'gone', 'collisions', 'left-out'])}
<section><h2>Pages <span class="count">${plainNumber(total ?? tree.length)}</span></h2>
<p class="quiet">${outcome(tree, total ?? tree.length, pages)}</p>
<ul class="import-tree">${inOrder(tree).map(
    ({ path, title, isKnown }) =>
      html`<li style="--depth: ${Math.min(path.split('/').length - 2, 6)}">${isKnown ? html`<a href="${pageUrl(path)}" dir="auto">${title}</a> <span class="quiet">is here</span>` : html`<bdi>${title}</bdi>`} <code dir="auto">${path}</code></li>`,
  )}</ul>
${total !== null && total > tree.length && html`<p class="quiet">Only the first ${plainNumber(tree.length)} are shown.</p>`}</section>
<p class="quiet">Links and markup are converted while it is imported, and each page is then compared with its source: neither has happened yet. The account at the end names every link that leads nowhere, every page on which readers see something else than in the source, all that was adapted, and all that was left out.</p>`;
}

/** Fields of choices before the import: whether it continues an earlier one, and what becomes of pages that are gone. */
function choiceOf(
  { unclear, gone, origin = '' }: JobCertificate,
  upload: ImportRequest,
  errors: FieldError[] = [],
): Html {
  return html`${
    unclear &&
    html`${field('source', 'Name of the source', html`value="${upload.source ?? ''}" list="import-sources" required autocomplete="off" maxlength="${maxOriginLength}" dir="auto"`, { errors, hint: html`Pages of an earlier import already exist, and it is unclear whether this is the same source. The name ${unclear.map((name, index) => html`${index > 0 && ' or '}<bdi>“${name}”</bdi>`)} continues that import; another name makes a separate import.` })}<datalist id="import-sources">${unclear.map((name) => html`<option value="${name}"></option>`)}</datalist>`
  }
${!unclear && html`<input type="hidden" name="source" value="${upload.source ?? origin}">`}
${gone.list.some(({ outcome }) => outcome === 'stays') && html`<label class="choice"><input type="checkbox" name="prune" value="yes"> Delete pages that no longer exist in the source (they stay in the trash for a while), and move those whose files were moved</label>`}`;
}

/** Says how the number of pages differs from that of the source: pages are made for folders, and some are here already. */
function outcome(tree: NonNullable<JobCertificate['tree']>, total: number, inSource: number): string {
  const known = tree.filter(({ isKnown }) => isKnown).length;
  const parts = [
    tree.length === total &&
      `${count(total - known, 'new page')}, ${count(known, 'page')} that already ${known === 1 ? 'exists' : 'exist'}.`,
    total > inSource && `The source has ${count(inSource, 'page')}; the others are created above them.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Sorted so that each page follows its parent. */
function inOrder(tree: NonNullable<JobCertificate['tree']>): typeof tree {
  const keyOf = ({ path }: { path: string }) => path.replaceAll('/', '\0');
  return tree.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
