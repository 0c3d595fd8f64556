/** A tool of the Model Context Protocol: its description, requirements and action. */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Renderer } from '#core/content/render.ts';
import type { Format } from '#core/model/page.ts';
import type { SubtreeRelation } from '#core/operations/operation.ts';
import type { Scope } from '#core/ports/credentials.ts';
import type { Reader } from '#core/ports/reader.ts';
import { compileValidator, invalidFields } from '../schemas/validate.ts';
import type { Service } from '../service.ts';
import type { ToolAnswer } from './answer.ts';

/** Services that a tool may use: the wiki with the caller's rights, and the caller's place in the rendering queue. */
export interface ToolCall {
  reader: Reader;
  renderer: Renderer;
  store: Service['store'];
  files: Service['files'];
  now: number;
  /** Default format of new pages. */
  defaultFormat: Format;
}

export interface Tool {
  name: string;
  description: string;
  input: TObject;
  /** Scopes that an API token needs; a tool with `write` changes pages. */
  scopes: readonly Scope[];
  /** Like `subtree` of a route. */
  subtree: SubtreeRelation;
  /** Cost for anonymous callers, like `strangersMs` of a route. */
  strangersMs: number;
  /** Refuses `invalid` for arguments that do not match `input`. */
  run(call: ToolCall, given: Record<string, unknown>): Promise<ToolAnswer>;
}

/** Wraps a declaration as a tool that validates its arguments. */
export function tool<T extends TObject>({
  run,
  ...declared
}: Omit<Tool, 'run' | 'input'> & {
  input: T;
  run(call: ToolCall, input: Static<T>): Promise<ToolAnswer>;
}): Tool {
  const check = compileValidator(declared.input, 'body');
  const known = Object.keys(declared.input.properties);
  return {
    ...declared,
    async run(call, given) {
      const unknown = Object.keys(given).filter((name) => !known.includes(name));
      if (unknown.length > 0) {
        const detail = `Unknown argument. Known arguments: ${known.join(', ')}.`;
        throw invalidFields(
          unknown.slice(0, 5).map((name) => ({ pointer: `/${name.slice(0, 64)}`, detail })),
        );
      }
      const checked = check(given);
      if ('error' in checked) throw checked.error;
      return run(call, checked.value as Static<T>);
    },
  };
}

export const pageField = Type.Union([Type.String(), Type.Integer()], {
  description: 'Path ("/garden/roses"), ID (7) or exact title ("Roses").',
});

export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(schema);
}

/** Parameters for paging through a list. */
export function rangeFields(limit: number) {
  return {
    limit: optional(
      Type.Integer({ minimum: 1, maximum: 50, description: `At most 50; the default is ${limit}.` }),
    ),
    offset: offsetField,
  };
}

export const offsetField = optional(
  Type.Integer({ minimum: 0, description: 'Position to continue from, as an earlier result gave it.' }),
);
