/** Host functions without access to the wiki: characters, URLs, JSON, numbers, time. */
import { createHash, getHashes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { decodeEntities, formatNumber, pluralForm } from '@coppice/wikitext';
import { type HostFunction, LuaError, type Value } from './machine.ts';
import { strftime } from './strftime.ts';

type Functions = Record<string, HostFunction>;

/** Longer texts are rejected before they are created, because no page may be that long. */
const maxLength = 2_000_000;

export const textFunctions: Functions = {
  maxLength: { run: () => maxLength },
  isUtf8: { run: (text) => isUtf8(String(text)), isBinary: true },
  usub: {
    run: (text, from, to) =>
      characters(text)
        .slice(Number(from) - 1, Number(to))
        .join(''),
  },
  ucodes: {
    run: (text, from, to) =>
      characters(text)
        .slice(Number(from) - 1, Number(to))
        .map((one) => one.codePointAt(0)),
  },
  uchar: {
    run: (...codes) =>
      codes
        .map((code, at) => {
          const point = Number(code);
          if (Number.isNaN(point))
            throw new LuaError(`bad argument #${at + 1} to 'char' (number expected, got ${luaType(code)})`);
          if (!Number.isInteger(point) || point < 0 || point > 0x10ffff)
            throw new LuaError(`bad argument #${at + 1} to 'char' (value out of range)`);
          return String.fromCodePoint(point);
        })
        .join(''),
  },
  upper: { run: (text) => String(text).toUpperCase() },
  // Lower-cases each character by itself, so that a final sigma is treated like any other.
  lower: {
    run: (text) =>
      String(text)
        .replace(/\P{ASCII}/gu, (one) => one.toLowerCase())
        .replace(/[A-Z]+/g, (run) => run.toLowerCase()),
  },
  ucfirst: {
    run: (text, language) => {
      const [first = ''] = String(text);
      const isDotted = first === 'i' && (language === 'tr' || language === 'az');
      return (isDotted ? 'İ' : first.toUpperCase()) + String(text).slice(first.length);
    },
  },
  normalize: { run: (text, form) => String(text).normalize(String(form)) },
  decodeEntities: { run: (text, isNamed) => decode(String(text), isNamed === true) },
  encodeUri: { run: (text, kind) => encodeUri(String(text), String(kind)), isBinary: true },
  decodeUri: { run: (text, kind) => decodeUri(String(text), String(kind)), isBinary: true },
  jsonString: {
    run: (text) =>
      JSON.stringify(text).replace(/[\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`),
  },
  jsonTokens: { run: (text, isLoose) => jsonTokens(String(text), isLoose === true) },
  isRtl: { run: (code) => rightToLeft.has(String(code).split('-')[0] ?? '') },
  languageName: { run: (code, within) => languageName(String(code), String(within)) },
  formatNumber: {
    // Lua formats small numbers with exponents.
    run: (code, text, option) =>
      formatNumber(option === 'R' ? String(text) : String(Number(text)), String(option), String(code)),
  },
  plural: { run: (code, count, ...forms) => pluralForm(Number(count), forms.map(String), String(code)) },
  hashNames: { run: () => ['crc32b', ...hashNames()] },
  hash: {
    run: (name, text) => {
      const bytes = Buffer.from(String(text), 'latin1');
      if (name === 'crc32b') return crc32(bytes).toString(16).padStart(8, '0');
      return hashNames().includes(String(name))
        ? createHash(String(name).replace('/', '-')).update(bytes).digest('hex')
        : undefined;
    },
    isBinary: true,
  },
  bcp47: { run: (code) => bcp47(String(code)) },
  bits: { run: (name, ...given) => bits(String(name), given.map(Number)) },
};

/**
 * `now` returns milliseconds since 1970. It is called only if the result depends on the time, because that makes the page
 * uncacheable.
 */
export function timeFunctions(now: () => number): Record<'osTime' | 'osDate', HostFunction> {
  return {
    osTime: {
      run: (year, ...rest) => {
        if (year === undefined) return Math.floor(now() / 1000);
        const [month = 1, day = 1, hour = 0, minute = 0, second = 0] = rest.map(Number);
        // Unlike `Date.UTC`, this takes years below 100 as they are.
        const date = new Date(0);
        date.setUTCFullYear(Number(year), month - 1, day);
        date.setUTCHours(hour, minute, second);
        return Math.floor(date.getTime() / 1000);
      },
    },
    osDate: {
      run: (pattern, time) => {
        const date = new Date(time === undefined ? now() : Number(time) * 1000);
        if (Number.isNaN(date.getTime())) throw new LuaError("bad argument #2 to 'date' (no time)");
        const format = String(pattern).replace(/^!/, '');
        return format.startsWith('*t') ? dateParts(date) : strftime(format.slice(0, 500), date);
      },
    },
  };
}

function dateParts(date: Date): number[] {
  return [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCDay() + 1,
    Number(strftime('%j', date)),
  ];
}

function characters(text: Value): string[] {
  return Array.from(String(text));
}

function isUtf8(bytes: string): boolean {
  return !Buffer.from(Buffer.from(bytes, 'latin1').toString('utf8'), 'utf8').compare(
    Buffer.from(bytes, 'latin1'),
  );
}

const basicEntities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  nbsp: '\u00a0',
};

function decode(text: string, isNamed: boolean): string {
  if (isNamed) return decodeEntities(text);
  return text.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(lt|gt|amp|quot|nbsp));/g, (entity, decimal, hex, name) => {
    if (name) return basicEntities[name] ?? entity;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : entity;
  });
}

/** Encodes each byte outside the safe characters. */
function encodeUri(bytes: string, kind: string): string {
  const unsafe = kind === 'WIKI' ? /[^a-zA-Z0-9!$()*,./:;@~_-]/g : /[^a-zA-Z0-9_.~-]/g;
  const space = kind === 'WIKI' ? '_' : kind === 'PATH' ? '%20' : '+';
  return bytes.replace(unsafe, (one) =>
    one === ' ' ? space : `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function decodeUri(bytes: string, kind: string): string {
  const spaced =
    kind === 'WIKI' ? bytes.replaceAll('_', ' ') : kind === 'PATH' ? bytes : bytes.replaceAll('+', ' ');
  return spaced.replace(/%([\da-f]{2})/gi, (_encoded, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Flattens JSON to a list of tokens in order, with lists and objects preceded by their length. Returns undefined for invalid
 * JSON. `isLoose` permits trailing commas.
 */
function jsonTokens(text: string, isLoose: boolean): Value {
  let value: unknown;
  try {
    value = JSON.parse(
      isLoose ? text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/gs, (one) => (one === ',' ? '' : one)) : text,
    );
  } catch {
    return undefined;
  }
  const tokens: string[] = [];
  const add = (one: unknown) => {
    if (typeof one === 'string') tokens.push(`s${one}`);
    else if (typeof one === 'number') tokens.push(`n${one}`);
    else if (one === true) tokens.push('t');
    else if (one === false) tokens.push('f');
    else if (one === null || typeof one !== 'object') tokens.push('0');
    else if (Array.isArray(one)) {
      tokens.push(`[${one.length}`);
      one.forEach(add);
    } else {
      const entries = Object.entries(one);
      tokens.push(`{${entries.length}`);
      for (const [key, inner] of entries) {
        tokens.push(`s${key}`);
        add(inner);
      }
    }
  };
  add(value);
  return tokens;
}

/** Algorithms of PHP that Node has as well. */
function hashNames(): string[] {
  const names =
    'md5 sha1 sha224 sha256 sha512/224 sha512/256 sha384 sha512 sha3-224 sha3-256 sha3-384 sha3-512 ripemd160';
  const available = new Set(getHashes());
  return names.split(' ').filter((name) => available.has(name.replace('/', '-')));
}

/** Casing of BCP 47: `zh-hant-tw` → `zh-Hant-TW`. Parts after a single letter stay in lower case. */
function bcp47(code: string): string {
  let isPrivate = false;
  return code
    .replaceAll('_', '-')
    .split('-')
    .map((part, at) => {
      const lower = part.toLowerCase();
      const isPlain = isPrivate || at === 0;
      if (part.length === 1) isPrivate = true;
      if (isPlain || part.length === 1) return lower;
      if (part.length === 2) return part.toUpperCase();
      return part.length === 4 && /^[a-z]/i.test(part) ? part[0]?.toUpperCase() + lower.slice(1) : lower;
    })
    .join('-');
}

const rightToLeft = new Set(
  'ar arc arz azb ckb dv fa glk he ks ku-arab mzn nqo pnb ps sd ug ur yi'.split(' '),
);

function languageName(code: string, within: string): string {
  try {
    const name = new Intl.DisplayNames([within], { type: 'language', fallback: 'none' }).of(code);
    return name ?? '';
  } catch {
    // One of the two is no language code.
    return '';
  }
}

/** `bit32` of Lua 5.2. */
function bits(name: string, given: number[]): number {
  const [first = 0, second = 0, third, fourth] = given.map((value) =>
    Number(BigInt.asUintN(32, BigInt(Math.floor(Number.isFinite(value) ? value : 0)))),
  );
  const by = Number.isFinite(given[1]) ? (given[1] as number) : 0;
  switch (name) {
    case 'band':
      return given.reduce((all, one) => all & one, -1) >>> 0;
    case 'bor':
      return given.reduce((all, one) => all | one, 0) >>> 0;
    case 'bxor':
      return given.reduce((all, one) => all ^ one, 0) >>> 0;
    case 'bnot':
      return ~first >>> 0;
    case 'lshift':
      return shift(first, by);
    case 'rshift':
      return shift(first, -by);
    case 'arshift':
      return by < 0 ? shift(first, -by) : ((first | 0) >> Math.min(by, 31)) >>> 0;
    case 'lrotate':
      return rotate(first, by);
    case 'rrotate':
      return rotate(first, -by);
    case 'extract':
      return (first >>> second) & mask(third ?? 1);
    case 'replace': {
      const covered = (mask(fourth ?? 1) << (third ?? 0)) >>> 0;
      return ((first & ~covered) | ((second << (third ?? 0)) & covered)) >>> 0;
    }
    default:
      return 0;
  }
}

function mask(width: number): number {
  return width >= 32 ? 0xffffffff : (1 << width) - 1;
}

function shift(value: number, by: number): number {
  if (by <= -32 || by >= 32) return 0;
  return by >= 0 ? (value << by) >>> 0 : value >>> -by;
}

function rotate(value: number, by: number): number {
  const turns = ((by % 32) + 32) % 32;
  return turns === 0 ? value >>> 0 : ((value << turns) | (value >>> (32 - turns))) >>> 0;
}

/** Type of a value in Lua. */
function luaType(value: Value): string {
  if (value === undefined) return 'nil';
  return typeof value === 'object' ? 'table' : typeof value;
}
