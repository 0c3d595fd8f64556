/**
 * A sandboxed Lua 5.1 in WebAssembly. The program has no file, clock, network or memory except what is passed in here, so a
 * module that breaks out of Lua is still confined to the memory of this WebAssembly instance. Only the compiled interpreter of
 * `wasmoon-lua5.1` is used, none of its JavaScript.
 *
 * A snapshot of the memory is taken right after the start, and `reset` restores it. So no state passes from one page to the
 * next, and a program that was stopped midway leaves nothing behind. A program is stopped by an exception that unwinds all of
 * its frames and that its own `pcall` cannot catch.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Values that Lua and JavaScript exchange. A list becomes a table. */
export type Value = undefined | boolean | number | string | readonly Value[];

export interface HostFunction {
  run(...given: Value[]): Value;
  /** Strings are passed as one byte per character instead of decoded UTF-8. */
  isBinary?: boolean;
}

export interface Limits {
  /** A backstop for machines whose clock stands still: several times as many as `cpuMs` allows on a fast machine. */
  instructions: number;
  /** CPU time of one page in milliseconds. Less than an anonymous preview may take, so that the page says which module failed. */
  cpuMs: number;
  memoryBytes: number;
}

export const defaultLimits: Limits = Object.freeze({
  instructions: 2_000_000_000,
  cpuMs: 2500,
  memoryBytes: 50 * 1024 * 1024,
});

/** Thrown when a program reaches a limit. The machine refuses calls until it is reset. */
export class Stopped extends Error {}

/** Instructions between two checks of the limits. */
const lookEvery = 1000;
/** Milliseconds between two reads of the CPU clock, because reading it is slow. */
const clockEveryMs = 20;
const pageBytes = 65_536;

const tooLarge = 'The modules of this page need too much memory.';
const tooLong = 'The modules of this page compute too long.';

const types = Object.freeze({ nil: 0, boolean: 1, number: 3, string: 4, table: 5 });
const registry = -10_000;
const countMask = 8;
const collect = 2;

type Exports = Record<string, (...given: number[]) => number> & {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
};

let program: WebAssembly.Module | undefined;

export class Machine {
  readonly #limits: Limits;
  readonly #clock: () => number;
  readonly #host: Readonly<Record<string, HostFunction>>;
  readonly #lua: Exports;
  readonly #state: number;
  readonly #stack: number;
  readonly #image: Uint8Array;
  readonly #bytesAtStart: number;
  readonly #run: number;
  #bytes: Buffer;
  #instructions = 0;
  #sinceMs = 0;
  #lookedAt = 0;
  #stopped: Stopped | undefined;

  /**
   * `chunks`: Lua sources, run in order with the table of host functions and the result of the chunk before; the last one
   * returns the function that `call` calls. `clock` returns CPU time in milliseconds.
   */
  constructor(
    host: Readonly<Record<string, HostFunction>>,
    chunks: readonly { name: string; source: string }[],
    { limits = defaultLimits, clock = threadCpuMs }: { limits?: Limits; clock?: () => number } = {},
  ) {
    this.#host = host;
    this.#limits = limits;
    this.#clock = clock;
    program ??= new WebAssembly.Module(
      readFileSync(createRequire(import.meta.url).resolve('wasmoon-lua5.1/dist/liblua5.1.wasm')),
    );
    const instance = new WebAssembly.Instance(program, this.#imports());
    this.#lua = instance.exports as Exports;
    const { __wasm_call_ctors, luaL_newstate, luaL_openlibs, lua_sethook, lua_gc, stackSave } = this.#lua;
    this.#bytes = Buffer.from(this.#lua.memory.buffer);
    __wasm_call_ctors?.();
    const L = luaL_newstate?.() ?? 0;
    if (L === 0) throw new Error('Lua did not start.');
    this.#state = L;
    this.#stack = stackSave?.() ?? 0;
    luaL_openlibs?.(L);
    this.#load(chunks);
    this.#run = this.#lua.luaL_ref?.(L, registry) ?? 0;
    const hook = this.#inTable(() => {
      this.spend(lookEvery);
      return undefined;
    }, 2);
    lua_sethook?.(L, hook, countMask, lookEvery);
    lua_gc?.(L, collect, 0);
    this.#image = Uint8Array.prototype.slice.call(this.#memory(), 0, lengthUsed(this.#memory()));
    this.#bytesAtStart = this.#memory().length;
    this.reset();
  }

  /**
   * Restores the initial state and clears the counters. Returns false if the memory has grown: then creating a new machine is
   * cheaper than clearing this one.
   */
  reset(): boolean {
    this.#lua.stackRestore?.(this.#stack);
    const bytes = this.#memory();
    if (bytes.length > this.#bytesAtStart) return false;
    bytes.set(this.#image);
    bytes.fill(0, this.#image.length);
    this.#instructions = 0;
    this.#sinceMs = this.#clock();
    this.#lookedAt = performance.now();
    this.#stopped = undefined;
    return true;
  }

  /** Resources used since the last reset: instructions, rounded down, and milliseconds. */
  get spent(): { instructions: number; cpuMs: number } {
    return { instructions: this.#instructions, cpuMs: this.#clock() - this.#sinceMs };
  }

  /** Adds resources that were used before a reset in the middle of a page. */
  charge({ instructions, cpuMs }: { instructions: number; cpuMs: number }): void {
    this.#instructions += instructions;
    this.#sinceMs -= cpuMs;
  }

  /** Adds work, measured in instructions, and stops the program at a limit. Host functions call it while they work. */
  spend(instructions: number): void {
    this.#instructions += instructions;
    if (this.#instructions > this.#limits.instructions) this.stop(tooLong);
    const now = performance.now();
    if (now - this.#lookedAt < clockEveryMs) return;
    this.#lookedAt = now;
    if (this.#clock() - this.#sinceMs > this.#limits.cpuMs) this.stop(tooLong);
  }

  /**
   * Calls the function that the last chunk returned. Throws `LuaError` with its message, `Stopped` at a limit, and whatever a host
   * function throws; after the latter two, the machine has to be reset.
   */
  call(...given: Value[]): Value {
    if (this.#stopped) throw this.#stopped;
    const L = this.#state;
    const top = this.#lua.lua_gettop?.(L) ?? 0;
    this.#lua.lua_rawgeti?.(L, registry, this.#run);
    for (const value of given) this.#push(L, value, 'utf8');
    this.#protected(L, given.length, 1);
    const result = this.#read(L, -1, 'utf8');
    this.#lua.lua_settop?.(L, top);
    return result;
  }

  #protected(L: number, given: number, results: number): void {
    const status = this.#lua.lua_pcall?.(L, given, results, 0) ?? 0;
    if (status === 0) return;
    const message = this.#read(L, -1, 'utf8');
    this.#lua.lua_settop?.(L, -2);
    throw new LuaError(typeof message === 'string' ? message : 'an error that is no text');
  }

  #load(chunks: readonly { name: string; source: string }[]): void {
    const L = this.#state;
    const { lua_createtable, lua_pushvalue, lua_insert, lua_gettop } = this.#lua;
    lua_createtable?.(L, 0, 64);
    for (const name of Object.keys(this.#host)) {
      this.#push(L, name, 'utf8');
      this.#lua.lua_pushcclosure?.(
        L,
        this.#inTable((state) => this.#answer(state, name), 1),
        0,
      );
      this.#lua.lua_settable?.(L, -3);
    }
    for (const { name, source } of chunks) {
      const before = (lua_gettop?.(L) ?? 0) - 1;
      const text = this.#copy(Buffer.from(source));
      const label = this.#copy(Buffer.from(`=${name}\0`));
      const status = this.#lua.luaL_loadbuffer?.(L, text.at, text.length, label.at);
      this.#lua.free?.(text.at);
      this.#lua.free?.(label.at);
      if (status !== 0) throw new Error(String(this.#read(L, -1, 'utf8')));
      // Moves the function beneath the previous result; the host functions stay at the bottom of the stack.
      lua_insert?.(L, 2);
      lua_pushvalue?.(L, 1);
      lua_insert?.(L, 3);
      this.#protected(L, before + 1, -1);
    }
  }

  // Host functions --------------------------------------------------------------------------------------------------

  #answer(L: number, name: string): number {
    const { run, isBinary } = this.#host[name] as HostFunction;
    const encoding = isBinary ? 'latin1' : 'utf8';
    const given: Value[] = [];
    const count = this.#lua.lua_gettop?.(L) ?? 0;
    for (let at = 1; at <= count; at++) given.push(this.#read(L, at, encoding));
    let result: Value;
    try {
      result = run(...given);
    } catch (error) {
      if (!(error instanceof LuaError)) throw error;
      this.#push(L, error.message, 'utf8');
      return this.#lua.lua_error?.(L) ?? 0;
    }
    this.#push(L, result, encoding);
    return 1;
  }

  /** Stops the running program from within a host function. */
  stop(reason: string): never {
    this.#stopped = new Stopped(reason);
    throw this.#stopped;
  }

  #read(L: number, index: number, encoding: 'utf8' | 'latin1'): Value {
    const { lua_type, lua_toboolean, lua_tonumber, lua_tolstring, lua_objlen, lua_rawgeti, lua_settop } =
      this.#lua;
    switch (lua_type?.(L, index)) {
      case types.boolean:
        return lua_toboolean?.(L, index) === 1;
      case types.number:
        return lua_tonumber?.(L, index);
      case types.string: {
        const at = lua_tolstring?.(L, index, 0) ?? 0;
        const length = lua_objlen?.(L, index) ?? 0;
        return this.#memory().toString(encoding, at, at + length);
      }
      case types.table: {
        const values: Value[] = [];
        const length = lua_objlen?.(L, index) ?? 0;
        this.#lua.luaL_checkstack?.(L, 4, 0);
        for (let at = 1; at <= length; at++) {
          lua_rawgeti?.(L, index, at);
          const type = lua_type?.(L, -1);
          // Nested lists are not passed to the host, so that no list can contain itself.
          values.push(type === types.table ? undefined : this.#read(L, -1, encoding));
          lua_settop?.(L, -2);
        }
        return values;
      }
      default:
        return undefined;
    }
  }

  #push(L: number, value: Value, encoding: 'utf8' | 'latin1'): void {
    const { lua_pushnil, lua_pushboolean, lua_pushnumber, lua_createtable, lua_rawseti } = this.#lua;
    if (typeof value === 'string') this.#pushString(L, value, encoding);
    else if (typeof value === 'number') lua_pushnumber?.(L, value);
    else if (typeof value === 'boolean') lua_pushboolean?.(L, value ? 1 : 0);
    else if (value === undefined) lua_pushnil?.(L);
    else {
      this.#lua.luaL_checkstack?.(L, 4, 0);
      lua_createtable?.(L, value.length, 0);
      for (const [index, item] of value.entries()) {
        this.#push(L, item, encoding);
        lua_rawseti?.(L, -2, index + 1);
      }
    }
  }

  #pushString(L: number, value: string, encoding: 'utf8' | 'latin1'): void {
    const copied = this.#copy(Buffer.from(value, encoding));
    this.#lua.lua_pushlstring?.(L, copied.at, copied.length);
    this.#lua.free?.(copied.at);
  }

  #copy(from: Buffer): { at: number; length: number } {
    const at = this.#lua.malloc?.(from.length + 1) ?? 0;
    if (at === 0) this.stop(tooLarge);
    this.#memory().set(from, at);
    return { at, length: from.length };
  }

  /** Memory that grows gets a new buffer, so the view is created again. */
  #memory(): Buffer {
    if (this.#bytes.buffer !== this.#lua.memory.buffer) this.#bytes = Buffer.from(this.#lua.memory.buffer);
    return this.#bytes;
  }

  /**
   * A WebAssembly table holds only WebAssembly functions, so each JavaScript function is wrapped by a module that imports and
   * exports it.
   */
  #inTable(run: (...given: number[]) => number | undefined, parameters: 1 | 2): number {
    const signature = parameters === 1 ? [1, 0x60, 1, 0x7f, 1, 0x7f] : [1, 0x60, 2, 0x7f, 0x7f, 0];
    const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, signature.length, ...signature];
    bytes.push(2, 7, 1, 1, 0x65, 1, 0x66, 0, 0, 7, 5, 1, 1, 0x66, 0, 0);
    const module = new WebAssembly.Module(new Uint8Array(bytes));
    const { f } = new WebAssembly.Instance(module, { e: { f: run } }).exports;
    const table = this.#lua.__indirect_function_table;
    const index = table.grow(1);
    table.set(index, f);
    return index;
  }

  /** Everything that the interpreter imports. Functions for files, clocks and processes fail. */
  #imports(): WebAssembly.Imports {
    const refused = () => -1;
    const invoke = (index: number, ...given: number[]) => {
      const stack = this.#lua.stackSave?.() ?? 0;
      try {
        this.#lua.__indirect_function_table.get(index)(...given);
      } catch (error) {
        // A number is Lua's own jump to its `pcall`; every other exception is passed on.
        if (typeof error !== 'number') throw error;
        this.#lua.stackRestore?.(stack);
        this.#lua.setThrew?.(1, 0);
      }
    };
    const env: Record<string, unknown> = {
      invoke_vii: invoke,
      _emscripten_throw_longjmp: () => {
        throw Number.POSITIVE_INFINITY;
      },
      emscripten_memcpy_js: (to: number, from: number, length: number) =>
        this.#memory().copyWithin(to, from, from + length),
      emscripten_resize_heap: (bytes: number) => this.#grow(bytes),
      exit: () => this.stop('The modules of this page broke their interpreter.'),
      emscripten_date_now: () => 0,
      _emscripten_get_now_is_monotonic: () => 1,
    };
    const wasi: Record<string, unknown> = {};
    for (const { module, name } of WebAssembly.Module.imports(program as WebAssembly.Module)) {
      const group = module === 'env' ? env : wasi;
      group[name] ??= refused;
    }
    return { env, wasi_snapshot_preview1: wasi } as WebAssembly.Imports;
  }

  #grow(bytes: number): number {
    const { memory } = this.#lua;
    const has = memory.buffer.byteLength;
    // Lua 5.1 does not recover reliably from a failed allocation, so the program is stopped.
    if (bytes > this.#limits.memoryBytes) this.stop(tooLarge);
    // Grows by a fifth at least, because each growth is expensive.
    const wanted = Math.min(this.#limits.memoryBytes, Math.max(bytes, has * 1.2));
    try {
      memory.grow(Math.ceil((wanted - has) / pageBytes));
    } catch {
      // The system has no more memory either.
      this.stop(tooLarge);
    }
    return 1;
  }
}

/** CPU time of this thread, which a busy machine does not shorten. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** An error that Lua code can catch with `pcall`: raised by a module, or by a host function for it. */
export class LuaError extends Error {}

/** Length without trailing zeros. */
function lengthUsed(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}
