/** Preview of the pages that an import would create, and the fields that describe its source. */

import type { FieldError } from '#core/model/problem.ts';
import type { ImportRequest } from '#import/imports.ts';
import type { JobCertificate } from '#import/job.ts';
import { maxOriginLength } from '#import/origin.ts';
import { type Kind, kinds } from '#import/source.ts';
import { listOf, say } from '#words/say.ts';
import { stored } from '#words/stored.ts';
import { pageUrl } from '../../components.ts';
import { choices, field, selectField } from '../../form-fields.ts';
import type { RefusedForm } from '../../form-routes.ts';
import { plainNumber } from '../../format.ts';
import { type Html, html, type Words } from '../../html.ts';
import { lists } from './import-account.ts';

const kindNames: Record<Kind, Words> = {
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
  vitepress: say('importPreview.vitepressOrVuepress'),
  hugo: 'Hugo',
  zola: 'Zola',
  jekyll: 'Jekyll',
  eleventy: 'Eleventy',
  nextjs: 'Next.js',
  markdown: say('importPreview.otherMarkdown'),
  html: 'HTML',
  notion: 'Notion',
  confluence: 'Confluence',
  tiddlywiki: 'TiddlyWiki',
  evernote: 'Evernote',
  opml: 'OPML',
  outline: 'Outline',
  bookstack: 'BookStack',
  office: say('importPreview.wordOrOpendocument'),
  csv: 'CSV',
  wikitext: say('common.wikitext'),
  jsonl: say('importPreview.jsonLinesOfCoppice'),
};

/** Help on obtaining an importable file. */
export const whereFrom = html`<details class="import-help"><summary>${say('importPreview.howToGetTheFile')}</summary><dl>
<dt>MediaWiki</dt><dd>${say('importPreview.codeOrThePageCode2', {
  code: html`<code>php maintenance/run.php dumpBackup --full --uploads --include-files</code>`,
  code2: html`<code>Special:Export</code>`,
})}</dd>
<dt>${say('importPreview.obsidianLogseqMkdocsMdbook')}</dt><dd>${say('importPreview.theFolderOfTheVaultOr')}</dd>
<dt>${say('importPreview.filesOfWikitext')}</dt><dd>${say('importPreview.theFolderAsAZip')}</dd>
<dt>Wiki.js</dt><dd>${say('importPreview.theFolderOrRepositoryOfIts')}</dd>
<dt>DokuWiki</dt><dd>${say('importPreview.itsFolderCodeAsAZip', { code: html`<code>data</code>` })}</dd>
<dt>Notion</dt><dd>${say('importPreview.exportAsMarkdownCsvWith')}</dd>
<dt>Confluence</dt><dd>${say('importPreview.spaceSettingsExportSpaceXml')}</dd>
<dt>${say('importPreview.outlineGitbook')}</dt><dd>${say('importPreview.aMarkdownExportOfThese')}</dd>
<dt>BookStack</dt><dd>${say('importPreview.thePortableZipOfABookChapter')}</dd>
<dt>${say('importPreview.evernoteTiddlywikiOutlines')}</dt><dd>${say('importPreview.theEnexHtmlOrJsonOrOpmlFile')}</dd>
<dt>${say('importPreview.singleDocuments')}</dt><dd>${say('importPreview.aDocxOdtMdHtmlOrCsvFile')}</dd>
<dt>Coppice</dt><dd>${say('importPreview.itsExportAsJsonLines', { link: (words) => html`<a href="/export">${words}</a>` })}</dd>
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
  const offered = [
    ['', say('importPreview.recogniseByTheFile')],
    ...kinds.map((one) => [one, kindNames[one]]),
  ] as [string, Words][];
  return html`${selectField('kind', say('importPreview.source'), choices(offered, kind), { errors })}
${field('parent', say('importPreview.importBeneath'), html`value="${parent}" placeholder="/notes" autocomplete="off" dir="auto"`, { errors, hint: say('importPreview.pathOfAPageWhichIsCreatedIf') })}`;
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
    pages > 0 && say('count.pages', { count: pages }),
    revisions > 0 && say('count.revisions', { count: revisions }),
    files > 0 && say('count.files', { count: files }),
    redirects > 0 && say('count.redirects', { count: redirects }),
  ].filter((one) => one !== false);
  const name = kindNames[kinds.find((one) => one === kind) ?? 'markdown'];
  return html`<p class="lede">${name}${upload?.filename && html`, <bdi>${upload.filename}</bdi>`}: ${say('importPreview.nothingWrittenYet', { facts: listOf(facts, 'unit') })}</p>
${certificate.recognisedBy !== undefined && html`<p class="quiet">${say('importPreview.readAsValueBecause', { value: name, recognisedBy: stored(certificate.recognisedBy) })}</p>`}
${
  upload
    ? html`<form method="post" action="/import/${id}" class="narrow-form">${choiceOf(
        certificate,
        upload,
        errors,
      )}<div class="buttons"><button type="submit" name="what" value="import" class="button">${say(
        'importPreview.import',
      )}</button> <button type="submit" name="what" value="cancel" class="button quiet-button">${say(
        'importPreview.removeTheFile',
      )}</button></div></form>
<details class="import-help"${
        form?.text('what') === 'look' && html` open`
      }><summary>${say('importPreview.changeKindOrDestination')}</summary><form method="post" action="/import/${id}" class="narrow-form">${sourceFields(
        {
          kind: form?.text('kind') ?? upload.kind,
          parent: form?.text('parent') ?? (parent === '/' ? '' : parent),
          errors,
        },
      )}<div class="buttons"><button type="submit" name="what" value="look" class="button quiet-button">${say('importPreview.lookAgain')}</button></div></form></details>`
    : html`<p>${say('importPreview.theFileWasAlreadyImportedOr', { link: (words) => html`<a href="/import">${words}</a>` })}</p>`
}
${lists(id, certificate, ['refused', 'gone', 'collisions', 'left-out'])}
<section><h2>${say('importPreview.pagesNumber', { number: html`<span class="count">${plainNumber(total ?? tree.length)}</span>` })}</h2>
<p class="quiet">${outcome(tree, total ?? tree.length, pages)}</p>
<ul class="import-tree">${inOrder(tree).map(
    ({ path, title, isKnown }) =>
      html`<li style="--depth: ${Math.min(path.split('/').length - 2, 6)}">${
        isKnown
          ? html`<a href="${pageUrl(path)}" dir="auto">${title}</a> <span class="quiet">${say('importPreview.isHere')}</span>`
          : html`<bdi>${title}</bdi>`
      } <code dir="auto">${path}</code></li>`,
  )}</ul>
${total !== null && total > tree.length && html`<p class="quiet">${say('importPreview.onlyTheFirstNumberAreShown', { number: plainNumber(tree.length) })}</p>`}</section>
<p class="quiet">${say('importPreview.linksAndMarkupAreConverted')}</p>`;
}

/** Fields of choices before the import: whether it continues an earlier one, and what becomes of pages that are gone. */
function choiceOf(
  { kind, unclear, gone, origin = '' }: JobCertificate,
  upload: ImportRequest,
  errors: FieldError[] = [],
): Html {
  return html`${
    unclear &&
    html`${field(
      'source',
      say('importPreview.nameOfTheSource'),
      html`value="${upload.source ?? ''}" list="import-sources" required autocomplete="off" maxlength="${maxOriginLength}" dir="auto"`,
      {
        errors,
        hint: say('importPreview.sameSource', {
          names: listOf(
            unclear.map((name) => `“${name}”`),
            'disjunction',
          ),
        }),
      },
    )}<datalist id="import-sources">${unclear.map((name) => html`<option value="${name}"></option>`)}</datalist>`
  }
${!unclear && html`<input type="hidden" name="source" value="${upload.source ?? origin}">`}
${gone.list.some(({ outcome }) => outcome === 'stays') && html`<label class="choice"><input type="checkbox" name="prune" value="yes"> ${say('importPreview.deletePagesThatNoLongerExist')}</label>`}
${showsOtherSites(kind) && html`<label class="choice"><input type="checkbox" name="fetch" value="yes"> ${say('importPreview.fetchPicturesOfOtherSites')}</label>`}`;
}

/** Whether pages of this kind become Markdown, which may show pictures of other sites. */
function showsOtherSites(kind: JobCertificate['kind']): boolean {
  return !['jsonl', 'mediawiki', 'wikitext', 'dokuwiki'].includes(kind);
}

/** Says how the number of pages differs from that of the source: pages are made for folders, and some are here already. */
function outcome(tree: NonNullable<JobCertificate['tree']>, total: number, inSource: number): Html {
  const known = tree.filter(({ isKnown }) => isKnown).length;
  return html`${tree.length === total && say('importPreview.newAndKnown', { count: total - known, known })}${total > inSource && html` ${say('importPreview.inSource', { count: inSource })}`}`;
}

/** Sorted so that each page follows its parent. */
function inOrder(tree: NonNullable<JobCertificate['tree']>): typeof tree {
  const keyOf = ({ path }: { path: string }) => path.replaceAll('/', '\0');
  return tree.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
