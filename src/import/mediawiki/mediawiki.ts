/**
 * MediaWiki dumps as written by `dumpBackup.php` and `Special:Export`. Redirects become aliases, unless they had other content
 * before or are templates; namespaces become subtrees.
 */
import { basename } from 'node:path';
import type { Dialect } from '@coppice/wikitext/dialect';
import { rulesOf } from '@coppice/wikitext/dialect';
import { namedLanguage } from '#core/model/language-tag.ts';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { Problem } from '#core/model/problem.ts';
import { outlinedAccess } from '../access.ts';
import { LargeMaps } from '../large-map.ts';
import { maxOriginLength } from '../origin.ts';
import type {
  Adapted,
  LinkPlan,
  Omission,
  PageOutline,
  Source,
  SourceEvent,
  SourceFile,
  Translated,
} from '../source.ts';
import { adaptPage } from './adapt.ts';
import { decodedText } from './decode.ts';
import { type DumpEvent, type DumpSite, type DumpUpload, readDump } from './dump-reader.ts';
import { type FoundFiles, findFiles } from './found-files.ts';
import { withoutImageMaps } from './image-map.ts';
import { type LocalWords, localWords } from './local-words.ts';
import { adaptMarkdown } from './own-markdown.ts';
import { statedInRestrictions, translationInRestrictions } from './restrictions.ts';
import { TemplateCategories } from './template-categories.ts';
import { namespace, type WikiTitle, WikiTitles } from './titles.ts';
import { isMarked, TranslatedPages, withoutMarks } from './translated-pages.ts';

interface MediaWikiOptions {
  dialect: Dialect;
  /** Folder with the uploaded files, by name or in MediaWiki's layout. */
  filesFolder?: string | undefined;
}

const ownGenerator = 'Coppice';
/** Content models that are no text, such as message boards. */
const foreignModels = /flow|wikibase|proofread|massmessage|json-schema/i;

export async function openMediaWiki(path: string, options: MediaWikiOptions): Promise<MediaWikiDump> {
  const files = options.filesFolder === undefined ? undefined : await findFiles(options.filesFolder);
  return new MediaWikiDump(path, options.dialect, files);
}

interface PageFacts {
  title: WikiTitle;
  model: string;
}

class MediaWikiDump implements Source {
  readonly kind = 'mediawiki';
  readonly hasHistory = true;
  readonly #path: string;
  readonly #dialect: Dialect;
  readonly #files: FoundFiles | undefined;
  #titles = new WikiTitles(emptySite());
  #site = emptySite();
  #words: LocalWords | undefined;
  readonly #maps = new LargeMaps();
  readonly #facts = this.#maps.make<PageFacts>();
  readonly #fragments = this.#maps.make<string>();
  /** Texts of the latest revisions of templates, by key. */
  readonly #templates = this.#maps.make<string>();
  readonly #translated = new TranslatedPages(this.#maps);
  #categories: TemplateCategories | undefined;
  /** Keys of the pages that uploads belong to, by file name. */
  readonly #uploads = this.#maps.make<string>();

  constructor(path: string, dialect: Dialect, files: FoundFiles | undefined) {
    this.#path = path;
    this.#dialect = dialect;
    this.#files = files;
  }

  get name(): string {
    return this.#site.name || basename(this.#path).replace(/\.xml.*$/, '');
  }

  /** None for wikis on a machine of their own, which call themselves alike. */
  get identity(): string | undefined {
    const { name, base } = this.#site;
    const url = URL.parse(base);
    if (!url || /^(?:localhost|127\..*|\[::1\])$/.test(url.hostname)) return undefined;
    return `mediawiki:${name} ${new URL('.', url).href}`.trim().slice(0, maxOriginLength);
  }

  async *outline(): AsyncGenerator<PageOutline | Omission> {
    let seen: OutlinedPage | undefined;
    let logs = 0;
    for await (const event of readDump(decodedText(this.#path))) {
      if (event.event === 'site') this.#begin(event.site);
      else if (event.event === 'log') logs++;
      else if (event.event === 'page') seen = this.#outlined(event);
      else if (seen && event.event === 'end') yield* this.#tell(seen);
      else if (seen) notePart(seen, event);
    }
    if (logs > 0) yield { source: 'log', why: `${logs} entries of the log do not belong to any page` };
    if (this.#files) {
      for (const name of this.#files.names())
        if (!this.#uploads.has(name)) yield { source: name, why: 'no page of the dump describes this file' };
    }
  }

  async *read(isWanted: (key: string) => boolean): AsyncGenerator<SourceEvent> {
    let key: string | undefined;
    let upload: DumpUpload | undefined;
    for await (const event of readDump(decodedText(this.#path))) {
      if (event.event === 'page') {
        const title = this.#titleOf(event);
        key = title && isWanted(this.#titles.keyOf(title)) ? this.#titles.keyOf(title) : undefined;
        upload = undefined;
        if (key !== undefined) yield { event: 'page', key };
      } else if (key === undefined) continue;
      else if (event.event === 'revision') {
        const { id, at, author, comment, text = '' } = event.revision;
        yield { event: 'revision', revision: { id, at, author, msg: comment, body: text } };
      } else if (event.event === 'upload') {
        if (!upload || event.upload.at >= upload.at) upload = event.upload;
      } else if (event.event === 'end') {
        const file = this.#fileOf(key, upload);
        if (file) yield { event: 'file', ...file };
        yield { event: 'end' };
      }
    }
  }

  adapt(key: string, body: string, plan: LinkPlan): Adapted {
    const facts = this.#facts.get(key);
    if (!facts) throw new Error(`The outline has no page ${key}.`);
    const isText = facts.model === 'wikitext';
    const { text, approximated } = isText ? withoutMarks(body) : { text: body, approximated: [] };
    const isOwn = this.#site.generator === ownGenerator;
    const adapt = this.#isMarkdown(facts.model) ? adaptMarkdown : adaptPage;
    const converted = adapt(facts, text, {
      titles: this.#titles,
      plan,
      rules: rulesOf(this.#dialect),
      words: this.#words,
      fragments: this.#fragments,
      isOwn,
      pathOfFile: (name) => {
        const page = plan.pageOf(this.#uploads.get(name) ?? '');
        return page && `${page.path}/${name}`;
      },
    });
    const adapted = { ...converted, approximated: [...approximated, ...converted.approximated] };
    // Templates and modules are shown where they are called.
    if (!isText || typeOf(facts.title) !== undefined) return adapted;
    return {
      ...this.#withCategories(facts.title, text, adapted),
      source: { language: 'wikitext', text: withoutImageMaps(text), names: this.#site.language },
    };
  }

  translations(): Iterable<readonly [string, Translated]> {
    const language = namedLanguage(this.#site.language.toLowerCase());
    return this.#translated.all(language, (key) => this.#facts.has(key));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#maps[Symbol.dispose]();
  }

  /** Writes out the categories that templates set: those of its own text are the tags of a page here. */
  #withCategories(title: WikiTitle, body: string, adapted: Adapted): Adapted {
    if (!body.includes('{{')) return adapted;
    const names = this.#categories?.setBy(body, this.#titles.titleHere(title), rulesOf(this.#dialect)) ?? [];
    if (names.length === 0) return adapted;
    const written = names.map((name) => `[[Category:${name}]]`).join('\n');
    const ofTemplates = {
      construct: 'categories that templates set, now in the text',
      before: '',
      after: written,
    };
    return {
      ...adapted,
      body: `${adapted.body.trimEnd()}\n\n${written}\n`,
      approximated: [...adapted.approximated, ofTemplates],
    };
  }

  /** An export of a Coppice holds pages in Markdown as plain text, because many MediaWikis know no Markdown. */
  #isMarkdown(model: string): boolean {
    return model === 'text' && this.#site.generator === ownGenerator;
  }

  #begin(site: DumpSite): void {
    this.#site = site;
    this.#titles = new WikiTitles(site);
    this.#words = localWords(site, this.#dialect);
    this.#categories = new TemplateCategories(this.#titles, this.#templates);
  }

  #titleOf({ title, ns }: { title: string; ns: number | undefined }): WikiTitle | undefined {
    const read = this.#titles.read(title);
    if (!read || ns === undefined || ns === read.ns) return read;
    // For a namespace without a name in the dump, the part before the colon is its name.
    return ns === namespace.main ? { ns, name: title } : { ns, name: title.slice(title.indexOf(':') + 1) };
  }

  #outlined(event: DumpEvent & { event: 'page' }): OutlinedPage {
    return {
      ...event,
      wikiTitle: this.#titleOf(event),
      target: undefined,
      model: 'wikitext',
      text: '',
      isMarked: false,
      revisions: 0,
      hidden: 0,
      long: 0,
      isRedirect: true,
      uploads: { named: 0, contents: 0 },
    };
  }

  *#tell(seen: OutlinedPage): Generator<PageOutline | Omission> {
    const { wikiTitle: title, revisions, model, uploads } = seen;
    const leftOut = (why: string, isRefusal?: true): Omission => ({
      source: seen.title,
      why,
      ...(isRefusal ? { isRefusal } : {}),
    });
    if (!title) return void (yield leftOut('it has no title', true));
    if (revisions === 0) return void (yield leftOut('it has no revision'));
    if (foreignModels.test(model)) return void (yield leftOut(`its content has the model ${model}`));
    const key = this.#titles.keyOf(title);
    if (seen.hidden > 0) yield leftOut(`the text of ${seen.hidden} revisions is hidden in the source`);
    if (seen.long > 0) yield leftOut(`${seen.long} revisions have more than ${maxBodyBytes} bytes`, true);
    const target =
      seen.target === undefined ? undefined : this.#titles.read(seen.target.split('#', 1)[0] ?? '');
    // Templates are called by title, which an alias does not have.
    const isRedirect = seen.isRedirect && target !== undefined && title.ns !== namespace.template;
    this.#facts.set(key, { title, model });
    const { language, translationOf } = translationInRestrictions(seen.restrictions);
    const original = this.#titles.read(translationOf ?? '');
    if (language ?? original)
      this.#translated.state(key, {
        ...(language === undefined ? {} : { language }),
        ...(original ? { original: this.#titles.keyOf(original) } : {}),
      });
    if (model === 'wikitext' && !isRedirect) this.#translated.note(key, title, seen.isMarked);
    if (title.ns === namespace.template && model === 'wikitext') this.#categories?.note(key, seen.text);
    const fragment = seen.target?.split('#', 2)[1]?.trim();
    if (isRedirect && fragment) this.#fragments.set(key, fragment);
    const hasFile = title.ns === namespace.file && (uploads.contents > 0 || this.#files?.has(title.name));
    if (hasFile) this.#uploads.set(title.name, key);
    else if (uploads.named > 0)
      yield leftOut('the dump names the file, but does not contain its bytes', true);
    if (uploads.contents > 1)
      yield leftOut(`${uploads.contents - 1} earlier uploads were replaced in the source`);
    yield {
      key,
      title: this.#titles.titleHere(title),
      place: this.#titles.placeOf(title),
      format: this.#isMarkdown(model) ? 'markdown' : 'wikitext',
      type: typeOf(title),
      revisions,
      ...(seen.id === '' ? {} : { fingerprint: `page-${seen.id}` }),
      ...(isRedirect ? { redirect: this.#titles.keyOf(target) } : {}),
      addresses: [`/wiki/${this.#titles.addressOf(title).replaceAll('?', '%3F')}`],
      files: hasFile ? [{ key: title.name, filename: title.name }] : [],
      ...outlinedAccess(statedInRestrictions(seen.restrictions)),
    };
  }

  #fileOf(key: string, upload: DumpUpload | undefined) {
    const { title } = this.#facts.get(key) ?? {};
    if (!title || this.#uploads.get(title.name) !== key) return undefined;
    const file: SourceFile = { key: title.name, filename: title.name };
    const contents = upload?.contents;
    const bytes = contents === undefined ? undefined : () => decodedOnce(contents);
    const found = this.#files;
    const open = bytes ?? (found?.has(title.name) ? () => found.open(title.name) : undefined);
    return open && { file, bytes: open };
  }
}

interface OutlinedPage {
  title: string;
  /** Empty if the dump does not say. */
  id: string;
  wikiTitle: WikiTitle | undefined;
  redirect: string | undefined;
  restrictions: string;
  /** Redirect target of the last revision. */
  target: string | undefined;
  model: string;
  /** Text of the last revision of a template. */
  text: string;
  /** Whether the text of the last revision is marked for translators. */
  isMarked: boolean;
  revisions: number;
  hidden: number;
  long: number;
  /** Whether all revisions are redirects. */
  isRedirect: boolean;
  uploads: { named: number; contents: number };
}

function notePart(page: OutlinedPage, event: DumpEvent): void {
  if (event.event === 'upload') {
    page.uploads.named++;
    if (event.upload.contents !== undefined) page.uploads.contents++;
  } else if (event.event === 'revision') {
    const { text, model } = event.revision;
    page.revisions++;
    page.model = model;
    page.isMarked = isMarked(text ?? '');
    if (page.wikiTitle?.ns === namespace.template) page.text = text ?? '';
    if (text === undefined) page.hidden++;
    else if (Buffer.byteLength(text) > maxBodyBytes) page.long++;
    page.target = redirectIn(text ?? '', page.redirect !== undefined);
    page.isRedirect &&= page.target !== undefined;
  }
}

/** Redirect target of a text. In other languages than English the dump marks redirects. */
function redirectIn(text: string, isMarked: boolean): string | undefined {
  const [, word = '', target] =
    /^\s*#([\p{L}\p{M}]{1,40})\s*:?\s*\[\[([^\]|\n]{1,1024})/u.exec(text.slice(0, 2000)) ?? [];
  return target !== undefined && (isMarked || word.toLowerCase() === 'redirect') ? target : undefined;
}

function typeOf({ ns, name }: WikiTitle): string | undefined {
  if (ns === namespace.template) return 'Template';
  return ns === namespace.module && !name.endsWith('/doc') ? 'Module' : undefined;
}

async function* decodedOnce(contents: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(contents, 'base64');
  if (bytes.length === 0) throw new Problem('invalid', 'its bytes are not base64');
  yield bytes;
}

function emptySite(): DumpSite {
  return { version: '', name: '', base: '', language: '', generator: '', namespaces: new Map() };
}
