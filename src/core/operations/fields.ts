/** Schema helpers for common kinds of fields, with the description and example that the reference shows. */
import {
  type TLiteral,
  type TLiteralValue,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TUnion,
  Type,
} from 'typebox';

export const exampleTime = '2026-03-14T09:26:53.589Z';

export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

/** A point in time. The format is appended to the description. */
export const time = (description: string, example = exampleTime) =>
  Type.String({ description: `${description}, ISO 8601 in UTC.`, format: 'date-time', examples: [example] });

export const flag = (description: string, example: boolean) =>
  Type.Boolean({ description, examples: [example] });

/** An optional flag that defaults to `false`. */
export const option = (description: string, example = true) =>
  Type.Optional(Type.Boolean({ description, default: false, examples: [example] }));

export const optionalText = (description: string, example: string) =>
  Type.Optional(text(description, example));

interface Bounds {
  minimum?: number;
  maximum?: number;
}

export const integer = (description: string, example: number, bounds: Bounds = {}) =>
  Type.Integer({ description, ...bounds, examples: [example] });

export const number = (description: string, example: number, bounds: Bounds = {}) =>
  Type.Number({ description, ...bounds, examples: [example] });

/** One of several values, each a literal in the schema. */
export const literals = <const V extends TLiteralValue>(values: readonly V[], options: TSchemaOptions = {}) =>
  // The library's type has a member for each value, which cannot be inferred from an array.
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as unknown as TUnion<[TLiteral<V>]>;

export const oneOf = <const V extends TLiteralValue>(
  values: readonly V[],
  description: string,
  example: unknown,
) => literals(values, { description, examples: [example] });

/** An object that the reference shows under its own name. */
export const component = <P extends TProperties>(title: string, description: string, fields: P) =>
  Type.Object(fields, { title, description });

export const object = <P extends TProperties>(description: string, fields: P) =>
  Type.Object(fields, { description });

/** A list of objects without their own name. */
export const objects = <P extends TProperties>(description: string, fields: P) =>
  Type.Array(Type.Object(fields), { description });

export const count = (description: string, example: number) =>
  Type.Integer({ description, minimum: 0, examples: [example] });

export const idField = (description: string, example = 7) =>
  Type.Integer({ description, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [example] });

/** A nullable field; OpenAPI 3.1 has no `nullable`. */
export const orNull = <T extends TSchema>(schema: T, description: string, example: unknown) =>
  Type.Union([schema, Type.Null()], { description, examples: [example] });

export const timeOrNull = (description: string, example: string | null = exampleTime) =>
  orNull(Type.String({ format: 'date-time' }), description, example);

export const textOrNull = (description: string, example: string | null) =>
  orNull(Type.String(), description, example);

export const idOrNull = (description: string, example: number | null) =>
  orNull(Type.Integer(), description, example);
