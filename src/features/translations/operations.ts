/** Translations of pages: listing them, finding those that lag behind, and saying which change of the original one renders. */

import { type Static, Type } from 'typebox';
import type { Language } from '#core/content/language.ts';
import { languageOf } from '#core/model/language-tag.ts';
import type { Page } from '#core/model/page.ts';
import { invalid } from '#core/model/problem.ts';
import {
  component,
  count,
  flag,
  idField,
  optionalText,
  orNull,
  text,
  textOrNull,
} from '#core/operations/fields.ts';
import { operation } from '#core/operations/operation.ts';
import { countOf, limitField } from '#core/operations/paging.ts';
import { lockWritable } from '#core/pages/edit-page.ts';
import { refuseProtected } from '#core/pages/protection.ts';
import {
  changedParagraphs,
  compared,
  renderedOf,
  type Translation,
  translationsOf,
  untranslated,
} from '#core/pages/translations.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Transaction } from '#core/ports/store.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';

const path = text('Path of the page.', '/garten');
const defaultListed = 50;
const maxListed = 100;

const Behind = component('Behind', 'How far a translation is behind its original.', {
  changes: count(
    'Number of changes of the original since the one that the translation renders, at most 1,000.',
    2,
  ),
  paragraphs: count(
    'Number of paragraphs of the original that were added, removed or changed since then and are not marked as translated.',
    3,
  ),
});

const shownFields = {
  id: idField('ID of the page.', 9),
  language: text('Language of the page, a BCP 47 tag.', 'de'),
  path,
  title: text('Title of the page.', 'Garten'),
  original: flag('Whether this page is the original of the others.', false),
  behind: orNull(
    Behind,
    'How far the page is behind the original. Null for the original itself, for a translation of its latest change, and if the caller cannot read the original.',
    null,
  ),
};
const Shown = component('Translation', 'A page of a set of translations.', shownFields);
export type ShownTranslation = Static<typeof Shown>;
export const ShownTranslations = Type.Array(Shown, { description: 'The translations.' });

/** A translation as programs get it. */
function shown({ page, isOriginal, behind }: Translation, wiki: Reader): ShownTranslation {
  const { id, path, title, language } = page;
  return { id, language: language ?? wiki.dialect.language, path, title, original: isOriginal, behind };
}

export const listTranslations = operation({
  name: 'translations',
  summary: 'List the translations of a page',
  description:
    'For an original, its translations, by language. For a translation, its original, the page itself and the other translations. Only pages that the caller may see.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ path }),
  output: ShownTranslations,
  problems: ['not-found', 'gone'],
  ports: ['reader', 'language'],
  async run({ reader, language }, { input }) {
    const page = await getReadable(reader, input.path);
    return (await translationsOf(reader, language, page)).map((one) => shown(one, reader));
  },
});

export const listBehind = operation({
  name: 'translationsBehind',
  summary: 'List the translations that are behind their originals',
  description:
    'Translations into one language whose original has changed since, by ID. Lists only translations that the caller may see together with their originals.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({
    behind: text('Language of the translations, a BCP 47 tag.', 'de'),
    limit: limitField(defaultListed, 25),
    cursor: optionalText('Empty for the first part, then the value from `Link: rel="next"`.', ''),
  }),
  output: Type.Unsafe<{ items: ShownTranslation[]; next?: string }>({}),
  problems: [],
  ports: ['reader', 'language'],
  async run({ reader, language }, { input }) {
    const tag = languageOf(input.behind);
    if (tag === undefined) throw invalid('?behind', say('problem.aLanguageMustBeABcp47'));
    const cursor = cursorOf(input.cursor);
    const limit = Math.min(countOf(input.limit, defaultListed), maxListed);
    const { pages, last } = await reader.lists.behind(tag, tag === reader.dialect.language, cursor, limit);
    const rows = await reader.pages.states(pages.map(({ id }) => id));
    const originals = await reader.pages.states([...new Set(pages.map(({ originalId }) => originalId))]);
    const items = (await compared(reader, language, rows, originals)).filter(({ behind }) => behind !== null);
    return {
      items: items.map((one) => shown(one, reader)),
      ...(last === undefined ? {} : { next: String(last) }),
    };
  },
});

const TranslatedPage = component('TranslatedPage', 'An original and its translations.', {
  original: Shown,
  translations: ShownTranslations,
});
type ShownSet = Static<typeof TranslatedPage>;
export const TranslatedPages = Type.Array(TranslatedPage, { description: 'The originals.' });
const defaultSets = 25;

export const listTranslated = operation({
  name: 'translatedPages',
  summary: 'List originals and the state of their translations',
  description:
    'Pages that have translations, each with its translations, both by ID. Lists only translations that the caller may see together with their originals.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({
    limit: limitField(defaultSets, 25),
    cursor: optionalText('Empty for the first part, then the value from `Link: rel="next"`.', ''),
  }),
  output: Type.Unsafe<{ items: ShownSet[]; next?: string }>({}),
  problems: [],
  ports: ['reader', 'language'],
  async run({ reader, language }, { input }) {
    const limit = Math.min(countOf(input.limit, defaultSets), maxListed);
    const { originals, last } = await reader.lists.translated(cursorOf(input.cursor), limit);
    const rows = await reader.pages.states(originals.map(({ id }) => id));
    const translations = await compared(
      reader,
      language,
      await reader.pages.states(originals.flatMap(({ translations }) => translations)),
      rows,
    );
    const bySet = Map.groupBy(translations, ({ page }) => page.originalId);
    return {
      items: rows.map((page) => ({
        original: shown({ page, isOriginal: true, behind: null }, reader),
        translations: (bySet.get(page.id) ?? []).map((one) => shown(one, reader)),
      })),
      ...(last === undefined ? {} : { next: String(last) }),
    };
  },
});

function cursorOf(cursor = ''): number {
  if (!/^\d{0,15}$/.test(cursor)) throw invalid('?cursor', say('problem.useTheValueFromTheLinkTo'));
  return Number(cursor);
}

const maxParagraphs = 1000;
const paragraphKey = text(
  'Key of this change of the paragraph, for marking it as translated. It changes with the text of the paragraph.',
  '1x2y3z-4a5b6c',
);

const Untranslated = component('UntranslatedParagraph', 'A paragraph of the original that has changed.', {
  key: paragraphKey,
  before: textOrNull('The paragraph that the translation renders. Null for a new one.', 'Prune in March.'),
  after: textOrNull('The paragraph as it is now. Null for one that is gone.', 'Prune in February.'),
  translation: textOrNull(
    'The paragraph of the translation in the same place, by the order, kinds and lengths of paragraphs. Null if there seems to be none.',
    'Im März schneiden.',
  ),
});

export type ShownParagraph = Static<typeof Untranslated>;

export const listUntranslated = operation({
  name: 'untranslatedParagraphs',
  summary: 'List the paragraphs of an original that a translation does not render yet',
  description:
    'Paragraphs of the original that changed since the change that the translation renders, in their order, each beside its translation; at most 1,000. None for a page that is no translation, or whose original the caller cannot read.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ path }),
  output: Type.Array(Untranslated, { description: 'The paragraphs.' }),
  problems: ['not-found', 'gone'],
  ports: ['reader', 'language'],
  async run({ reader, language }, { input }) {
    const page = await getReadable(reader, input.path);
    const original = page.originalId === null ? undefined : await reader.pages.findById(page.originalId);
    if (!original) return [];
    return (await untranslated(reader, language, page, original))
      .slice(0, maxParagraphs)
      .map(({ key, before = null, after = null, translation = null }) => ({
        key,
        before,
        after,
        translation,
      }));
  },
});

export const markTranslated = operation({
  name: 'markTranslated',
  summary: 'Say that a translation is up to date',
  description:
    'For members who may edit the translation and see its original. The translation renders the latest change of the original from now on, or the given one. With `paragraphs` it renders only these changed paragraphs; once it renders all, it renders the latest change.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  input: component('TranslatedChange', 'The change that a translation renders.', {
    path,
    change: Type.Optional(
      idField('ID of the change of the original that the translation renders. Default: its latest one.', 42),
    ),
    paragraphs: Type.Optional(
      Type.Array(paragraphKey, {
        description:
          '`key` of changed paragraphs, as `GET /v1/untranslated/{path}` lists them. Not together with `change`.',
        minItems: 1,
        maxItems: maxParagraphs,
      }),
    ),
  }),
  output: Shown,
  problems: ['not-found', 'gone', 'not-permitted', 'protected', 'blocked'],
  writes: 'itself',
  audit: [],
  ports: ['store', 'language'],
  async run({ store, language }, { input, by, now }) {
    // Read first, so that a page that the actor may not see is as one that does not exist.
    const seen = await getReadable(store.readAs(by), input.path);
    // Compared before the transaction, which would make others wait for it.
    const changed = input.paragraphs && (await changesOf(store.readAs(by), language, seen));
    await store.transact(async (store) => {
      const reader = store.readAs(by);
      const { path } = await getReadable(reader, input.path);
      const page = await lockWritable(store, by, path);
      await refuseProtected({ store, actor: by, now }, page);
      const original = await originalOf(reader, page);
      if (input.paragraphs) return renderParagraphs(store, { page, original }, input.paragraphs, changed);
      const { change = original.changeId } = input;
      if (!(await reader.changes.find(original, change)))
        throw invalid(
          '/change',
          say('problem.theOriginalHasNoChange', { change: String(change) }),
          'not-found',
        );
      if (change === page.renderedId && page.renderedParagraphs.length === 0) return store.pages.keep();
      return store.pages.render(page, change, []);
    });
    const reader = store.readAs(by);
    const page = await getReadable(reader, input.path);
    const [translation] = await compared(reader, language, [page], [await originalOf(reader, page)]);
    return shown(translation as Translation, reader);
  },
});

async function originalOf(reader: Reader, { originalId }: Pick<Page, 'originalId'>): Promise<Page> {
  const original = originalId === null ? undefined : await reader.pages.findById(originalId);
  if (!original) throw invalid('/path', say('problem.thisPageIsNoTranslationOfA'));
  return original;
}

interface ChangedParagraphs {
  /** The compared changes of the original. */
  of: string;
  keys: string[];
}

async function changesOf(reader: Reader, language: Language, page: Page): Promise<ChangedParagraphs> {
  const original = await originalOf(reader, page);
  const changes = await changedParagraphs(reader, language, page, original);
  return { of: comparedChanges(page, original), keys: changes.map(({ key }) => key) };
}

function comparedChanges(page: Page, original: Page): string {
  return [original.id, renderedOf(page, original), original.changeId].join(' ');
}

/** Paragraphs that changed meanwhile have other keys, so nothing that nobody saw counts as translated. */
async function renderParagraphs(
  store: Transaction,
  { page, original }: { page: Page; original: Page },
  given: readonly string[],
  changed: ChangedParagraphs | undefined,
): Promise<void> {
  const rendered = new Set(page.renderedParagraphs);
  const left = new Set(changed?.keys.filter((key) => !rendered.has(key)));
  if (changed?.of !== comparedChanges(page, original) || given.some((key) => !left.has(key)))
    throw invalid('/paragraphs', say('problem.aParagraphOfTheOriginalChanged'), 'not-found');
  for (const key of given) rendered.add(key);
  if ([...left].every((key) => rendered.has(key))) await store.pages.render(page, original.changeId, []);
  else
    await store.pages.render(page, page.renderedId ?? original.changeId, [...rendered].slice(-maxParagraphs));
}
