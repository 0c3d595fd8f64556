/** Markup as readers of a secret link get it. */
import { expect, test } from 'vitest';
import { linkedMarkup } from './linked-markup.ts';

const linked = (markup: string) =>
  linkedMarkup(markup, { page: () => undefined, secret: 'S', origin: 'https://wiki.example' });

test('files of the wiki get the secret', () => {
  expect(linked('<img src="/files/a.png" srcset="/files/a.png?w=320 320w, /files/a.png 640w" alt="">')).toBe(
    '<img src="/files/a.png?link=S" srcset="/files/a.png?w=320&amp;link=S 320w, /files/a.png?link=S 640w" alt="">',
  );
  expect(linked('<a href="https://wiki.example/files/a.pdf">x</a>')).toBe(
    '<a href="/files/a.pdf?link=S">x</a>',
  );
  expect(linked('<video src="/files/a.mp4" poster="/files/b.png"></video>')).toBe(
    '<video src="/files/a.mp4?link=S" poster="/files/b.png?link=S"></video>',
  );
});

test.each([
  'https://evil.example/,/files/a',
  'https://evil.example/(/files/a',
  'https://evil.example/?a=1&amp;/files/a',
  'https://evil.example/%20/files/a',
  'https://wiki.example.evil.example/files/a',
])('%s does not get the secret', (url) => {
  const link = `<a title="see /files/a" href="${url}">/files/a</a>`;
  expect(linked(link)).toBe(link);
});
