import { describe, expect, test } from 'vitest';
import { cpuMs } from '#test/support/cpu.ts';
import { excerptOf, markMatches } from './excerpt.ts';

const shown = (parts: { text: string; isMatch: boolean }[]) =>
  parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');

describe('an excerpt', () => {
  test('shows the text around the first match, and marks every match', () => {
    const body = `${'Before. '.repeat(400)}\n\nThe ''old'' rose and other Roses.\n\n${'After. '.repeat(400)}`;
    const text = shown(excerptOf(body, 'rose'));
    expect(text).toContain('The old [rose] and other [Roses].');
    expect(text).toMatch(/^… .* …$/s);
    expect(text.length).toBeLessThan(400);
  });

  test('starts at the beginning if nothing matches, and is empty for an empty page', () => {
    expect(shown(excerptOf('Just a text.', 'absent'))).toBe('Just a text.');
    expect(excerptOf('', 'absent')).toEqual([]);
  });

  test('finds words without regard to case and diacritics, and phrases word by word', () => {
    expect(shown(excerptOf('Un Éclair au café.', 'eclair "au cafe"'))).toBe('Un [Éclair] [au] [café].');
  });

  test('marks no excluded word', () => {
    expect(shown(excerptOf('Trees. Roses climb trees.', 'rose -trees'))).toBe('Trees. [Roses] climb trees.');
    expect(shown(markMatches('Rose trees', 'rose -"rose trees"'))).toBe('[Rose] trees');
  });

  test('finds parts of scripts that have no spaces', () => {
    expect(shown(excerptOf('私は東京都に住む', '東京'))).toBe('私は[東京]都に住む');
    expect(shown(markMatches('東京都庁', '東京都'))).toBe('[東京都]庁');
  });

  test('marks a title whole', () => {
    expect(shown(markMatches('Roses & <thorns>', 'ros tho'))).toBe('[Roses] & <[thorns]>');
  });

  test('of a long page takes time in proportion to its length at most', async () => {
    const ofBody = (lines: number) => {
      const body = '[[a]] {| b\n'.repeat(lines);
      return cpuMs(() => excerptOf(body, 'absent'));
    };
    const [short, long] = [await ofBody(50_000), await ofBody(200_000)];
    expect(long).toBeLessThan(8 * short + 20);
  });
});
