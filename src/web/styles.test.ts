import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openAssets } from './assets.ts';
import { readStyleSheet, styleFiles } from './styles.ts';

test('every style file is part of the one sheet, once', () => {
  expect([...styleFiles].sort()).toEqual(readdirSync(new URL('./styles/', import.meta.url)).sort());
});

test('the sheet is served as one file, which loads no other', () => {
  const assets = openAssets(readStyleSheet(), [], [], new Map());
  const served = assets.find('style.css')?.bytes.toString() ?? '';
  expect(served).toContain('@font-face');
  expect(served).toContain('@media print');
  expect(served).not.toContain('@import');
});

test('text is shown in its own font on the first visit, too, as soon as the font has loaded', () => {
  const faces = readStyleSheet().match(/@font-face\s*\{[^}]*\}/g) ?? [];
  const loaded = faces.filter((face) => face.includes('url('));
  expect(loaded.length).toBeGreaterThan(0);
  for (const face of loaded) expect(face).toMatch(/font-display:\s*swap/);
});
