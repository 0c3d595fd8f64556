/** Fields that no schema declares are removed at any depth; values of open schemas are kept. */
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { declaredOnly } from './declared.ts';

test('only declared fields are left, in objects, lists and alternatives', () => {
  const name = Type.Object({ name: Type.String() });
  const schema = Type.Object({
    one: name,
    many: Type.Array(Type.Union([name, Type.Object({ id: Type.Number(), name: Type.Object({}) })])),
    numbers: Type.Array(Type.Number()),
    free: Type.Record(Type.String(), Type.Unknown()),
    any: Type.Unknown(),
  });
  const [numbers, free, any] = [[1], { a: { b: 1 } }, new Date(0)];
  const given = {
    one: { name: 'a', extra: 1 },
    many: [{ name: 'a', id: 1, extra: 1 }, { name: { extra: 1 } }],
    numbers,
    free,
    any,
    constructor: 1,
    extra: 1,
  };
  for (const _ of [1, 2]) {
    const left = declaredOnly(schema, given);
    expect(left).toEqual({
      one: { name: 'a' },
      many: [{ name: 'a', id: 1 }, { name: {} }],
      numbers,
      free,
      any,
    });
    expect(left.any).toBe(any);
  }
});

test('a schema may contain itself', () => {
  const schema = { properties: { value: {}, next: {} } };
  schema.properties.next = schema;
  expect(declaredOnly(schema, { value: 1, next: { value: 2, next: { extra: 1 } } })).toEqual({
    value: 1,
    next: { value: 2, next: {} },
  });
});
