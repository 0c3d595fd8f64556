/** Markup that many pages have is made once for each language. */
import { expect, test } from 'vitest';
import { html, madeOnce } from './html.ts';

test('markup of many pages is made once for each language', () => {
  const asked: string[] = [];
  const textIn = (language: string) => {
    asked.push(language);
    return `<${language}>`;
  };
  const button = madeOnce(
    html`<b>${{ textIn, markupIn: (language: string) => `&lt;${textIn(language)}` }}</b>`,
  );
  const page = html`${button} ${button}`;
  expect(page.in('de')).toBe('<b>&lt;<de></b> <b>&lt;<de></b>');
  expect(page.in('fr')).toBe('<b>&lt;<fr></b> <b>&lt;<fr></b>');
  expect(page.in('de')).toBe('<b>&lt;<de></b> <b>&lt;<de></b>');
  expect(asked).toEqual(['de', 'fr']);
  expect(() => page.text).toThrow('language is known');
});
