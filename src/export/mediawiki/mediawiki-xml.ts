/**
 * A wiki as MediaWiki XML, version 0.11: every change that the reader may see as a revision, and every file as an upload with
 * its bytes, as `dumpBackup.php --full --uploads --include-files` writes it and `importDump.php --uploads` reads it. Revisions
 * that came from a MediaWiki are returned exactly. Links of other revisions are rewritten to titles, because MediaWiki has no
 * paths.
 */

import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { DamagedChange } from '#core/model/damage.ts';
import type { AttachedFile, Change, MemberName, PageOutline } from '#core/model/page.ts';
import { madeSlugOf } from '#core/model/path.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { accessRecord, narrowerCode } from '#import/access.ts';
import type { StatedTranslation } from '#import/mediawiki/restrictions.ts';
import { canonicalNamespaces } from '#import/mediawiki/titles.ts';
import { accessOf, statedAccess } from '../access.ts';
import { isFolderAlone, isImportStep, isVerbatim } from '../from-import.ts';
import { mayAllRead, type PageReaders, readersOf } from '../page-reader.ts';
import {
  batches,
  bytesOf,
  changesOf,
  type ExportCounts,
  type ExportSource,
  filesNamed,
  newCounts,
  outlinesOf,
  piecesOf,
} from '../walk.ts';
import { pathsIn, withTitles } from './links.ts';
import { markdownWithTitles, pathsInMarkdown } from './markdown-links.ts';
import { type MediaWikiTitle, MediaWikiTitles } from './titles.ts';

/** Greater than any number of a page or change. */
const firstOwnNumber = 10_000_000_000;

interface Writing {
  source: ExportSource;
  titles: ReadonlyMap<number, MediaWikiTitle>;
  readers: ReadonlyMap<number, PageReaders>;
  names: MediaWikiTitles;
  /** By the ID of the translation to which the redirect leads. */
  redirects: ReadonlyMap<number, MediaWikiTitle>;
  counts: ExportCounts;
  nextNumber: number;
}

/** A page that has been written in part. */
interface OpenPage {
  page: PageOutline;
  title: MediaWikiTitle;
  /** Members who uploaded files, by name. */
  uploaders: Map<string, MemberName>;
  /** Names of files in changes that all readers of the page see. */
  seen: Set<string>;
}

/** Keeps the titles of all pages in memory; `ExportCounts` describes the result. */
export async function* mediaWikiXml(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts = newCounts(),
): AsyncGenerator<string> {
  const names = new MediaWikiTitles();
  const titles = new Map<number, MediaWikiTitle>();
  const readers = new Map<number, PageReaders>();
  const translations: Pick<PageOutline, 'id' | 'language' | 'originalId'>[] = [];
  for await (const page of outlinesOf(source, top)) {
    titles.set(page.id, names.ofPage(page));
    const { id, language, originalId } = page;
    readers.set(id, readersOf(page, source.reader()));
    if (originalId !== null) translations.push({ id, language, originalId });
  }
  const redirects = new Map<number, MediaWikiTitle>();
  for (const { id, language, originalId } of translations) {
    const original = titles.get(originalId ?? 0);
    // The redirect is named like the original, and its readers are those of the translation.
    if (!original || !isReadWith(readers, id, originalId ?? 0)) continue;
    const redirect = names.ofTranslation(original, language ?? source.wiki.language);
    if (redirect) redirects.set(id, redirect);
  }
  const nextNumber = firstOwnNumber;
  const writing: Writing = { source, titles, readers, names, redirects, counts, nextNumber };
  yield head(source);
  for await (const ids of batches(source, top)) {
    const reader = source.reader();
    const pages = (await reader.pages.outlines(ids.filter((id) => titles.has(id)))).sort(
      (a, b) => a.id - b.id,
    );
    yield* pagesXml(writing, pages);
  }
  yield '</mediawiki>\n';
}

/** Whether all readers of the page may read the other one. */
function isReadWith(readers: Writing['readers'], id: number, other: number): boolean {
  const [own, theirs] = [readers.get(id), readers.get(other)];
  return own !== undefined && theirs !== undefined && mayAllRead(own, theirs);
}

function head({ wiki }: ExportSource): string {
  const schema = 'http://www.mediawiki.org/xml/export-0.11';
  const namespaces = Object.entries(canonicalNamespaces)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([key, name]) =>
      name === ''
        ? `<namespace key="${key}" case="first-letter" />`
        : `<namespace key="${key}" case="first-letter">${name}</namespace>`,
    );
  return `<mediawiki xmlns="${schema}/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${schema}/ ${schema}.xsd" version="0.11" xml:lang="${xml(wiki.language)}">
  <siteinfo>
    <sitename>${xml(wiki.name)}</sitename>
    <base>${xml(encodeURI(`${wiki.url}/`))}</base>
    <generator>Coppice</generator>
    <case>first-letter</case>
    <namespaces>
      ${namespaces.join('\n      ')}
    </namespaces>
  </siteinfo>
`;
}

async function* pagesXml(writing: Writing, pages: PageOutline[]): AsyncGenerator<string> {
  const { source, titles, counts } = writing;
  const reader = source.reader();
  const waiting = [...pages];
  let open: OpenPage | undefined;
  for await (const change of changesOf(reader, pages, counts)) {
    if (change instanceof DamagedChange) continue;
    if (change.pageId !== open?.page.id) {
      if (open) yield* endOf(writing, open);
      let page = waiting.shift();
      while (page && page.id !== change.pageId) page = waiting.shift();
      const title = page && titles.get(page.id);
      open = undefined;
      if (!page || !title || (page.changeId === change.id && isAgainMade(writing, page, change))) continue;
      open = { page, title, uploaders: new Map(), seen: new Set() };
      counts.pages++;
      yield `  <page>\n    <title>${xml(title.title)}</title>\n    <ns>${title.ns}</ns>\n    <id>${page.id}</id>\n${restrictionsOf(writing, page, translationOf(writing, page))}`;
    }
    for (const name of change.content.files ?? []) {
      if (!open.uploaders.has(name)) open.uploaders.set(name, change.editor);
      if (change.id >= open.page.historyFrom) open.seen.add(name);
    }
    counts.changes++;
    if (!isImportStep(change.content)) yield await revisionXml(writing, change);
  }
  if (open) yield* endOf(writing, open);
}

/** Returns whether the next import makes this page of a folder again by itself. */
function isAgainMade(writing: Writing, page: PageOutline, { content }: Change): boolean {
  return isFolderAlone(content) && restrictionsOf(writing, page) === '';
}

/**
 * MediaWiki's import skips this element, in which dumps once held the protection of a page. This wiki reads the access and the
 * original of a translation from it: `src/import/mediawiki/restrictions.ts`.
 */
function restrictionsOf({ source }: Writing, page: PageOutline, translation?: StatedTranslation): string {
  // Titles have no tree, so no page is beneath one that protects what lies beneath it.
  const wiki = source.reader();
  const around = { isTop: true, now: source.now, wiki, actor: wiki.actor };
  const access = statedAccess(page, around) ?? (translation && accessRecord(accessOf(page, around)));
  return access
    ? `    <restrictions>${xml(JSON.stringify({ ...access, ...translation }))}</restrictions>\n`
    : '';
}

/** `titles` has only pages that the reader may read. */
function translationOf(
  { titles }: Writing,
  { language, originalId }: PageOutline,
): StatedTranslation | undefined {
  const original = titles.get(originalId ?? 0);
  if (language === null && !original) return undefined;
  return {
    ...(language === null ? {} : { language }),
    ...(original ? { translationOf: original.title } : {}),
  };
}

async function revisionXml({ source, titles, readers }: Writing, change: Change): Promise<string> {
  const { content } = change;
  const isText = content.format === 'markdown';
  const isModule = content.type === 'Module';
  const paths = isVerbatim(content) ? [] : isText ? pathsInMarkdown(content.body) : pathsIn(content.body);
  const resolved = await source.reader().links.resolve(paths);
  const write = isText ? markdownWithTitles : withTitles;
  const text = write(content.body, paths, (path) => {
    const page = resolved.get(path);
    if (!page) return undefined;
    // A title that says more than the link is only for those who may read the page.
    const isSaid = path === page.path && madeSlugOf(page.title) === path.slice(path.lastIndexOf('/') + 1);
    if (!isSaid && !isReadWith(readers, change.pageId, page.id)) return undefined;
    return titles.get(page.id)?.title ?? page.title;
  });
  // Many MediaWikis lack a content model for Markdown, so such text is exported as plain text.
  const name = isText ? 'text' : isModule ? 'Scribunto' : undefined;
  return revision(change, content.msg, text, name && [name, 'text/plain']);
}

function revision(
  { id, at, editor }: Pick<Change, 'id' | 'at' | 'editor'>,
  comment: string,
  text: string,
  [name, format] = ['wikitext', 'text/x-wiki'],
): string {
  return `    <revision>
      <id>${id}</id>
      <timestamp>${time(at)}</timestamp>
      ${contributor(editor)}${comment === '' ? '' : `\n      <comment>${xml(comment)}</comment>`}
      <origin>${id}</origin>
      <model>${name}</model>
      <format>${format}</format>
      <text bytes="${Buffer.byteLength(text)}" sha1="${sha1Of(text)}" xml:space="preserve">${xml(text)}</text>
      <sha1>${sha1Of(text)}</sha1>
    </revision>
`;
}

/**
 * Writes the end of a page: its upload if the page describes a file, otherwise its files as pages of their own. A redirect leads to a
 * translation from the subpage of its original where MediaWiki looks for it (`Special:MyLanguage/Oak`).
 */
async function* endOf(writing: Writing, { page, title, uploaders, seen }: OpenPage): AsyncGenerator<string> {
  const all = await filesNamed(writing.source.reader(), [...uploaders.keys()]);
  const isSeen = new Set(all.flatMap(({ name, filename }) => (seen.has(name) ? filename : [])));
  // Uploads of one page have the same readers, so those in hidden changes would be shown beside the others.
  const versions = Map.groupBy(
    all.filter(({ name, filename }) => seen.has(name) || !isSeen.has(filename)),
    ({ filename }) => filename,
  );
  const own = [...isSeen].find((filename) => title.title === `File:${filename.replaceAll('_', ' ')}`);
  for (const file of versions.get(own ?? '') ?? [])
    yield* uploadXml(writing, file, title.title.slice('File:'.length), uploaders);
  yield '  </page>\n';
  const redirect = writing.redirects.get(page.id);
  if (redirect) {
    yield ownPage(writing, redirect, page);
    const { createdAt: at, owner: editor } = page;
    yield revision({ id: writing.nextNumber++, at, editor }, '', `#REDIRECT [[:${title.title}]]`);
    yield '  </page>\n';
  }
  for (const [filename, files] of versions) {
    const first = files.toSorted((a, b) => a.uploadedAt - b.uploadedAt)[0];
    if (filename === own || !first || files.every(({ sizeBytes }) => sizeBytes === 0)) continue;
    const name = writing.names.ofFile(filename);
    const editor = uploaders.get(first.name) ?? page.owner;
    // Hidden changes are shown to the owner alone.
    const permissions = isSeen.has(filename) ? page.permissions : narrowerCode(page.permissions, 700);
    yield ownPage(writing, { ns: 6, title: `File:${name}` }, { ...page, permissions });
    const text = `Attached to [[:${title.title}]].`;
    yield revision({ id: writing.nextNumber++, at: first.uploadedAt, editor }, '', text);
    for (const file of files) yield* uploadXml(writing, file, name, uploaders);
    yield '  </page>\n';
  }
}

/** The beginning of a page that only this export has, for the readers of `page`. */
function ownPage(writing: Writing, { ns, title }: MediaWikiTitle, page: PageOutline): string {
  return `  <page>\n    <title>${xml(title)}</title>\n    <ns>${ns}</ns>\n    <id>${writing.nextNumber++}</id>\n${restrictionsOf(writing, page)}`;
}

/** MediaWiki does not accept empty files. */
async function* uploadXml(
  { source, counts }: Writing,
  file: AttachedFile,
  name: string,
  uploaders: ReadonlyMap<string, MemberName>,
): AsyncGenerator<string> {
  if (file.sizeBytes === 0) return;
  const bytes = await bytesOf(source.files, file, counts);
  if (!bytes) return;
  yield `    <upload>
      <timestamp>${time(file.uploadedAt)}</timestamp>
      ${contributor(uploaders.get(file.name) ?? { id: file.uploaderId, name: '' })}
      <comment></comment>
      <filename>${xml(name.replaceAll(' ', '_'))}</filename>
      <src>${xml(source.wiki.url + fileUrl(file.name))}</src>
      <size>${file.sizeBytes}</size>
      <contents encoding="base64">`;
  for await (const piece of piecesOf(bytes)) yield piece.toString('base64');
  yield `</contents>\n    </upload>\n`;
}

function contributor({ id, name }: MemberName): string {
  const inside = isIP(name) ? `<ip>${xml(name)}</ip>` : `<username>${xml(name)}</username><id>${id}</id>`;
  return `<contributor>${inside}</contributor>`;
}

/** Times in MediaWiki have no milliseconds. */
function time(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** SHA-1 as 31 digits in base 36, as MediaWiki writes it. */
function sha1Of(text: string): string {
  return BigInt(`0x${hash('sha1', text)}`)
    .toString(36)
    .padStart(31, '0');
}

/** Drops other control characters, which XML cannot represent even as references (XML 1.0 §2.2). */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"\r]/g, (character) => escapes[character] ?? '');
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
