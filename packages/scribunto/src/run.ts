/** Calls of modules in one expansion of a page: what they may ask for, and which of them are finished already. */
import { escapeHtml, type HostArgument, type HostCall, type HostFrame } from '@coppice/wikitext';
import { type Answer, digestOf, type FinishedCalls, isSame, Trace } from './finished-calls.ts';
import { LuaError, type Machine, Stopped, type Value } from './machine.ts';
import { moduleName, namedModules } from './names.ts';
import { timeFunctions } from './text-functions.ts';

/** Maximum depth of module calls within module calls. */
const maxDepth = 15;
/** Maximum number of frames at a time, as in Scribunto. */
const maxFrames = 100;
/** Maximum number of different pages that the modules of one page look up. */
const maxLookUps = 500;
const maxProblems = 20;
const maxProblemLength = 300;

/** Ends the call, because the source of a module has not been loaded yet. */
class Awaited extends Error {}

/** Questions of a program about the page and the wiki. Their answers decide, together with its arguments, what it returns. */
export const operationNames = [
  'source',
  'touch',
  'arguments',
  'exists',
  'pageText',
  'site',
  'osTime',
  'osDate',
  'newFrame',
  'preprocess',
  'include',
  'call',
  'spendLookUp',
  'warn',
] as const;
export type OperationName = (typeof operationNames)[number];

/** Operations that are cheap and count nothing, which a replay therefore asks first. */
const isCheap: ReadonlySet<string> = new Set(operationNames.slice(0, 8));
/** Operations whose first argument is a frame. */
const takesFrame: ReadonlySet<string> = new Set(['arguments', 'newFrame', 'preprocess', 'include', 'call']);

const parentFrame = 0;
const ownFrame = 1;

/** State of one expansion. */
export class Run {
  /** Whether the machine was interrupted and has to be reset. */
  isBroken = false;
  /** Whether the machine failed in an unexpected way and must not be used again. */
  isLost = false;
  readonly #ready: () => Machine;
  readonly #finished: FinishedCalls;
  readonly #operations: Readonly<Record<OperationName, (...given: Value[]) => Value>>;
  readonly #problems = new Set<string>();
  readonly #lookedUp = new Set<string>();
  readonly #frames: HostFrame[] = [];
  readonly #calls: HostCall[] = [];
  readonly #traces: Trace[] = [];
  readonly #data = new Map<string, Trace>();
  /** Whether the answers of shared data are still the same. */
  readonly #isDataSame = new Map<Trace, boolean>();
  readonly #digests = new Map<string, string>();
  readonly #whole = new Map<string, boolean>();
  #lookUps = 0;
  #over: string | undefined;

  constructor(ready: () => Machine, finished: FinishedCalls) {
    this.#ready = ready;
    this.#finished = finished;
    const { osTime, osDate } = timeFunctions(() => this.#context.now);
    this.#operations = {
      source: (name) => this.#source(String(name)),
      touch: (name) => this.#digest(String(name)),
      arguments: (id) => [...this.#frame(id).arguments()].flat(),
      exists: (namespace, text) => this.#exists(String(namespace), String(text)),
      pageText: (title) => this.#text(String(title)),
      site: (key) => this.#site(String(key)),
      osTime: osTime.run,
      osDate: osDate.run,
      newFrame: (id, given) => this.#child(this.#frame(id), argumentsOf(given)),
      preprocess: (id, text) => this.#frame(id).expand(String(text)),
      include: (id, title, given) => this.#frame(id).include(String(title), argumentsOf(given)),
      call: (id, name, given) => this.#frame(id).call(String(name), argumentsOf(given)),
      spendLookUp: () => this.#lookUp(undefined),
      warn: (text) => this.#report(String(text)),
    };
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
    const traces = this.#traces.length;
    this.#calls.push(call);
    try {
      return this.#finishedOrRun(call, name, functionName.value);
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
      this.#traces.length = traces;
      // Frames that a module created are valid only during its call.
      if (this.#calls.length === 0 || !this.isBroken) this.#frames.length = frames;
    }
  }

  #finishedOrRun(call: HostCall, name: string, functionName: string): string {
    const own = call.given.slice(2);
    const key = JSON.stringify([
      name,
      functionName,
      call.frame.title,
      own.map((one) => [one.name, one.value]),
    ]);
    const parentArguments = () => JSON.stringify([...call.frame.arguments()]);
    const base = this.#frames.length;
    const enter = () => {
      this.#frames.length = base;
      this.#frames.push(call.frame, call.frame.child(own));
    };
    enter();
    const known = this.#finished.find(key, parentArguments);
    if (known && this.#isSame(known.trace, base)) return known.text;
    enter();
    const trace = new Trace(base);
    this.#traces.push(trace);
    const result = this.#ready().call(
      name,
      functionName,
      base + ownFrame,
      base + parentFrame,
      call.frame.title,
    );
    const text = typeof result === 'string' ? result : '';
    const readsParent = trace.entries.some(
      (one) => 'operation' in one && one.operation === 'arguments' && one.given[0] === parentFrame,
    );
    this.#finished.add(key, parentArguments, { trace, text }, readsParent);
    return text;
  }

  // Answers ---------------------------------------------------------------------------------------------------------

  /** Answers a question of a program, and records the answer. */
  answer(operation: OperationName, given: readonly Value[]): Value {
    const trace = this.#traces.at(-1);
    let result: Value;
    try {
      result = this.#operations[operation](...given);
    } catch (error) {
      if (trace) trace.isWhole = false;
      throw error;
    }
    if (trace) trace.add(this.#recorded(operation, given, result, trace.base));
    return result;
  }

  #recorded(operation: string, given: readonly Value[], result: Value, base: number): Answer {
    if (operation === 'source')
      return {
        operation: 'touch',
        given,
        result: result === undefined ? undefined : this.#digest(String(given[0])),
      };
    const relative = takesFrame.has(operation) ? [Number(given[0]) - base, ...given.slice(1)] : given;
    if (operation === 'newFrame' && typeof result === 'number')
      return { operation, given: relative, result: result - base };
    return { operation, given: relative, result };
  }

  /** Begins to record the answers that a module of shared data gets. Returns the frame that it runs in, without arguments. */
  beginData(name: string): number {
    const frame = this.#frames.push(this.#call().frame.child([])) - 1;
    const trace = new Trace(frame);
    this.#data.set(name, trace);
    this.#traces.push(trace);
    return frame;
  }

  endData(): undefined {
    const data = this.#traces.pop();
    if (!data) return;
    // No frame outlives the data, because data holds no functions.
    this.#frames.length = data.base;
    this.#traces.at(-1)?.addData(data);
  }

  reuseData(name: string): undefined {
    const data = this.#data.get(name);
    if (data) this.#traces.at(-1)?.addData(data);
  }

  /** Asks everything in a trace again, and compares the answers. Frames from `base` on are those of the call. */
  #isSame(trace: Trace, base: number): boolean {
    try {
      return this.#isSameIn(trace, base, true) && this.#isSameIn(trace, base, false);
    } catch (error) {
      // The call runs, and meets the same refusal.
      if (error instanceof LuaError || error instanceof Awaited) return false;
      throw error;
    }
  }

  #isSameIn(trace: Trace, base: number, whenCheap: boolean): boolean {
    for (const entry of trace.entries) {
      if ('data' in entry) {
        if (whenCheap && !this.#isSameData(entry.data)) return false;
        continue;
      }
      const { operation, given, result } = entry;
      if (isCheap.has(operation) !== whenCheap) continue;
      const frame = Number(given[0]);
      // Arguments of frames that the call itself makes follow from what it made them of.
      if (operation === 'arguments' && frame > ownFrame) continue;
      const absolute = takesFrame.has(operation) ? [frame + base, ...given.slice(1)] : given;
      const again = this.#operations[operation as OperationName](...absolute);
      if (!isSame(operation === 'newFrame' ? Number(again) - base : again, result)) return false;
    }
    return true;
  }

  #isSameData(data: Trace): boolean {
    const known = this.#isDataSame.get(data);
    if (known !== undefined) return known;
    const base = this.#frames.length;
    this.#frames.push(this.#call().frame.child([]));
    const isDataSame = this.#isSameIn(data, base, true) && this.#isSameIn(data, base, false);
    this.#frames.length = base;
    this.#isDataSame.set(data, isDataSame);
    return isDataSame;
  }

  // Pages -----------------------------------------------------------------------------------------------------------

  get #context(): HostCall['context'] {
    return this.#call().context;
  }

  #call(): HostCall {
    return this.#calls.at(-1) as HostCall;
  }

  #child(frame: HostFrame, given: readonly HostArgument[]): number | undefined {
    return this.#frames.length > maxFrames ? undefined : this.#frames.push(frame.child(given)) - 1;
  }

  #frame(id: Value): HostFrame {
    const frame = this.#frames[Number(id)];
    if (!frame) throw new LuaError('this frame is of another call');
    return frame;
  }

  /** Returns the source of a module, or undefined if it does not exist. */
  #source(name: string): string | undefined {
    const { frame } = this.#call();
    const source = frame.source(name);
    if (source === undefined) throw new Awaited();
    if (source === null) return undefined;
    // The call would fail for want of the modules that this one loads.
    if (!this.#isWhole(name, frame)) throw new Awaited();
    return source;
  }

  /** Identifies the source of a module; undefined if it does not exist. */
  #digest(name: string): string | undefined {
    const source = this.#source(name);
    if (source === undefined) return undefined;
    const known = this.#digests.get(name) ?? digestOf(source);
    this.#digests.set(name, known);
    return known;
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
  #lookUp(name: string | undefined): undefined {
    if (name !== undefined && this.#lookedUp.has(name)) return;
    if (name !== undefined) this.#lookedUp.add(name);
    if (++this.#lookUps > maxLookUps)
      throw new LuaError(`the modules of this page look up more than ${maxLookUps} pages`);
  }

  #exists(namespace: string, text: string): boolean {
    const title = namespace === '' ? text : `${namespace}:${text}`;
    this.#lookUp(title);
    const { frame } = this.#call();
    // Templates and modules are page types, so their titles carry no prefix.
    if (namespace === 'Template' || namespace === 'Module') return typeof frame.source(title) === 'string';
    return frame.exists(title);
  }

  #text(title: string): string | undefined {
    this.#lookUp(title);
    return this.#call().frame.source(title) ?? undefined;
  }

  #site(key: string): Value {
    const { siteName, server, rules, page } = this.#context;
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

  #report(text: string): undefined {
    if (this.#problems.size < maxProblems) this.#problems.add(text.slice(0, maxProblemLength));
  }

  problems(): string[] {
    return [...this.#problems];
  }

  /** Readers see that a module failed and which one; authors also see why. */
  #fail(label: string, message: string): string {
    // Lua's own messages already begin with the module and the line.
    this.#report(message.startsWith('Module:') ? message : `Module:${label}: ${message}`);
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
  const ordered: HostArgument[] = [];
  for (let at = 1; byPosition.has(String(at)); at++) {
    ordered.push({ name: undefined, value: byPosition.get(String(at)) as string });
    byPosition.delete(String(at));
  }
  return [...ordered, ...named.filter(({ name }) => byPosition.has(name))];
}
