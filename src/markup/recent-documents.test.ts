import { expect, test } from 'vitest';
import { RecentDocuments } from './recent-documents.ts';

test('a document is read once for the same body, language, path and dialect, unless that failed', async () => {
  const recent = new RecentDocuments<string>();
  const read: string[] = [];
  const ask = (body: string, path = '/a', dialect = 'x', format: 'wikitext' | 'markdown' = 'wikitext') =>
    recent.of({ body, format, path }, dialect, async () => {
      read.push(`${body.slice(0, 9)} ${path} ${dialect} ${format}`);
      if (body === 'bad') throw new Error('refused');
      return `document of ${body}`;
    });
  expect(await Promise.all([ask('one'), ask('one')])).toEqual(['document of one', 'document of one']);
  await ask('one', '/b');
  await ask('one', '/a', 'y');
  await ask('one', '/a', 'x', 'markdown');
  expect(read).toEqual(['one /a x wikitext', 'one /b x wikitext', 'one /a y wikitext', 'one /a x markdown']);
  for (let again = 0; again < 2; again++) await expect(ask('bad')).rejects.toThrow('refused');
  expect(read.slice(4)).toEqual(['bad /a x wikitext', 'bad /a x wikitext']);
  // Few are kept, and no long ones.
  for (const body of ['two', 'three', 'four', 'five', 'one']) await ask(body);
  expect(read.at(-1)).toBe('one /a x wikitext');
  const long = 'long body '.repeat(40_000);
  await ask(long);
  await ask(long);
  expect(read.slice(-2)).toEqual(['long body /a x wikitext', 'long body /a x wikitext']);
});
