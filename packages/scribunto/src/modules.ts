/**
 * Runs `{{#invoke:Name|function|…}}` for one expansion at a time. Modules reach the page and the wiki only through the call
 * that they were made from, so a module can read nothing that the page could not.
 *
 * A program cannot wait for data. Missing titles and texts are recorded as needed and treated as absent, and the host expands
 * again when it has them. A module starts only when all modules that its source names are loaded; if another one is missing,
 * the call ends.
 */

import { readFileSync } from 'node:fs';
import {
  escapeHtml,
  type HostArgument,
  type HostCall,
  type HostFrame,
  type HostFunction as PageFunction,
} from '@coppice/wikitext';
import {
  defaultLimits,
  type HostFunction,
  type Limits,
  LuaError,
  Machine,
  Stopped,
  type Value,
} from './machine.ts';
import { moduleName, namedModules } from './names.ts';
import { findMatches } from './patterns.ts';
import { textFunctions, timeFunctions } from './text-functions.ts';

/** Maximum depth of module calls within module calls. */
const maxDepth = 15;
/** Maximum number of frames at a time, as in Scribunto. */
const maxFrames = 100;
/** Maximum number of different pages that the modules of one page look up. */
const maxLookUps = 500;
const maxProblems = 20;
const maxProblemLength = 300;
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

/** Ends the call, because the source of a module has not been loaded yet. */
class Awaited extends Error {}

/** Results of the module calls of one expansion. */
export interface ModuleRun {
  invoke: PageFunction;
  /** Error messages for the page's authors. */
  problems(): string[];
}

export class Modules {
  readonly #limits: Limits;
  readonly #clock: (() => number) | undefined;
  #machine: Machine | undefined;
  #chunks: { name: string; source: string }[] | undefined;
  #run: Run | undefined;

  /** `clock` returns CPU time in milliseconds. */
  constructor({ limits = defaultLimits, clock }: { limits?: Limits; clock?: () => number } = {}) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Starts the expansion of one page, without state from earlier ones. */
  begin(): ModuleRun {
    const run = new Run(() => this.#ready(run));
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
    const frame = (id: Value) => this.#current().frame(Number(id));
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
    const pageFunctions: Record<string, HostFunction> = {
      byteMatches: { run: (...given) => matches(given, true), isBinary: true },
      matches: { run: (...given) => matches(given, false) },
      moduleName: { run: (name) => moduleName(String(name)) },
      source: { run: (name) => this.#current().source(String(name)) },
      touch: { run: () => undefined },
      beginData: { run: () => this.#current().emptyFrame() },
      endData: { run: () => undefined },
      reuseData: { run: () => undefined },
      arguments: { run: (id) => [...frame(id).arguments()].flat() },
      preprocess: { run: (id, text) => frame(id).expand(String(text)) },
      include: { run: (id, title, given) => frame(id).include(String(title), argumentsOf(given)) },
      call: { run: (id, name, given) => frame(id).call(String(name), argumentsOf(given)) },
      newFrame: { run: (id, given) => this.#current().child(frame(id), argumentsOf(given)) },
      exists: { run: (namespace, text) => this.#current().exists(String(namespace), String(text)) },
      pageText: { run: (title) => this.#current().text(String(title)) },
      spendLookUp: { run: () => this.#current().lookUp(undefined) },
      site: { run: (key) => this.#current().site(String(key)) },
      warn: { run: (text) => this.#current().report(String(text)) },
      ...timeFunctions(() => this.#current().context.now),
    };
    const all = { ...textFunctions, ...pageFunctions };
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

/** State of one expansion. */
class Run {
  /** Whether the machine was interrupted and has to be reset. */
  isBroken = false;
  /** Whether the machine failed in an unexpected way and must not be used again. */
  isLost = false;
  readonly #ready: () => Machine;
  readonly #problems = new Set<string>();
  readonly #lookedUp = new Set<string>();
  readonly #frames: HostFrame[] = [];
  readonly #calls: HostCall[] = [];
  readonly #whole = new Map<string, boolean>();
  #lookUps = 0;
  #over: string | undefined;

  constructor(ready: () => Machine) {
    this.#ready = ready;
  }

  invoke(call: HostCall): string | undefined {
    const [written, functionName = { value: '' }] = call.arguments;
    const name = moduleName(`Module:${written?.value ?? ''}`);
    if (name === undefined) return undefined;
    const label = name.slice('Module:'.length);
    const source = call.frame.source(name);
    if (source === null) return this.#mark(`there is no module [[:${name}]]`);
    if (!this.#isWhole(name, call.frame)) return '';
    if (this.#over !== undefined) return this.#fail(label, this.#over);
    if (this.#calls.length >= maxDepth)
      return this.#fail(label, `Modules call modules more than ${maxDepth} deep.`);
    const frames = this.#frames.length;
    this.#calls.push(call);
    try {
      const machine = this.#ready();
      const parent = this.add(call.frame);
      const own = this.add(call.frame.child(call.given.slice(2)));
      const result = machine.call(name, functionName.value, own, parent, call.frame.title);
      return typeof result === 'string' ? result : '';
    } catch (error) {
      if (error instanceof LuaError) return this.#fail(label, error.message);
      // All enclosing calls end with this one.
      this.isBroken = true;
      if (!(error instanceof Awaited) && !isOfMachine(error)) throw error;
      if (this.#calls.length > 1) throw error;
      if (error instanceof Awaited) return '';
      this.isLost = !(error instanceof Stopped);
      this.#over = error instanceof Stopped ? error.message : 'A module needs too much room to compute.';
      return this.#fail(label, this.#over);
    } finally {
      this.#calls.pop();
      // Frames that a module created are valid only during its call.
      if (this.#calls.length === 0 || !this.isBroken) this.#frames.length = frames;
    }
  }

  get context(): HostCall['context'] {
    return this.#call().context;
  }

  #call(): HostCall {
    return this.#calls.at(-1) as HostCall;
  }

  add(frame: HostFrame): number {
    return this.#frames.push(frame) - 1;
  }

  /** Returns a frame for the same text with other arguments; undefined if the call has too many. */
  child(frame: HostFrame, given: readonly HostArgument[]): number | undefined {
    return this.#frames.length > maxFrames ? undefined : this.add(frame.child(given));
  }

  /** A frame without arguments, for data that all calls share. */
  emptyFrame(): number {
    return this.add(this.#call().frame.child([]));
  }

  frame(id: number): HostFrame {
    const frame = this.#frames[id];
    if (!frame) throw new LuaError('this frame is of another call');
    return frame;
  }

  /** Returns the source of a module, or undefined if it does not exist. */
  source(name: string): string | undefined {
    const { frame } = this.#call();
    const source = frame.source(name);
    if (source === undefined) throw new Awaited();
    if (source === null) return undefined;
    // The call would fail for want of the modules that this one loads.
    if (!this.#isWhole(name, frame)) throw new Awaited();
    return source;
  }

  /** Whether a module is loaded together with all modules that its source names, recursively. Missing ones are requested. */
  #isWhole(name: string, frame: HostFrame): boolean {
    const known = this.#whole.get(name);
    if (known !== undefined) return known;
    const source = frame.source(name);
    if (typeof source !== 'string') return source === null;
    // Marked before the recursion, because modules may load each other.
    this.#whole.set(name, true);
    let isWhole = true;
    for (const other of namedModules(source)) if (!this.#isWhole(other, frame)) isWhole = false;
    this.#whole.set(name, isWhole);
    return isWhole;
  }

  /** Counts the lookup of another page. */
  lookUp(name: string | undefined): undefined {
    if (name !== undefined && this.#lookedUp.has(name)) return;
    if (name !== undefined) this.#lookedUp.add(name);
    if (++this.#lookUps > maxLookUps)
      throw new LuaError(`the modules of this page look up more than ${maxLookUps} pages`);
  }

  exists(namespace: string, text: string): boolean {
    const title = namespace === '' ? text : `${namespace}:${text}`;
    this.lookUp(title);
    const { frame } = this.#call();
    // Templates and modules are page types, so their titles carry no prefix.
    if (namespace === 'Template' || namespace === 'Module') return typeof frame.source(title) === 'string';
    return frame.exists(title);
  }

  text(title: string): string | undefined {
    this.lookUp(title);
    return this.#call().frame.source(title) ?? undefined;
  }

  site(key: string): Value {
    const { siteName, server, rules, page } = this.context;
    switch (key) {
      case 'name':
        return siteName ?? '';
      case 'server':
        return server ?? '';
      case 'language':
        return rules?.language ?? 'en';
      case 'title':
        return page.title;
      case 'pageId':
        return page.id;
      default:
        return undefined;
    }
  }

  report(text: string): undefined {
    if (this.#problems.size < maxProblems) this.#problems.add(text.slice(0, maxProblemLength));
  }

  problems(): string[] {
    return [...this.#problems];
  }

  /** Readers see that a module failed and which one; authors also see why. */
  #fail(label: string, message: string): string {
    // Lua's own messages already begin with the module and the line.
    this.report(message.startsWith('Module:') ? message : `Module:${label}: ${message}`);
    return this.#mark(`in Module:${escapeHtml(label)}`);
  }

  #mark(what: string): string {
    return `<strong class="error">Script error: ${what}</strong>`;
  }
}

/** Whether the error is a stack overflow or a failure of the interpreter. */
function isOfMachine(error: unknown): boolean {
  return error instanceof Stopped || error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
}

/** Reads a list of alternating names and values. */
function argumentsOf(list: Value): HostArgument[] {
  const values = Array.isArray(list) ? list : [];
  const named: { name: string; value: string }[] = [];
  for (let at = 0; at + 1 < values.length; at += 2)
    named.push({ name: String(values[at]), value: String(values[at + 1]) });
  // Numbered arguments come first, in order; the others keep their order.
  const byPosition = new Map(named.map((one) => [one.name, one.value]));
  const ordered: { name: string | undefined; value: string }[] = [];
  for (let at = 1; byPosition.has(String(at)); at++) {
    ordered.push({ name: undefined, value: byPosition.get(String(at)) as string });
    byPosition.delete(String(at));
  }
  return [...ordered, ...named.filter(({ name }) => byPosition.has(name))];
}

function lengthOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object') return 1;
  let length = 1;
  for (const item of value) length += lengthOf(item);
  return length;
}
