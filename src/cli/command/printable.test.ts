/** Control characters are replaced instead of sent to the terminal. */
import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test('control characters are replaced, and all others stay', () => {
  expect(printable('a\u001b[31mb\r\nc\u0007\u009bd\u202egpj.exe\u2028')).toBe(
    'a\ufffd[31mb\ufffd\ufffdc\ufffd\ufffdd\ufffdgpj.exe\ufffd',
  );
  expect(printable('Grüße 漢字 👩‍💻 می‌خواهم')).toBe('Grüße 漢字 👩‍💻 می‌خواهم');
});
