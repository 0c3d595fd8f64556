import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentOf, backgrounds, contrastOf } from './accent.ts';

test('every colour can be read on every background of both themes', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (channels) => {
      const colour = `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
      const { light, dark } = accentOf(colour);
      for (const background of [backgrounds.light, '#fbfaf7', '#ffffff'])
        expect(contrastOf(light, background)).toBeGreaterThanOrEqual(4.5);
      for (const background of [backgrounds.dark, '#141816', '#101311'])
        expect(contrastOf(dark, background)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 300 },
  );
});

test('a colour that can be read stays as it is', () => {
  expect(accentOf('#1d6b4f').light).toBe('#1d6b4f');
  expect(accentOf('#7fd1ae').dark).toBe('#7fd1ae');
  expect(accentOf('#ffff00').light).not.toBe('#ffff00');
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
});

test('the style sheet has the backgrounds that the contrast is computed with', () => {
  const tokens = readFileSync(new URL('../../web/styles/tokens.css', import.meta.url), 'utf8');
  expect(tokens).toContain(`--sunken: light-dark(${backgrounds.light}, #101311)`);
  expect(tokens).toContain(`--surface: light-dark(#fff, ${backgrounds.dark})`);
  expect(tokens).toContain('--paper: light-dark(#fbfaf7, #141816)');
});
