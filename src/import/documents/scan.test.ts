import { expect, test } from 'vitest';
import { replaceLinks } from './scan.ts';

const upper = (text: string) =>
  replaceLinks(text, (link) =>
    link.kind !== 'address'
      ? undefined
      : link.isDefinition
        ? `[${link.text}]: CHANGED`
        : `${link.isImage ? '!' : ''}[${link.text}](CHANGED${link.more})`,
  );

test.each([
  'Oaks[^1] grow.\n\n[^1]: Oak is a tree.\n[^note]: [Elm',
  '[x](Foo bar.md)',
  '![x](Foo bar.png)',
  '[x](Foo and (more) words)',
  '[x](Foo "unclosed)',
])('text that is not a link is unchanged: %j', (text) => {
  expect(upper(text)).toBe(text);
});

test.each([
  '    [x](a.md) in indented code\n',
  '- item\n\n      code [x](a.md)\n',
  'is $[x](a)$ and $$ [y](b) $$',
  '<p title="[x](a.md)">',
  '<pre>\n[x](a.md)\n</pre>',
  '<!-- [x](a.md)\n\n[y](b.md) -->',
  '<div>[x](a.md)</div>',
  '\\[x](a.md)',
  '[x\\](a.md)',
  '`[x](a.md)` and `` ` [y](b.md) ``',
  '> ```\n> [x](a.md)\n> ```',
  '{{T|[x](a.md)}}',
  '%% [x](a.md) %%',
])('text that is not a link here is unchanged: %j', (text) => {
  expect(upper(text)).toBe(text);
});

test.each([
  ['\\![x](a.md)', '\\![x](CHANGED)'],
  ['\\\\[x](a.md)', '\\\\[x](CHANGED)'],
  ['[over\nlines](a.md "a\ntitle")', '[over\nlines](CHANGED "a\ntitle")'],
  ['> ```\n> [x](a.md)\n\n[y](b.md)', '> ```\n> [x](a.md)\n\n[y](CHANGED)'],
  ['[a [b](c.md) d](e.md)', '[a [b](CHANGED) d](e.md)'],
  ['[![i](p.png)](t.md)', '[![i](p.png)](CHANGED)'],
  [
    '| [a\\|b](c.md) | [d](e.md) |\n|--|--|\n| \\| x | [f](g.md) |',
    '| [a\\|b](CHANGED) | [d](CHANGED) |\n|--|--|\n| \\| x | [f](CHANGED) |',
  ],
  ['- > [x](a.md)\n  > [y](b.md)', '- > [x](CHANGED)\n  > [y](CHANGED)'],
  ['[x][ref]\n\n> [ref]: <a b.md> "T"', '[x][ref]\n\n> [ref]: CHANGED "T"'],
  ['[x]\n\n> [x]:\n>   a.md\n>   "T"', '[x]\n\n> [x]: CHANGED\n>   "T"'],
  ['[a\\]: b]: c.md', '[a\\]: b]: CHANGED'],
  ['> [!note] [x](a.md)\n> [y](b.md)', '> [!note] [x](CHANGED)\n> [y](CHANGED)'],
  ['---\nlink: "[x](a.md)"\n---\n[x](a.md)', '---\nlink: "[x](a.md)"\n---\n[x](CHANGED)'],
])('only the addresses of %j change', (text, changed) => {
  expect(upper(text)).toBe(changed);
});

test('wiki links and tags are found only where they are links', () => {
  const text =
    '[[a]] `[[a]]` ![[b.png|20]] <img src="c.png"> <!-- <img src="c.png"> --> | \\[[a]]\n\n    [[a]]\n';
  const found: unknown[] = [];
  replaceLinks(text, (link) => void found.push(link.kind === 'wiki' ? link.inside : link.target));
  expect(found).toEqual(['a', 'b.png|20', 'c.png']);
});

test.each([
  ['<a title="a.md" href="a.md">', '<a title="a.md" href="CHANGED">'],
  ['<a href="a">', '<a href="CHANGED">'],
  ["<img src=a.png> <img alt='a > b' src='a.png'>", "<img src=CHANGED> <img alt='a > b' src='CHANGED'>"],
  [
    '<div>\n<img src="a.png"\n  srcset="a.png 1x, b.png 2x">\n</div>',
    '<div>\n<img src="CHANGED"\n  srcset="CHANGED 1x, CHANGED 2x">\n</div>',
  ],
  ['> x <a class="y"\n> href="a.md">', '> x <a class="y"\n> href="CHANGED">'],
  [
    'x <!-- <img src="a.png"> --> `<img src="a.png">` <p data-src="a.png">',
    'x <!-- <img src="a.png"> --> `<img src="a.png">` <p data-src="a.png">',
  ],
])('only the addresses of the tags in %j change', (text, changed) => {
  expect(replaceLinks(text, ({ kind }) => (kind === 'tag' ? 'CHANGED' : undefined))).toBe(changed);
});

test('work grows only with the length of the text', () => {
  for (const piece of [
    '[[a',
    '[a](',
    '[a](b)',
    '![',
    '| \\| ',
    '<!--',
    '<img ',
    '<img a="',
    '[a]: ',
    '> [',
    '`',
    '[![a](b)](c)\n',
  ]) {
    // Quadratic work would exceed the test's time limit by far.
    const text = piece.repeat(200_000 / piece.length);
    expect(replaceLinks(text, () => undefined).length, piece).toBe(text.length);
  }
});

test.each([
  ['[x](Foo.md)', '[x](CHANGED)'],
  ['[x](<Foo bar.md>)', '[x](CHANGED)'],
  ['[x](Foo.md "Title (of it)")', '[x](CHANGED "Title (of it)")'],
  ["![x](Foo.png 'A title' )", "![x](CHANGED 'A title' )"],
  ['![x](Foo.png =300x)', '![x](CHANGED =300x)'],
  ['[a]: Oak.md', '[a]: CHANGED'],
  ['[^1]: See [x](Oak.md).', '[^1]: See [x](CHANGED).'],
])('%j is a link', (text, changed) => {
  expect(upper(text)).toBe(changed);
});
