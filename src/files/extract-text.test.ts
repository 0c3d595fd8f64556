/** Texts of documents as programs write them, and of damaged ones. */
import { expect, test } from 'vitest';
import { pdfOf, zipOf } from '#test/support/documents.ts';
import { extractPieces, type TextKind, textKindOf } from './extract-text.ts';

const read = async (kind: TextKind, bytes: Uint8Array | Promise<Uint8Array>) =>
  (await extractPieces(kind, new Uint8Array(await bytes))).map(({ number, text }) => [number, text]);

test('a PDF has a piece for each page with text', async () => {
  expect(await read('pdf', pdfOf(['Winter care', '', 'Spring care']))).toEqual([
    [1, 'Winter care'],
    [3, 'Spring care'],
  ]);
});

test('runs of a word are one word, and paragraphs and cells are apart', async () => {
  const word = zipOf({
    'word/document.xml':
      '<w:body><w:p><w:r><w:t>Pru</w:t></w:r><w:r><w:t>ning &amp; more</w:t></w:r></w:p><w:p><w:r><w:t>Roses</w:t></w:r></w:p></w:body>',
  });
  expect(await read('docx', word)).toEqual([[1, 'Pruning & more Roses']]);
  const sheets = zipOf({
    'xl/sharedStrings.xml': '<sst><si><t>oak</t></si><si><t>ash</t></si></sst>',
    'xl/worksheets/sheet1.xml': '<row><c r="A1" t="s"><v>1</v></c><c r="B1"><v>42</v></c></row>',
    'xl/worksheets/sheet2.xml': '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>elm</t></is></c></row>',
  });
  expect(await read('xlsx', sheets)).toEqual([
    [1, 'ash 42'],
    [2, 'oak elm'],
  ]);
});

test('slides and sheets are counted', async () => {
  const slide = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const powerpoint = zipOf({
    'ppt/slides/slide10.xml': slide('ten'),
    'ppt/slides/slide2.xml': slide('two'),
    'ppt/notes.xml': slide('not shown'),
  });
  expect(await read('pptx', powerpoint)).toEqual([
    [1, 'two'],
    [2, 'ten'],
  ]);
  const opened = zipOf({
    'content.xml':
      '<office><draw:page draw:name="a"><text:p>one</text:p></draw:page><draw:page><text:p>two</text:p></draw:page></office>',
  });
  expect(await read('odp', opened)).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
});

test('long texts are cut between words, and at two million characters', async () => {
  const found = await read('text', Buffer.from('oak '.repeat(1500)));
  expect(found.map(([number]) => number)).toEqual([1, 2]);
  expect(found.every(([, text]) => /^oak.*oak$/.test(String(text)))).toBe(true);
  const all = await read('text', Buffer.from('oak '.repeat(700_000)));
  expect(all.reduce((sum, [, text]) => sum + String(text).length, 0)).toBeLessThanOrEqual(2_000_000);
});

test('an archive that unpacks to far more is read to its limit', async () => {
  const bomb = await zipOf({ 'content.xml': '<text:p>oak</text:p>'.repeat(50_000) });
  const found = await extractPieces('odt', new Uint8Array(bomb), 500_000);
  expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(100_000);
});

test('damaged documents fail, and other files are not read', async () => {
  await expect(read('pdf', Buffer.from('%PDF-1.4\nbroken'))).rejects.toThrow();
  await expect(read('docx', Buffer.from('PK broken'))).rejects.toThrow();
  expect(textKindOf('image/png', 'a.png')).toBeUndefined();
  expect(textKindOf('application/zip', 'a.zip')).toBeUndefined();
  expect(textKindOf('application/octet-stream', 'a.docx')).toBe('docx');
});

test('tags without an end are read in time that grows with their number', async () => {
  // Reading to the end for each of them would take minutes.
  const damaged = zipOf({ 'word/document.xml': '<w:br '.repeat(100_000) });
  expect((await read('docx', damaged)).length).toBeGreaterThan(0);
});
