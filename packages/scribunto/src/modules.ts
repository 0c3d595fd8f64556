/**
 * Runs `{{#invoke:Name|function|…}}` for one expansion at a time. Modules reach the page and the wiki only through the call
 * that they were made from, so a module can read nothing that the page could not.
 *
 * A program cannot wait for data. Missing titles and texts are recorded as needed and treated as absent, and the host expands
 * again when it has them. A module starts only when all modules that its source names are loaded; if another one is missing,
 * the call ends. A finished call does not run again while the host gives it the same answers: see finished-calls.ts.
 */

import { readFileSync } from 'node:fs';
import type { HostFunction as PageFunction } from '@coppice/wikitext';
import { FinishedCalls, lengthOf } from './finished-calls.ts';
import { defaultLimits, type HostFunction, type Limits, Machine, type Value } from './machine.ts';
import { moduleName } from './names.ts';
import { findMatches } from './patterns.ts';
import { operationNames, Run } from './run.ts';
import { textFunctions } from './text-functions.ts';

/** Instructions charged for each character that is copied to or from the host. */
const perCharacter = 0.1;

/** Files of the library, in the order in which they build on each other. */
const chunkNames = [
  'base',
  'check',
  'frames',
  'modules',
  'site',
  'ustring',
  'text',
  'json',
  'html',
  'uri',
  'title',
  'language',
  'message',
  'libraries',
] as const;

/** Results of the module calls of one expansion. */
export interface ModuleRun {
  invoke: PageFunction;
  /** Error messages for the page's authors. */
  problems(): string[];
}

/**
 * Runs modules of many pages, one page at a time, in one WebAssembly instance that is reset between them. Errors of
 * programs and exceeded limits become error messages in the page. Loads its library from disk at the first call.
 */
export class Modules {
  readonly #limits: Limits;
  readonly #clock: (() => number) | undefined;
  readonly #finished = new FinishedCalls();
  #machine: Machine | undefined;
  #chunks: { name: string; source: string }[] | undefined;
  #run: Run | undefined;

  /** `clock` returns CPU time in milliseconds. */
  constructor({ limits = defaultLimits, clock }: { limits?: Limits; clock?: () => number } = {}) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Starts the expansion of one page. No state of programs is left from earlier ones. */
  begin(): ModuleRun {
    const run = new Run(() => this.#ready(run), this.#finished);
    return {
      invoke: (call) => run.invoke(call),
      problems: () => run.problems(),
    };
  }

  /** Returns a machine without state from other expansions. */
  #ready(run: Run): Machine {
    if (this.#machine && this.#run === run && !run.isBroken) return this.#machine;
    const spent = this.#run === run ? this.#machine?.spent : undefined;
    this.#run = run;
    run.isBroken = false;
    if (run.isLost || !this.#machine?.reset()) {
      run.isLost = false;
      this.#chunks ??= chunkNames.map((name) => ({
        name: `mw.${name}.lua`,
        source: readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), 'utf8'),
      }));
      this.#machine = new Machine(this.#hostFunctions(), this.#chunks, {
        limits: this.#limits,
        ...(this.#clock ? { clock: this.#clock } : {}),
      });
    }
    if (spent) this.#machine.charge(spent);
    return this.#machine;
  }

  #current(): Run {
    return this.#run as Run;
  }

  #hostFunctions(): Record<string, HostFunction> {
    const matches = ([text, pattern, init, limit, hasAnchor]: Value[], isBinary: boolean) =>
      findMatches(
        {
          text: String(text),
          pattern: String(pattern),
          init: Number(init),
          limit: Number(limit) < 0 ? Number.POSITIVE_INFINITY : Number(limit),
          hasAnchor: hasAnchor === true,
          isBinary,
        },
        (steps) => this.#machine?.spend(steps),
      );
    const all: Record<string, HostFunction> = {
      ...textFunctions,
      byteMatches: { run: (...given) => matches(given, true), isBinary: true },
      matches: { run: (...given) => matches(given, false) },
      moduleName: { run: (name) => moduleName(String(name)) },
      beginData: { run: (name) => this.#current().beginData(String(name)) },
      endData: { run: () => this.#current().endData() },
      reuseData: { run: (name) => this.#current().reuseData(String(name)) },
    };
    for (const name of operationNames) all[name] = { run: (...given) => this.#current().answer(name, given) };
    return Object.fromEntries(
      Object.entries(all).map(([name, { run, ...others }]) => [
        name,
        {
          ...others,
          run: (...given: Value[]) => {
            const result = run(...given);
            this.#machine?.spend((lengthOf(given) + lengthOf(result)) * perCharacter);
            return result;
          },
        },
      ]),
    );
  }
}
