import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openAssets } from './assets.ts';
import { readStyleSheet, styleFiles } from './styles.ts';

test('every style file is part of the one sheet, once', () => {
  expect([...styleFiles].sort()).toEqual(readdirSync(new URL('./styles/', import.meta.url)).sort());
});

test('the sheet is served as one file, which loads no other', () => {
  const assets = openAssets(readStyleSheet(), [], []);
  const served = assets.find('style.css')?.bytes.toString() ?? '';
  expect(served).toContain('@font-face');
  expect(served).toContain('@media print');
  expect(served).not.toContain('@import');
});
