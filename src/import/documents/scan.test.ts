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
])('what is no link stays as it is: %j', (text) => {
  expect(upper(text)).toBe(text);
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
