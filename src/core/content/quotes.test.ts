import { expect, test } from 'vitest';
import { locateGiven, squeeze } from './quotes.ts';

test('quoted words are found however their letters are composed', () => {
  const text = 'Müll und Mühle';
  for (const form of ['NFC', 'NFD'] as const)
    for (const given of ['NFC', 'NFD'] as const) {
      const page = text.normalize(form);
      const quote = { text: 'Mühle'.normalize(given), before: 'und '.normalize(given), after: '' };
      const range = locateGiven(squeeze(page), quote);
      expect([form, given, page.slice(range?.start, range?.end)]).toEqual([
        ...[form, given, 'Mühle'.normalize(form)],
      ]);
    }
  expect(locateGiven(squeeze(text), { text: 'Muhle', before: '', after: '' })).toBeUndefined();
});
