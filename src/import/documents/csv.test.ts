import { expect, test } from 'vitest';
import { readCsv, separatorOf } from './csv.ts';

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1\r\n1,2,3',
    [
      ['a', 'b', ''],
      ['1', '', ''],
      ['1', '2', '3'],
    ],
  ],
  ['\uFEFF"a ""b""","c\nd"\n', [['a "b"', 'c\nd']]],
  [
    '"a"b,c"d"\n"e,f',
    [
      ['ab', 'c"d"'],
      ['"e', 'f'],
    ],
  ],
  [
    'a,\n,',
    [
      ['a', ''],
      ['', ''],
    ],
  ],
  ['sep=;\na;b,c', [['a', 'b,c']]],
  ['a;"b;c";1,5', [['a', 'b;c', '1,5']]],
  ['a\tb', [['a', 'b']]],
  [
    'a|b\n1|2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'only\nx,y',
    [
      ['only', ''],
      ['x', 'y'],
    ],
  ],
  ['', []],
])('%j has the cells %j', (csv, rows) => {
  expect(readCsv(csv, separatorOf(csv))).toEqual(rows);
});

test('one very long row among many is refused', () => {
  expect(readCsv(`${','.repeat(3000)}\n${'a\n'.repeat(1000)}`)).toBeUndefined();
});
