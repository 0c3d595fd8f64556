/** The HTML of any input holds nothing that could run, load or cover, and its text stays readable. */
import { plainText, references } from '@coppice/wikitext';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attacks } from '../../wikitext/test/attacks.ts';
import { offences } from '../../wikitext/test/safety.ts';
import { callsIn, parseMarkdown } from '../src/index.ts';
import { htmlOf } from './html.ts';

const places: ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `[x](${payload})`,
  (payload) => `[x](<${payload}> "${payload}")`,
  (payload) => `![${payload}](${payload} '${payload}')`,
  (payload) => `[a][b] ${payload}\n\n[b]: ${payload} (${payload})`,
  (payload) => `\`\`\`${payload}\n${payload}\n\`\`\``,
  (payload) => `# ${payload} {#${payload}}`,
  (payload) => `> [!${payload}] ${payload}\n> ${payload}`,
  (payload) => `::: note ${payload}\n${payload}\n:::`,
  (payload) => `a[^${payload}] ^[${payload}]\n\n[^${payload}]: ${payload}`,
  (payload) => `| ${payload} |\n|---|\n| ${payload} |`,
  (payload) => `---\ntype: ${payload}\n---\n$${payload}$ ==${payload}== <${payload}>`,
  (payload) => `![[${payload}.png|${payload}]] [[${payload}|${payload}]]`,
  (payload) => `<details open ${payload}><summary ${payload}>${payload}</summary></details>`,
  (payload) => `<a href="${payload}" title='${payload}'>x</a>`,
];

test('no attack produces dangerous output, wherever it is placed', () => {
  for (const attack of attacks)
    for (const place of places) expect(offences(htmlOf(place(attack))), place(attack)).toEqual([]);
});

const pieces =
  '* ** _ ~~ ~ ` `` ``` [ ] ( ) [[ ]] {{ }} ![ ![[ | \n \n\n #  >  -  1.  --- === <b> </b> <div> </div> <!-- --> <a> </a> <details> <table> <td> & &amp; \\ $ $$ == ^ %% ::: [^a] [^a]: [!note] !!! :tada: www. @a.b \uFDEF \uFDD0 \uFDEE \uFFFE \0 a b \t'.split(
    ' ',
  );

test('any text is a page: nothing throws, and its tree stays within the limits', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, ' ', '\n', '    '), { maxLength: 60 }), (parts) => {
      const source = parts.join('');
      expect(offences(htmlOf(source, { calls: callsIn(source) }))).toEqual([]);
      const tree = parseMarkdown(source);
      references(tree);
      plainText(tree);
      const open = [...tree.children];
      for (let node = open.pop(); node; node = open.pop()) {
        expect(node.start).toBeGreaterThanOrEqual(0);
        expect(node.end).toBeLessThanOrEqual(source.length);
        if ('children' in node && node.children) open.push(...node.children);
      }
    }),
    { numRuns: 400 },
  );
});

test('no word is lost, however the markup is broken', () => {
  const word = fc.constantFrom('oak', 'elm', 'ash');
  const mark = fc.constantFrom(
    ...pieces.filter((piece) => !/^(?:```|<!--|-->|%%|\[\^a\]:?|:::|\[\[|\]\]|<a>|---)$/.test(piece)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(mark, word), { minLength: 1, maxLength: 20 }), (parts) => {
      const source = parts.map(([before, text]) => `${before} ${text} `).join('');
      const shown = htmlOf(source);
      const count = (text: string) => text.match(/oak|elm|ash/g)?.length ?? 0;
      expect(count(shown)).toBeGreaterThanOrEqual(count(source));
    }),
    { numRuns: 300 },
  );
});

test('text nested a thousand levels deep is kept', () => {
  for (const part of ['> ', '- ', '1. ', '*a ', '[', '<b>', '::: note\n']) {
    const html = htmlOf(`${part.repeat(1000)}oak`);
    expect(html, part).toContain('oak');
  }
});

test('positions in the source match the text, also within quotes, lists and tables', () => {
  const source = '# A *title*\n\n> quoted\n> - item [link](/x)\n\n| a | b |\n|---|---|\n| c | [[Mill]] |\n';
  const texts: string[] = [];
  const open = [...parseMarkdown(source).children].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'text' && node.value.trim() !== '') {
      texts.push(node.value);
      if (node.value !== 'Mill') expect(source.slice(node.start, node.end)).toBe(node.value);
    }
    if (node.type === 'link') expect(source.slice(node.start).startsWith('[')).toBe(true);
    if ('children' in node && node.children) open.push(...[...node.children].reverse());
  }
  expect(texts).toEqual(['A ', 'title', 'quoted', 'item ', 'link', 'a', 'b', 'c', 'Mill']);
});
