/**
 * A tool of the Model Context Protocol: a face of operations. It says name, title and arguments, and how answers are shown; who may
 * use it, and with which token, follows from the operations that it carries out.
 */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { Format } from '#core/model/page.ts';
import type { Carry } from '#core/operations/carry-out.ts';
import type { Operation } from '#core/operations/operation.ts';
import { compileValidator, invalidFields } from '../schemas/validate.ts';
import type { ToolAnswer } from './answer.ts';

/** Tools have no other way to the wiki than `carry`, for the operations that they declare. */
interface ToolCall {
  carry: Carry;
  /** Default format of new pages. */
  defaultFormat: Format;
}

export interface Tool {
  name: string;
  /** Shown to people who choose tools. */
  title: string;
  description: string;
  input: TObject;
  /** All operations that it carries out. */
  operations: readonly Operation[];
  /** Cost for anonymous callers, like `strangersMs` of a route. */
  strangersMs: number;
  /** Refuses `invalid` for arguments that do not match `input`. */
  run(call: ToolCall, given: Record<string, unknown>): Promise<ToolAnswer>;
}

interface Shown<Answer, Given> {
  name: string;
  title: string;
  strangersMs: number;
  show(answer: Answer, input: Given): ToolAnswer;
}

/** A tool that carries out one operation. `more`: arguments that only concern how the answer is shown. */
export function toolOf<Given extends object, Answer, M extends TProperties = Record<never, never>>(
  operation: Operation<Given, Answer>,
  { show, more, ...named }: Shown<Answer, Given & Static<TObject<M>>> & { more?: M },
): Tool {
  return tool({
    ...named,
    description: operation.description,
    operations: [operation],
    input: Type.Object({ ...operation.input.properties, ...more }),
    async run({ carry }, input) {
      // Valid by both schemas, of which `input` was made.
      const given = input as Given & Static<TObject<M>>;
      return show(await carry(operation, given), given);
    },
  });
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
