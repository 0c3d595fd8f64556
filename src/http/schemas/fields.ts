/** Fields of one kind each, with the description and the example that the reference shows of every field. */
import { type TSchema, Type } from 'typebox';

export const exampleTime = '2026-03-14T09:26:53.589Z';

export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

/** An instant. The description goes on with how it is written. */
export const time = (description: string, example = exampleTime) =>
  Type.String({ description: `${description}, ISO 8601 in UTC.`, format: 'date-time', examples: [example] });

export const flag = (description: string, example: boolean) =>
  Type.Boolean({ description, examples: [example] });

export const count = (description: string, example: number) =>
  Type.Integer({ description, minimum: 0, examples: [example] });

export const idField = (description: string, example = 7) =>
  Type.Integer({ description, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [example] });

/** A field that may also be null: OpenAPI 3.1 has no `nullable`. */
export const orNull = <T extends TSchema>(schema: T, description: string, example: unknown) =>
  Type.Union([schema, Type.Null()], { description, examples: [example] });

export const textOrNull = (description: string, example: string | null) =>
  orNull(Type.String(), description, example);

export const idOrNull = (description: string, example: number | null) =>
  orNull(Type.Integer(), description, example);
