import { expect, test } from 'vitest';
import { checkEmail } from './email.ts';

test('addresses of mail have no brackets, commas or other special characters', () => {
  for (const text of [
    'a@b.c',
    ' ada.lovelace+wiki@example.org ',
    "o'brien@example.ie",
    'müller@bücher.example',
    'a@localhost',
    'a@xn--bcher-kva.example',
    'a@उदाहरण.भारत',
    'a=b?c@d.e',
  ])
    expect(checkEmail(text)).toBe(text.trim());
  for (const text of [
    '<a@b.c>',
    'a@b.c>x',
    'Ada <a@b.c>',
    'a@b.c,d@e.f',
    'a@b;c',
    '"a"@b.c',
    'a@[1.2.3.4]',
    'a@b\u200b.c',
    'a@b.c.',
    'a@b..c',
    '.a@b.c',
    'a..b@c.d',
    'a@b.c?bcc=d',
    'a@b.c/d',
    '=?utf-8?q?a=40b.c?=@d.e',
    'a',
    '@b',
  ])
    expect(() => checkEmail(text), text).toThrow('not an e-mail address');
});
