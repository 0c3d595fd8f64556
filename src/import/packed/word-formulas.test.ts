/** Formulas of Word as TeX. */
import { expect, test } from 'vitest';
import { withMarkedFormulas, withMathOfMarks } from './word-formulas.ts';

const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const part = (name: string, inner: string) => `<m:${name}>${inner}</m:${name}>`;
const base = (text: string) => part('e', run(text));

test.each([
  [run('a%'), 'a\\%'],
  [part('f', part('num', run('a')) + part('den', run('b'))), '\\frac{a}{b}'],
  [part('sSubSup', base('x') + part('sub', run('i')) + part('sup', run('2'))), '{x}_{i}^{2}'],
  [part('rad', part('deg', run('3')) + base('x')), '\\sqrt[3]{x}'],
  [part('rad', part('deg', '') + base('x')), '\\sqrt{x}'],
  [part('d', `<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${base('x')}`), '\\left\\{x\\right.'],
  [
    part(
      'nary',
      `<m:naryPr><m:chr m:val="∑"/></m:naryPr>${part('sub', run('i=1'))}${part('sup', run('n'))}${base('i')}`,
    ),
    '∑_{i=1}^{n}{i}',
  ],
  [part('func', part('fName', run('sin')) + base('x')), '\\operatorname{sin}{x}'],
  [
    part('m', part('mr', base('a') + base('b')) + part('mr', base('c') + base('d'))),
    '\\begin{matrix}a &amp; b \\\\ c &amp; d\\end{matrix}',
  ],
  [part('unknown', run('a &lt; b')), 'a &lt; b'],
])('%s', (omml, tex) => {
  const inline = withMarkedFormulas(`<w:p>${part('oMath', omml)}</w:p>`);
  expect(inline).toMatch(/^<w:p><w:r><w:t [^<]*<\/w:t><\/w:r><\/w:p>$/);
  expect(withMathOfMarks(inline)).toContain(
    `<math><annotation encoding="application/x-tex">${tex}</annotation></math>`,
  );
  const block = withMathOfMarks(withMarkedFormulas(part('oMathPara', part('oMath', omml))));
  expect(block).toContain('<math display="block">');
});
