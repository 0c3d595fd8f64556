/** Words are found however they are written: one table of texts and queries, the same for both engines. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renewSome } from '#core/maintenance/renew-search.ts';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { fold, foldMapped } from '#core/model/fold.ts';
import { readTextQuery, termsOf } from '#core/model/terms.ts';
import { createPage } from '#core/pages/create-page.ts';
import { type EditInput, saveEdit } from '#core/pages/edit-page.ts';
import { completeWords } from '#core/search/complete-words.ts';
import { excerptOf, markMatches } from '#core/search/excerpt.ts';
import { openStore } from '#run/open-store.ts';
import { effort } from '../support/effort.ts';
import { noFiles } from '../support/no-files.ts';
import { databases, forEachEngine } from '../support/postgres.ts';
import { meddle } from '../support/rows.ts';
import { addMember, addPage, anyone, asked, movePage, withMembers } from '../support/write-pages.ts';

/** Text, query, and the part of the text that is marked as found; null: it is not found. */
const table: [text: string, query: string, found: string | null][] = [
  // Greek: accents, breathings, final sigma.
  ['Αθήνα', 'αθηνα', 'Αθήνα'],
  ['αθηνα', 'ΑΘΉΝΑ', 'αθηνα'],
  ['Ἀθῆναι', 'αθηναι', 'Ἀθῆναι'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσεύς', 'ΟΔΥΣΣΕΥΣ'],
  ['Ὀδυσσεύς', 'οδυσσευσ', 'Ὀδυσσεύς'],
  ['ταΐζω', 'ταιζω', 'ταΐζω'],
  // Cyrillic: ё is е, stress marks do not count; й and ї are letters of their own.
  ['Ёлка', 'елка', 'Ёлка'],
  ['елка', 'ЁЛКА', 'елка'],
  ['за\u0301мок', 'замок', 'за\u0301мок'],
  ['Йод', 'иод', null],
  ['Київ', 'киів', null],
  ['МОСКВА', 'москва', 'МОСКВА'],
  // Hebrew: points.
  ['שָׁלוֹם', 'שלום', 'שָׁלוֹם'],
  ['שלום', 'שָׁלוֹם', 'שלום'],
  ['\u202bשלום\u202c', 'שלום', 'שלום\u202c'],
  // Arabic, Persian, Urdu: vowels, tatweel, forms of alef, yeh, kaf and heh; teh marbuta; joiners; digits.
  ['مُحَمَّد', 'محمد', 'مُحَمَّد'],
  ['مـحـمـد', 'محمد', 'مـحـمـد'],
  ['أحمد', 'احمد', 'أحمد'],
  ['اسلام', 'إسلام', 'اسلام'],
  ['آمال', 'امال', 'آمال'],
  ['مستشفى', 'مستشفي', 'مستشفى'],
  ['مدرسة', 'مدرسه', 'مدرسة'],
  ['فارسی', 'فارسي', 'فارسی'],
  ['کتاب', 'كتاب', 'کتاب'],
  ['می\u200cخواهم', 'میخواهم', 'می\u200cخواهم'],
  ['ﻣﺪرﺳﺔ', 'مدرسة', 'ﻣﺪرﺳﺔ'],
  ['سنة ٢٠٢٤', '2024', '٢٠٢٤'],
  ['سال 1403', '۱۴۰۳', '1403'],
  // Latin: Vietnamese, Turkish with both letters i, letters that do not decompose.
  ['Đường Nguyễn Huệ', 'duong', 'Đường'],
  ['Nguyễn Huệ', 'NGUYEN', 'Nguyễn'],
  ['Iğdır', 'igdir', 'Iğdır'],
  ['İstanbul', 'istanbul', 'İstanbul'],
  ['istanbul', 'İSTANBUL', 'istanbul'],
  ['ISPARTA', 'ısparta', 'ISPARTA'],
  ['Straße', 'STRASSE', 'Straße'],
  ['Cafe\u0301', 'café', 'Cafe\u0301'],
  ['Łódź', 'lodz', 'Łódź'],
  ['rose', 'ross', null],
  // Width and compatibility.
  ['ＡＢＣ', 'abc', 'ＡＢＣ'],
  ['abc', 'ＡＢＣ', 'abc'],
  ['ｶﾞﾗｽ', 'ガラス', 'ｶﾞﾗｽ'],
  ['ﬁsch', 'fisch', 'ﬁsch'],
  // Characters that show nothing.
  ['Wander\u00adweg', 'wanderweg', 'Wander\u00adweg'],
  ['Wanderweg', 'wander\u00adweg', 'Wanderweg'],
  ['zero\u200bwi\u2060dth', 'zerowidth', 'zero\u200bwi\u2060dth'],
  ['left\u200eright', 'leftright', 'left\u200eright'],
  // Hangul, from one syllable, within words.
  ['한국어 위키', '한국', '한국'],
  ['한국어', '국어', '국어'],
  ['한국어', '어', '어'],
  ['서울특별시', '특별시', '특별시'],
  ['한국어'.normalize('NFD'), '국어', '국어'.normalize('NFD')],
  ['한국어', '한어', null],
  // Scripts without spaces.
  ['東京都庁', '京都', '京都'],
  ['東京', '東', '東'],
  ['東京都', '都京', null],
  ['ภาษาไทย', 'ไทย', 'ไทย'],
  // Marks that carry meaning.
  ['हिन्दी', 'हिन्दी', 'हिन्दी'],
  ['हिन्दी', 'हिनदी', null],
];

const marked = (parts: { text: string; isMatch: boolean }[]) =>
  parts.filter(({ isMatch }) => isMatch).map(({ text }) => text);

forEachEngine((open) => {
  test('texts, titles and completions are found by every row of the table, on every engine', async () => {
    await using store = await open();
    await withMembers(store);
    const texts = [...new Set(table.map(([text]) => text))];
    const ids = new Map<string, number>();
    for (const [i, text] of texts.entries())
      ids.set(text, await addPage(store, { title: text, body: text, path: `/${i}` }));
    const reader = store.readAs(anyone);
    for (const [text, query, found] of table)
      for (const form of ['NFC', 'NFD'] as const) {
        const asking = query.normalize(form);
        const phrases = readTextQuery(asking);
        const id = ids.get(text);
        const find = async (criteria: object) => (await reader.lists.search({ ...asked, ...criteria })).ids;
        const expected = found === null ? expect.not.arrayContaining([id]) : expect.arrayContaining([id]);
        const what = `${text} by ${query} in ${form}`;
        expect(await find({ text: phrases }), `${what}: text`).toEqual(expected);
        expect(await find({ titleFragment: asking }), `${what}: title`).toEqual(expected);
        const completed = (await reader.pages.complete(asking, 50)).map((page) => page.id);
        expect(completed, `${what}: completion`).toEqual(expected);
      }
    expect(await store.maintenance.violations(9)).toEqual([]);
  });

  test('Hangul phrases match words in order, and a minus leaves out parts of words', async () => {
    await using store = await open();
    await withMembers(store);
    const one = await addPage(store, { title: 'one', body: '한국 대학교와 東京 大阪' });
    const two = await addPage(store, { title: 'two', body: '대학교 한국, 大阪 東京' });
    const find = async (text: string) =>
      (await store.readAs(anyone).lists.search({ ...asked, text: readTextQuery(text) ?? fail(text) })).ids;
    expect(await find('"한국 대학교"')).toEqual([one]);
    expect(await find('"東京 大阪"')).toEqual([one]);
    expect(await find('"학"')).toEqual([one, two]);
    expect(await find('대학 -학교와')).toEqual([two]);
    expect(await find('\u200f대학 \u200f-학교와')).toEqual([two]);
  });

  test('types and tags are completed like titles; exact spelling comes first', async () => {
    await using store = await open();
    await withMembers(store);
    const tags: [string, string][] = [
      ['πόλη', 'Αθήνα'],
      ['πόλη', 'Άνδρος'],
      ['πόλη', 'ανδρεία'],
      ['место', 'Ёлкино'],
    ];
    await addPage(store, { title: 'x', type: 'Δήμος', tags });
    await addPage(store, { title: 'hidden', type: 'Δήμητρα', permissions: 700, ownerId: 2 });
    const complete = (typed: string, limit = 9) => completeWords(store.readAs(anyone), typed, limit);
    expect(await complete('πολ')).toEqual(['πόλη']);
    expect(await complete('πόλη:ανδ')).toEqual(['ανδρεία', 'Άνδρος']);
    expect(await complete('πόλη:ανδ', 1)).toEqual(['ανδρεία']);
    expect(await complete('место:елк')).toEqual(['Ёлкино']);
    expect(await complete('type:δημ')).toEqual(['Δήμος']);
    expect(await complete('type:x')).toEqual([]);
  });

  test('paths are found like titles, also after a move', async () => {
    await using store = await open();
    await withMembers(store);
    const parent = await addPage(store, { title: 'x', path: '/Ελλάδα' });
    const page = await addPage(store, { title: 'y', path: '/Ελλάδα/Αθήνα', parentId: parent });
    const complete = async (typed: string) =>
      (await store.readAs(anyone).pages.complete(typed, 9)).map(({ id }) => id);
    expect(await complete('/ελλαδα/αθ')).toEqual([page]);
    expect(await complete('αθηνα')).toEqual([page]);
    await movePage(store, parent, '/Ёлка', null);
    expect(await complete('/елка/αθη')).toEqual([page]);
    expect(await complete('/ελλαδα')).toEqual([]);
    expect(await complete('елка')).toEqual([parent, page]);
    expect(await store.maintenance.violations(9)).toEqual([]);
  });
});

function fail(text: string): never {
  throw new Error(`${text} is no query.`);
}

describe.each(databases)('on %s', (_name, fresh) => {
  test('an older wiki is renewed in pieces, and is then equal to a new one', async () => {
    await using database = await fresh();
    {
      await using store = await openStore(database.config);
      await withMembers(store);
      for (let i = 0; i < 120; i++) await addPage(store, { title: `Page ${i}`, body: `Café ${i}` });
      await addPage(store, { title: 'Αθήνα', path: '/Αθήνα', body: '한국어 [[Ελλάς]]', links: ['Ελλάς'] });
      while ((await renewSome(store)) !== undefined);
    }
    const isPostgres = database.config.kind === 'postgres';
    await meddle(
      database.config,
      [
        "update pages set sort_key = 'αθήνα', path_fold = null where title = 'Αθήνα'",
        "update wanted set sort_key = 'ελλάς'",
        isPostgres
          ? "update page_texts set terms = '''αθήνα'':1A ''한국어'':3' where page_id = 121"
          : "insert or replace into page_text (rowid, title, body) values (121, 'αθήνα', '한국어')",
        'insert into search_renewal (after_id) values (0)',
      ].join(';'),
    );
    await using store = await openStore(database.config);
    const find = async (text: string) =>
      (await store.readAs(anyone).lists.search({ ...asked, text: readTextQuery(text) ?? fail(text) })).ids;
    expect(await find('αθηνα')).toEqual([]);
    const pieces: (number | undefined)[] = [];
    do pieces.push(await renewSome(store));
    while (pieces.at(-1) !== undefined);
    // Only the page that is folded otherwise was written.
    expect(pieces).toEqual([0, 0, 1, 0, undefined]);
    expect(await find('αθηνα')).toEqual([121]);
    expect(await find('국어')).toEqual([121]);
    expect(await store.maintenance.violations(9)).toEqual([]);
    const wrong = (await Array.fromAsync(verifyPages(store))).filter((what) => what.includes('search'));
    expect(wrong).toEqual([]);
    const [wanted] = await store.readAs(anyone).links.wanted(1, 1);
    expect(wanted?.title).toBe('Ελλάς');
  });
});

describe.each(databases)('on %s', (_name, fresh) => {
  test('an edit writes the text index if the words of the page can have changed, and only then', async () => {
    await using database = await fresh();
    await using store = await openStore(database.config);
    const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
    await createPage({ store, files: noFiles, actor: ann, now: 1 }, { title: 'Inn', body: 'Ale' });
    const find = async (text: string) =>
      (await store.readAs(anyone).lists.search({ ...asked, text: readTextQuery(text) ?? fail(text) })).ids;
    const mark =
      database.config.kind === 'postgres'
        ? "update page_texts set terms = '''marked'':1A' where page_id = 1"
        : "insert or replace into page_text (rowid, title, body) values (1, 'inn', 'marked')";
    const kept: EditInput[] = [{ description: 'Quiet.' }, { permissions: 744 }, { path: '/there' }];
    const written: EditInput[] = [
      { body: 'Wine' },
      { title: 'House' },
      { type: 'Module' },
      { language: 'de' },
      { format: 'markdown' },
    ];
    for (const edit of [...kept, ...written]) {
      await meddle(database.config, mark);
      const path = (await store.readAsSystem().pages.findById(1))?.path ?? fail('/inn');
      await saveEdit({ store, files: noFiles, actor: ann, now: 2 }, path, edit);
      expect(await find('marked'), JSON.stringify(edit)).toEqual(kept.includes(edit) ? [1] : []);
    }
    expect(await find('wine house')).toEqual([1]);
    const wrong = (await Array.fromAsync(verifyPages(store))).filter((what) => what.includes('search'));
    expect(wrong).toEqual([]);
  });
});

describe('marks', () => {
  test.each(table)('%s by %s marks the original characters', (text, query, found) => {
    const expected = found === null ? [] : [found];
    expect(marked(markMatches(text, query))).toEqual(expected);
    // Line breaks, not spaces, because an excerpt begins at a line.
    const body = `${'Before. '.repeat(400)}\n\n${text}\n\n${'After. '.repeat(400)}`;
    expect(marked(excerptOf(body, query))).toEqual(expected);
  });

  test('follow removed and added characters before them', () => {
    expect(marked(markMatches('ﷺ ﬁ שָׁלוֹם Straße 東京都', '東京'))).toEqual(['東京']);
    expect(marked(markMatches('שָׁלוֹם x שָׁלוֹם', 'x'))).toEqual(['x']);
    expect(marked(markMatches('국어와 한국어', '국어'))).toEqual(['국어', '국어']);
  });
});

describe('folding', () => {
  const character = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 3 }),
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom(...table.flatMap(([text, query]) => [...text, ...query])),
    fc.constantFrom('\u0301', '\u0308', '\u0306', '\u0654', '\u0640', '\u00ad', '\u1161', '\u3099', 'ﾞ', ' '),
  );
  const text = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''));

  test('is idempotent, and equal for NFC, NFD, NFKC and NFKD', () => {
    fc.assert(
      fc.property(text, (text) => {
        const folded = fold(text);
        expect(fold(folded)).toBe(folded);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(fold(text.normalize(form))).toBe(folded);
      }),
      { numRuns: effort(500, 5000) },
    );
  });

  test('every character alone and beside others folds to a fixed point', () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x30000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const one = String.fromCodePoint(code);
      const near = `a${one} е${one}\u0308 \u0627${one} ${one}\u0301`;
      const folded = fold(near);
      if (fold(folded) !== folded || fold(near.normalize('NFD')) !== folded) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test('with a map to the original gives the same text and correct ranges', () => {
    fc.assert(
      fc.property(text, (text) => {
        const { folded, originalRange } = foldMapped(text);
        expect(folded).toBe(fold(text));
        for (let at = 0; at < folded.length; at++) {
          const { start, end } = originalRange(at, at + 1);
          expect(fold(text.slice(start, end))).toContain(folded[at]);
        }
      }),
      { numRuns: effort(500, 5000) },
    );
  });

  test('with a map gives the same text wherever a character stands between two that join', () => {
    const pairs = ['\uffb1\u1161', 'e\u0301', '\u0627\u0653', 'е\u0308', 'か\u3099', '\uac00\u11a8'];
    const wrong: string[] = [];
    for (let code = 0x80; code < 0x30000; code++) {
      const character = String.fromCodePoint(code);
      if ((code >= 0xd800 && code < 0xe000) || /\p{Ideographic}/u.test(character)) continue;
      const near = pairs.map(([first, second]) => `${first}${character}${second}`).join(' ');
      if (foldMapped(near).folded !== fold(near)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test('terms of folded text equal those of the text', () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(termsOf(fold(text))).toEqual(termsOf(text));
      }),
    );
  });
});
