import { expect, test } from 'vitest';
import { createLanguage, type Language } from '#domain/language.ts';
import { hooksThere } from './hooks.ts';
import { createThreadedLanguage } from './language.ts';

const page = { title: 'Start', path: '/start' };
const nothing = { templates: new Map(), exists: new Map(), listings: new Map() };

async function draw(language: Language, body: string, templates = new Map<string, string | null>()) {
  const expanded = await language.expand(body, 'wikitext', { ...nothing, templates, page, now: 0 });
  const text = await language.open(expanded.text, page.path);
  const drawn = await text.draw({
    pages: new Map([['Mill', { path: '/mill', title: 'Mill' }]]),
    files: new Map(),
    page,
  });
  return { expanded, references: text.references, drawn };
}

test('a large page is drawn by the other thread as a small one is here', async () => {
  await using threaded = createThreadedLanguage();
  const here = createLanguage(hooksThere);
  const part =
    "== H ==\n''a'' [[Mill]] [[Ghost]] {{Box|x}} <syntaxhighlight lang=\"js\">let a</syntaxhighlight> <math>x^2</math> [[k:v]]\n\n";
  const body = part.repeat(1500);
  const templates = new Map([['Box', 'boxed {{{1}}} {{CURRENTYEAR}}']]);
  const result = await draw(threaded, body, templates);
  expect(result).toEqual(await draw(here, body, templates));
  expect(result.expanded.usedTime).toBe(true);
  expect(result.drawn.html).toContain('hljs-keyword');
  expect(result.drawn.html).toContain('<math');
});

test('small pages are answered while a large one is being drawn', async () => {
  await using threaded = createThreadedLanguage();
  // The thread takes a while to start.
  await draw(threaded, 'x '.repeat(100_000));
  const order: string[] = [];
  const large = draw(threaded, "'''a''b[[".repeat(100_000)).then(() => order.push('large'));
  await draw(threaded, 'small').then(() => order.push('small'));
  await large;
  expect(order).toEqual(['small', 'large']);
});

test('small pages are answered while code is coloured that takes long', async () => {
  await using threaded = createThreadedLanguage();
  await draw(threaded, 'x '.repeat(100_000));
  const code = `${'a '.repeat(500)}\n`.repeat(49);
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

test('several large pages wait for each other and are all drawn', async () => {
  await using threaded = createThreadedLanguage();
  const bodies = ['a', 'b', 'c'].map((letter) => `${letter} `.repeat(100_000));
  const all = await Promise.all(bodies.map((body) => draw(threaded, body)));
  for (const [i, { drawn }] of all.entries()) expect(drawn.html[3]).toBe('abc'[i]);
});

test('a page that takes too long is shown as it was written, and the next one is drawn again', async () => {
  await using threaded = createThreadedLanguage({ patienceMs: 1 });
  const { drawn, references } = await draw(threaded, '<b>[[Mill]] '.repeat(100_000));
  expect(drawn.html).toMatch(/^<p class="error wikitext-notice">.*<pre>&lt;b&gt;\[\[Mill\]\]/s);
  expect(drawn.notices).toHaveLength(1);
  expect(references.links).toEqual([]);
  const next = await draw(threaded, "''small''");
  expect(next.drawn.html).toContain('<i>small</i>');
});
