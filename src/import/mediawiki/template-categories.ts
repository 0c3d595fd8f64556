/**
 * Categories that templates set. In a MediaWiki, a page is in every category that its templates name; here a page has the tags of its
 * own text. So the calls of templates that may set one are expanded with the texts of the dump, and what they set is written out.
 * Only templates that name a category, or call one that does, are expanded; modules are not run.
 */
import { type ExpandContext, expand, parse, type Rules, references } from '@coppice/wikitext';
import type { LargeMap } from '../large-map.ts';
import { namespace, type WikiTitles } from './titles.ts';

const call = /\{\{\s*(?:(?:safesubst|subst|msgnw|msg|raw):\s*)?([^{}|<>\n#]{1,250}?)\s*(?=[|}\n<])/giu;
const prefix = /\[\[\s*([^[\]{}|<>\n:]{1,60}):/gu;
const redirect = /^\s*#[\p{L}\p{M}]{1,40}\s*:?\s*\[\[([^\]|\n]{1,300})/u;
const maxRounds = 40;
const maxCategories = 200;

export class TemplateCategories {
  readonly #titles: WikiTitles;
  /** Texts of the latest revisions, by key. */
  readonly #texts: LargeMap<string>;
  /** Keys of templates that name a category themselves. */
  readonly #naming = new Set<string>();
  /** Key of a template → keys of those that call it. */
  readonly #callers = new Map<string, string[]>();
  #setting: ReadonlySet<string> | undefined;

  constructor(titles: WikiTitles, texts: LargeMap<string>) {
    this.#titles = titles;
    this.#texts = texts;
  }

  /** Notes a template while the dump is read, so that no page has to wait until all are looked at. */
  note(key: string, text: string): void {
    this.#texts.set(key, text);
    if ([...text.matchAll(prefix)].some(([, name = '']) => this.#isCategory(name))) this.#naming.add(key);
    for (const called of this.#calledIn(text)) {
      const list = this.#callers.get(called);
      if (list) list.push(key);
      else this.#callers.set(called, [key]);
    }
  }

  /** Names of the categories that the calls in a body set, without those that the body names itself. */
  setBy(body: string, title: string, rules: Rules): string[] {
    this.#setting ??= this.#findSetting();
    const setting = this.#setting;
    if (!this.#calledIn(body).some((key) => setting.has(key))) return [];
    const templates = new Map<string, string | null>();
    const page = { title, path: '/page' };
    const context: ExpandContext = {
      page,
      templates,
      rules,
      now: 0,
      exists: new Map(),
      listings: new Map(),
      bounds: { expandedLength: 500_000, calls: 5000 },
    };
    let { text, needs } = expand(body, context);
    for (let round = 0; needs.templates.length > 0 && round < maxRounds; round++) {
      for (const name of needs.templates) {
        const key = this.#keyOf(name);
        // The text of other templates sets nothing, and may decide about one that does.
        templates.set(name, (key === undefined ? undefined : this.#texts.get(key)) ?? null);
      }
      ({ text, needs } = expand(body, context));
    }
    const own = new Set(this.#categoriesIn(body, rules));
    return this.#categoriesIn(text, rules)
      .filter((name) => !own.has(name))
      .slice(0, maxCategories);
  }

  #categoriesIn(text: string, rules: Rules): string[] {
    const named = text.replace(prefix, (written, name: string) =>
      this.#isCategory(name) ? '[[Category:' : written,
    );
    const { tags } = references(parse(named, { rules, path: '/page', expanded: true }));
    const names = tags.flatMap(({ key, value }) =>
      key === 'category' ? (this.#titles.read(`Category:${value}`)?.name ?? []) : [],
    );
    return [...new Set(names)];
  }

  /** Whether this is the name of the namespace, in English or the language of the source. */
  #isCategory(name: string): boolean {
    return this.#titles.read(`${name}:x`)?.ns === namespace.category;
  }

  /** Keys of templates that name a category, or call one that does. */
  #findSetting(): ReadonlySet<string> {
    const found = new Set(this.#naming);
    // A set visits what is added to it meanwhile.
    for (const key of found) for (const caller of this.#callers.get(key) ?? []) found.add(caller);
    return found;
  }

  #calledIn(text: string): string[] {
    const keys = new Set<string>();
    const target = redirect.exec(text.slice(0, 1000))?.[1];
    for (const name of [
      ...[...text.matchAll(call)].map(([, name = '']) => name),
      ...(target ? [target] : []),
    ]) {
      const key = this.#keyOf(name);
      if (key !== undefined) keys.add(key);
    }
    return [...keys];
  }

  /** Key of the template that a call means; undefined for a page that is none. */
  #keyOf(name: string): string | undefined {
    const written = this.#titles.read(name);
    const title = written?.ns === namespace.main ? this.#titles.read(`Template:${name}`) : written;
    return title && this.#titles.keyOf(title);
  }
}
