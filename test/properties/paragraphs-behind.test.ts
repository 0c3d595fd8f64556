/**
 * Versions of real documents as originals: each third one is called translated. The paragraphs that a translation is behind are
 * those that git names between that version and a later one, with each paragraph on a line.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compareParagraphs, paragraphChanges, paragraphsOf } from '#core/content/paragraphs.ts';
import { normaliseSource } from '#core/model/page-fields.ts';

const corpus = process.env.COPPICE_CORPUS;

test('paragraphs are separated by blank lines, and a replaced one counts once', () => {
  expect(paragraphsOf('a\nb\n\n \n c \n\n')).toEqual(['a\nb', ' c']);
  const cases: [string, string, number][] = [
    ['', '', 0],
    ['a\n\nb', 'a\n\n\n\nb  \n', 0],
    ['a\n\nb', 'a\n\nc', 1],
    ['a', 'a\n\nb\n\nc', 2],
    ['a\n\nb\n\nc', 'b', 2],
    ['a\n\nb\n\nc', 'x\n\nb\n\ny\n\nz', 3],
    ['', 'a', 1],
  ];
  for (const [from, to, changed] of cases)
    expect([from, to, paragraphChanges(from, to).length]).toEqual([from, to, changed]);
});

test('texts of many and of long paragraphs are compared', () => {
  const paragraphs = (word: string, count: number) =>
    Array.from({ length: count }, (_, i) => word + i).join('\n\n');
  const compared = compareParagraphs({ before: 'x', after: paragraphs('a', 200_000), translation: 'y' });
  expect([compared.length, compared[0]?.translation]).toEqual([200_000, 'y']);
  // Each of the short ones is weighed against the long one.
  const before = `[[${'a'.repeat(3_000_000)}\n\nb`;
  const [change] = compareParagraphs({ before, after: 'c', translation: paragraphs('d', 100_000) });
  expect(change?.after).toBe('c');
});

test.runIf(corpus)(
  'paragraphs behind are those that git finds changed',
  () => {
    const packed = readFileSync(join(corpus ?? '', '../history/histories.jsonl.gz'));
    const folder = mkdtempSync(join(tmpdir(), 'paragraphs-'));
    try {
      let compared = 0;
      for (const line of gunzipSync(packed).toString().trimEnd().split('\n')) {
        const { file, versions } = JSON.parse(line) as { file: string; versions: string[] };
        const texts = versions.map(normaliseSource);
        for (let at = 0; at < texts.length - 1; at += 9) {
          const [from, to] = [texts[at] ?? '', texts[Math.min(at + 2, texts.length - 1)] ?? ''];
          const where = `${file}, version ${at}`;
          expect([where, paragraphChanges(from, to).length]).toEqual([where, foundByGit(folder, from, to)]);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(100);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);

function foundByGit(folder: string, from: string, to: string): number {
  const names = Object.entries({ from, to }).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(
      path,
      paragraphsOf(text)
        .map((paragraph) => `${JSON.stringify(paragraph)}\n`)
        .join(''),
    );
    return path;
  });
  const options = ['--no-index', '--minimal', '--no-indent-heuristic', '--unified=0'];
  const { stdout } = spawnSync('git', ['diff', ...options, '--', ...names], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  const hunks = [...stdout.matchAll(/^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/gm)];
  const sizes = hunks.map(([, removed = '1', added = '1']) => Math.max(Number(removed), Number(added)));
  return sizes.reduce((sum, size) => sum + size, 0);
}
