import { expect, test } from 'vitest';
import { readSender } from './values.ts';

test('the sender of mails must be a valid address, with or without a name', () => {
  for (const text of [
    '',
    'wiki@example.org',
    'The Wiki <wiki@example.org>',
    '"Wiki, Inc." <wiki@example.org>',
  ])
    expect(readSender(text)).toBe(text);
  for (const text of [
    'a@b.c,d@e.f',
    'Wiki <a@b.c,d@e.f>',
    'Wiki <<a@b.c>>',
    'Wiki <a@b.c> x',
    'a@b.c>x',
    'Wiki <a@b\u200b.c>',
    'Wi\r\nki <a@b.c>',
    'Wiki <a(b)@c.d>',
  ])
    expect(readSender(text), text).toBeUndefined();
});
