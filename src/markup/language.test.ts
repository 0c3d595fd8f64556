import { expect, test } from 'vitest';
import { carryingBudget, carryQuotes } from '#core/content/carry-quotes.ts';
import { defaultDialect } from '#core/content/dialect.ts';
import { compareBodies } from '#core/content/diff.ts';
import { type Behalf, createLanguage, TooCostly } from '#core/content/language.ts';
import { compareParagraphs } from '#core/content/paragraphs.ts';
import { quoteAt } from '#core/content/quotes.ts';
import type { Format } from '#core/model/page.ts';
import { draw, nothing, page } from '#test/support/draw.ts';
import { hooksThere } from './hooks.ts';
import { createThreadedLanguage } from './language.ts';

test('a large page is rendered on the other thread like a small one here', async () => {
  await using threaded = createThreadedLanguage();
  const here = createLanguage(() => hooksThere());
  const part =
    "== H ==\n''a'' [[Mill]] [[Ghost]] {{Box|x}} <syntaxhighlight lang=\"js\">let a</syntaxhighlight> <math>x^2</math> [[k:v]]\n\n";
  const body = `${part}${'word '.repeat(100)}\n\n`.repeat(250);
  const templates = new Map([['Box', 'boxed {{{1}}} {{CURRENTYEAR}}']]);
  const result = await draw(threaded, body, templates);
  expect(result).toEqual(await draw(here, body, templates));
  expect(result.expanded.usedTime).toBe(true);
  expect(result.drawn.html).toContain('hljs-keyword');
  expect(result.drawn.html).toContain('<math');
});

test('parts of a long page are found on the other thread like those of a short one here, with the same limit', async () => {
  await using threaded = createThreadedLanguage();
  const source = (sections: number) => ({
    body: '## H\n\ntext ^b\n\n'.repeat(sections),
    format: 'markdown' as const,
    path: '/start',
  });
  for (const count of [3, 5000]) {
    const parts = await threaded.parts(source(count), defaultDialect);
    expect(parts).toEqual(await createLanguage().parts(source(count), defaultDialect));
    expect(parts.sections).toHaveLength(count);
  }
  await using strict = createThreadedLanguage({ memberMs: 1 });
  await expect(strict.parts(source(20_000), defaultDialect)).rejects.toThrow(TooCostly);
});

test('links of a long copy are led to its pages on the other thread like those of a short one here', async () => {
  await using threaded = createThreadedLanguage();
  const body = '[[Mill]] and [here](/mill), ';
  const copied = { links: new Map(['mill', '/mill'].map((key) => [key, '/copy'])), templates: new Map() };
  const order: string[] = [];
  const copy = async (name: string, times: number, format: Format = 'markdown') => {
    const source = { body: body.repeat(times), format, path: '/from' };
    const text = await threaded.copyLinks(source, copied, defaultDialect);
    order.push(name);
    return text;
  };
  const [long, wikitext, short] = await Promise.all([
    copy('long', 2000),
    copy('wikitext', 2000, 'wikitext'),
    copy('short', 1),
  ]);
  expect(short).toBe('[[/copy|Mill]] and [here](/copy), ');
  expect(long).toBe(short.repeat(2000));
  expect(wikitext).toContain('[[/copy|Mill]]');
  expect(order[0]).toBe('short');
});

test('small pages are rendered while a large one is being rendered', async () => {
  await using threaded = createThreadedLanguage();
  // The thread takes a while to start.
  await draw(threaded, '[ '.repeat(100_000));
  const order: string[] = [];
  const large = draw(threaded, "'''a''b[[".repeat(100_000)).then(() => order.push('large'));
  await draw(threaded, 'small').then(() => order.push('small'));
  await large;
  expect(order).toEqual(['small', 'large']);
});

test('small pages are rendered while slow code is being highlighted', async () => {
  await using threaded = createThreadedLanguage();
  await draw(threaded, 'x '.repeat(100_000));
  const code = `${'a '.repeat(500)}\n`.repeat(12);
  const order: string[] = [];
  const slow = draw(threaded, `<syntaxhighlight lang="csharp">${code}</syntaxhighlight>`).then(
    ({ drawn }) => {
      order.push('slow');
      expect(drawn.html).toContain('a a a');
    },
  );
  await draw(threaded, 'small').then(() => order.push('small'));
  await slow;
  expect(order).toEqual(['small', 'slow']);
});

test('several large pages queue up and are all rendered', async () => {
  await using threaded = createThreadedLanguage();
  const bodies = ['a', 'b', 'c'].map((letter) => `${letter} `.repeat(50_000));
  const all = await Promise.all(bodies.map((body) => draw(threaded, body)));
  for (const [i, { drawn }] of all.entries()) expect(drawn.html[3]).toBe('abc'[i]);
});

const stranger = { isAside: true, isAnonymous: true, caller: '192.0.2.1', admit: () => {} };

test('work over its CPU limit is cancelled, and the next is computed again', async () => {
  await using threaded = createThreadedLanguage({ memberMs: 1, strangerMs: 1 });
  await expect(draw(threaded, '<b>[[Mill]] '.repeat(100_000))).rejects.toThrow(TooCostly);
  const next = await draw(threaded, "''small''");
  expect(next.drawn.html).toContain('<i>small</i>');
});

test('all steps of one piece of work share its limit', async () => {
  await using threaded = createThreadedLanguage({ strangerMs: 400 });
  let spent = 0;
  const spend = (ms: number) => {
    spent += ms;
  };
  const hostile = {
    format: 'wikitext',
    text: "* ''a''\n:# b\n".repeat(250_000),
    calls: [],
    dialect: defaultDialect,
  } as const;
  const language = threaded.on({ ...stranger, spend });
  await expect(language.open(hostile, '/x')).rejects.toThrow(TooCostly);
  expect(spent).toBeGreaterThanOrEqual(400);
  // No time is left, not even for the cheapest step.
  const same = 'a\n'.repeat(20_000);
  await expect(language.compare(`${same}b`, `${same}c`)).rejects.toThrow('too long');
  const other = threaded.on({ ...stranger, spend });
  await expect(other.compare(`${same}b`, `${same}c`)).resolves.toBeDefined();
});

test('Markdown from a fourth of the maximum length on is parsed on a separate thread', async () => {
  await using threaded = createThreadedLanguage();
  const asked: string[] = [];
  const language = threaded.on({ ...stranger, admit: () => asked.push('thread'), spend: () => {} });
  const text = '*a* '.repeat(1000);
  await language.open({ format: 'wikitext', text, calls: [], dialect: defaultDialect }, '/x');
  expect(asked).toEqual([]);
  const { references, draw } = await language.open(
    { format: 'markdown', text: `${text}[[Mill]] {{x}}`, calls: ["''b''"], dialect: defaultDialect },
    '/x',
  );
  expect([asked, references.links.length]).toEqual([['thread'], 1]);
  // Rows get the cells that they lack.
  const table = `${'|a'.repeat(60)}\n${'|-'.repeat(60)}\n${'|a\n'.repeat(60)}`;
  await language.open({ format: 'markdown', text: table, calls: [], dialect: defaultDialect }, '/x');
  expect(asked).toEqual(['thread', 'thread']);
  const { html } = await draw({ pages: new Map(), files: new Map(), page });
  expect(html).toContain('<em>a</em>');
  expect(html).toContain('<i>b</i>');
});

test('nested templates are expanded on a separate thread, with a lower limit for strangers', async () => {
  await using threaded = createThreadedLanguage();
  const templates = new Map<string, string | null>([['L0', 'x'.repeat(60)]]);
  for (let level = 1; level <= 4; level++) templates.set(`L${level}`, `{{L${level - 1}}}`.repeat(20));
  const context = { ...nothing, templates, page, now: 0, dialect: defaultDialect };
  const asked: string[] = [];
  const language = threaded.on({ ...stranger, admit: () => asked.push('thread'), spend: () => {} });
  const { text, notices } = await language.expand('{{L4}} {{L4}} {{L4}}', 'wikitext', context);
  expect(asked).toEqual(['thread']);
  expect(text.length).toBeLessThan(600_000);
  expect(notices.join()).toContain('500000 characters');
  const ofMember = await threaded.expand('{{L4}}', 'wikitext', context);
  expect(ofMember.text.length).toBeGreaterThan(1_000_000);
});

test('small work continues while two long texts are compared, and the result is the same', async () => {
  await using threaded = createThreadedLanguage();
  const [from, to] = ['row', 'line'].map((word) =>
    Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`).join('\n'),
  ) as [string, string];
  await threaded.compare(from, from);
  const order: string[] = [];
  const long = threaded.compare(from, to).then((hunks) => {
    order.push('long');
    return hunks;
  });
  await threaded.compare('a', 'b').then(() => order.push('small'));
  expect(await long).toEqual(compareBodies(from, to));
  const quote = { ...quoteAt(from, { start: 0, end: 20 }), id: 1 };
  const carried = await threaded.carryQuotes(
    { before: from, after: `new\n${from}` },
    [quote],
    2,
    carryingBudget,
  );
  expect(carried).toEqual(carryQuotes({ before: from, after: `new\n${from}` }, [quote], 2));
  const texts = { before: from, after: to, translation: from };
  expect(await threaded.compareParagraphs(texts)).toEqual(compareParagraphs(texts));
  expect(order).toEqual(['small', 'long']);
});

test('reads and saves go before previews, members before strangers, and strangers alternate', async () => {
  await using threaded = createThreadedLanguage();
  const text = "'''a''b[[".repeat(20_000);
  await draw(threaded, text);
  const order: string[] = [];
  const work = (name: string, behalf: Partial<Behalf>) =>
    threaded
      .on({ ...stranger, spend: () => {}, ...behalf })
      .open({ format: 'wikitext', text, calls: [], dialect: defaultDialect }, '/x')
      .then(() => order.push(name));
  await Promise.all([
    work('a1', { caller: 'a' }),
    work('a2', { caller: 'a' }),
    work('a3', { caller: 'a' }),
    work('b1', { caller: 'b' }),
    work('member', { caller: 'm', isAnonymous: false }),
    work('page', { caller: 'r', isAside: false }),
  ]);
  // The first task of a thread starts at once.
  expect(order.filter((name) => name !== 'page')).toEqual(['a1', 'member', 'a2', 'b1', 'a3']);
  expect(order.indexOf('page')).toBeLessThan(order.indexOf('a2'));
});

test('work waiting for a thread is counted by kind', async () => {
  await using threaded = createThreadedLanguage();
  const none = { pages: 0, 'member previews': 0, 'stranger previews': 0 };
  expect(threaded.waiting()).toEqual(none);
  const aside = (isAnonymous: boolean) =>
    threaded.on({ isAside: true, isAnonymous, caller: undefined, admit: () => {}, spend: () => {} });
  const text = (length: number) => '[ '.repeat(length / 2);
  // One task is running on each thread.
  const under = [
    ...[1, 2, 3].map(() => draw(threaded, text(160_000))),
    ...[1, 2].map(() => draw(aside(false), text(20_000))),
    ...[1, 2, 3].map(() => draw(aside(true), text(20_000))),
  ];
  expect(threaded.waiting()).toEqual({ pages: 2, 'member previews': 1, 'stranger previews': 3 });
  await Promise.all(under);
  expect(threaded.waiting()).toEqual(none);
});
