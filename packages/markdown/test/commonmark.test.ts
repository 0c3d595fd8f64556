/** Every example of CommonMark 0.31.2, except where pages restrict HTML. */
import spec from 'commonmark-spec';
import { expect, test } from 'vitest';
import { asWritten, htmlOf, normalised } from './html.ts';

/** Examples with other results, by reason. */
const otherwise: Record<string, readonly number[]> = {
  'HTML that is not allowed is text: elements outside the list, and what is no tag to a browser': [
    148, 154, 156, 157, 158, 163, 169, 170, 171, 172, 173, 176, 178, 180, 187, 201, 491, 524, 536, 613, 614,
    615, 616, 617, 623, 626, 629, 630, 631,
  ],
  'a link or picture in HTML leads where the same in Markdown would, and is closed where its block ends': [
    21, 31, 150, 344, 475, 476, 477, 494, 642, 643,
  ],
};
const expected = new Set(Object.values(otherwise).flat());

for (const { number, section, markdown, html } of spec.tests) {
  if (expected.has(number)) continue;
  test(`${section} ${number}`, () => {
    const source = markdown.replaceAll('→', '\t');
    expect(normalised(htmlOf(source, { addresses: asWritten }))).toBe(normalised(html.replaceAll('→', '\t')));
  });
}

test('all other examples differ, as listed, and nothing in them runs', () => {
  for (const { number, markdown, html } of spec.tests.filter(({ number }) => expected.has(number))) {
    const shown = htmlOf(markdown.replaceAll('→', '\t'), { addresses: asWritten });
    expect(normalised(shown), `${number}`).not.toBe(normalised(html.replaceAll('→', '\t')));
    expect(shown).not.toMatch(/<(?:script|style|iframe|textarea|xmp)\b/i);
  }
});
