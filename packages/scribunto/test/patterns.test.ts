/** The host's pattern matching, compared with the interpreter's own. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LuaError, Machine } from '../src/machine.ts';
import { findMatches } from '../src/patterns.ts';

/** All matches of the interpreter as one text, each with its captures; `error` if it rejects the pattern. */
const machine = new Machine({}, [
  {
    name: 'native',
    source: `return function(s, p)
      local out = {}
      local ok = pcall(string.gsub, s, p, function(...)
        local got = {}
        for i = 1, select('#', ...) do got[i] = tostring((select(i, ...))) end
        out[#out + 1] = table.concat(got, ',')
      end)
      return ok and table.concat(out, ';') or 'error'
    end`,
  },
]);

function native(text: string, pattern: string): string {
  machine.reset();
  return String(machine.call(text, pattern));
}

function counted(text: string, pattern: string): string {
  try {
    const found = findMatches(
      { text, pattern, init: 1, limit: Number.POSITIVE_INFINITY, hasAnchor: true, isBinary: true },
      () => {},
    );
    return found
      .map(([first, last, ...captures]) =>
        captures.length > 0 ? captures.join(',') : text.slice(Number(first) - 1, Number(last)),
      )
      .join(';');
  } catch (error) {
    if (error instanceof LuaError) return 'error';
    throw error;
  }
}

test.each([
  ['key = value\nnext=other \n', '(%w+)%s*=%s*(.-)%s*\n'],
  ['((a)(b))', '%b()'],
  ['THE (quick) fox', '%f[%a]%a+'],
  ['a1 b22', '()%d()'],
  ['hello world', '(.)%1'],
  ['x]y-z', '[]y-]+'],
  ['  trim  ', '^%s*(.-)%s*$'],
  ['aaa', 'a-'],
  ['ab', '%d-$'],
])('%j has the same matches of %j', (text, pattern) => {
  expect(counted(text, pattern)).toBe(native(text, pattern));
});

test('random patterns match alike, and the same ones are refused', () => {
  const part = fc.constantFrom(
    'a',
    'b',
    '.',
    '%a',
    '%d',
    '%s',
    '%W',
    '[ab]',
    '[^a]',
    '[a-c1]',
    '[%a]',
    '(',
    ')',
    '()',
    '*',
    '+',
    '-',
    '?',
    '$',
    '^',
    '%1',
    '%b()',
    '%f[a]',
    '1',
    ' ',
    '%%',
    '%',
    '[',
  );
  const pattern = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  const text = fc.string({ unit: fc.constantFrom(...'ab1 ()c-'), maxLength: 12 });
  fc.assert(
    fc.property(text, pattern, (text, pattern) => {
      expect(counted(text, pattern)).toBe(native(text, pattern));
    }),
    { numRuns: Number(process.env.COPPICE_RUNS ?? 1000) },
  );
});

test('character classes match letters beyond ASCII', () => {
  const found = findMatches(
    { text: 'Äb→c', pattern: '(%u)(%l).(%w)', init: 1, limit: 1, hasAnchor: true, isBinary: false },
    () => {},
  );
  expect(found).toEqual([[1, 4, 'Ä', 'b', 'c']]);
});

test('steps are counted, so that slow matches can be ended', () => {
  let steps = 0;
  const search = {
    text: 'a'.repeat(5000),
    pattern: '(.-)(.-)(.-)b',
    init: 1,
    limit: 1,
    hasAnchor: true,
    isBinary: true,
  };
  const spend = (more: number) => {
    steps += more;
    if (steps > 100_000) throw new Error('enough');
  };
  expect(() => findMatches(search, spend)).toThrow('enough');
});
