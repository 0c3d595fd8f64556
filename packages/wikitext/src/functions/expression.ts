/**
 * {{#expr: 2 * (3 + 4) round 1}}          14        {{#ifexpr: 1 > 0 | then | else}}
 *
 * Operators, loosest first: or · and · = != <> < > <= >= · round · + - · * / div mod fmod · ^ · not and functions: sin cos
 * tan asin acos atan exp ln abs sqrt trunc floor ceil · signs and e (as in 1e3). Constants: pi, e.
 */
import type { Functions } from './call.ts';

class ExpressionError extends Error {
  /** Whether the expression is valid but has no value for these operands, as opposed to a syntax error. */
  readonly isOfValue: boolean;

  constructor(message: string, isOfValue = false) {
    super(message);
    this.isOfValue = isOfValue;
  }
}

export const calculate: Functions = {
  '#expr': (call) => evaluate(call.text(0), (value) => (value === undefined ? '' : formatNumber(value))),
  '#ifexpr': (call) =>
    evaluate(call.text(0), (value) => call.text(value !== undefined && value !== 0 ? 1 : 2)),
};

function evaluate(text: string, use: (value: number | undefined) => string): string {
  let value: number | undefined;
  try {
    value = text === '' ? undefined : calculateText(text);
  } catch (problem) {
    if (!(problem instanceof ExpressionError)) throw problem;
    // MediaWiki's wording, because pages search the text for it.
    const prefix = problem.isOfValue ? '' : 'Expression error: ';
    return `<strong class="error">${prefix}${escapeCharacters(problem.message)}</strong>`;
  }
  return use(value);
}

function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NAN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const short = Number(value.toPrecision(14));
  if (Math.abs(short) >= 1e14 || Math.abs(short) < 1e-4) {
    return short
      .toExponential()
      .replace(
        /^(-?\d+(?:\.\d+)?)e([+-])(\d+)$/,
        (_all, digits, sign, power) => `${digits.includes('.') ? digits : `${digits}.0`}E${sign}${power}`,
      );
  }
  return String(short);
}

type Operator = { level: number; arity: 1 | 2; run: (left: number, right: number) => number };
/** An operator and its spelling, for error messages. */
type Open = { operator: Operator; word: string };

const truth = (value: boolean) => (value ? 1 : 0);
const binary = (level: number, run: Operator['run']): Operator => ({ level, arity: 2, run });
const unary = (run: (value: number) => number, level = 9): Operator => ({ level, arity: 1, run });
const operators: Readonly<Record<string, Operator>> = {
  or: binary(1, (a, b) => truth(a !== 0 || b !== 0)),
  and: binary(2, (a, b) => truth(a !== 0 && b !== 0)),
  '=': binary(3, (a, b) => truth(a === b)),
  '!=': binary(3, (a, b) => truth(a !== b)),
  '<>': binary(3, (a, b) => truth(a !== b)),
  '<': binary(3, (a, b) => truth(a < b)),
  '>': binary(3, (a, b) => truth(a > b)),
  '<=': binary(3, (a, b) => truth(a <= b)),
  '>=': binary(3, (a, b) => truth(a >= b)),
  round: binary(4, round),
  '+': binary(5, (a, b) => a + b),
  '-': binary(5, (a, b) => a - b),
  '*': binary(6, (a, b) => a * b),
  '/': binary(6, divide),
  div: binary(6, divide),
  mod: binary(6, (a, b) => {
    const [left, right] = [integer(a), integer(b)];
    if (right === 0n) throw undefinedValue('Division by zero.');
    return Number(left % right);
  }),
  fmod: binary(6, (a, b) => {
    if (b === 0) throw undefinedValue('Division by zero.');
    return a % b;
  }),
  '^': binary(7, (a, b) => a ** b),
  scale: binary(10, (a, b) => a * 10 ** b),
};
const prefixes: Readonly<Record<string, Operator>> = {
  not: unary((a) => truth(a === 0)),
  '+': unary((a) => a, 10),
  '-': unary((a) => -a, 10),
  sin: unary(Math.sin),
  cos: unary(Math.cos),
  tan: unary(Math.tan),
  asin: unary((a) => inRange('asin', a, Math.asin)),
  acos: unary((a) => inRange('acos', a, Math.acos)),
  atan: unary(Math.atan),
  exp: unary(Math.exp),
  ln: unary((a) => {
    if (a <= 0) throw undefinedValue('Invalid argument for ln: <= 0.');
    return Math.log(a);
  }),
  abs: unary(Math.abs),
  sqrt: unary((a) => {
    if (a < 0) throw undefinedValue('In sqrt: Result is not a number.');
    return Math.sqrt(a);
  }),
  trunc: unary((a) => Math.trunc(a) + 0),
  floor: unary(Math.floor),
  ceil: unary(Math.ceil),
};
const token = /[ \t\r\n]*(?:([\d.]+)|([a-z]+)|(<=|>=|<>|!=|[-+*/^()=<>])|([^ \t\r\n][\udc00-\udfff]?))/iy;
/** Operators that error messages name differently. */
const otherNames: Readonly<Record<string, string>> = { '!=': '<>', div: '/' };

/** Returns undefined for an expression without numbers and operators, such as `()`. */
function calculateText(source: string): number | undefined {
  if (source.length > 10_000) throw new ExpressionError('Too long.');
  const text = source
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/&minus;|−/g, '-');
  const values: number[] = [];
  const stack: (Open | '(')[] = [];
  let wantsValue = true;
  const reduce = ({ operator, word }: Open) => {
    const right = values.pop();
    const left = operator.arity === 2 ? values.pop() : right;
    if (right === undefined || left === undefined)
      throw new ExpressionError(`Missing operand for ${otherNames[word] ?? word}.`);
    values.push(operator.run(left, right));
  };
  const operate = (operator: Operator, word: string) => {
    for (;;) {
      const top = stack[stack.length - 1];
      if (!top || top === '(' || top.operator.level < operator.level) break;
      stack.pop();
      reduce(top);
    }
    stack.push({ operator, word });
    wantsValue = true;
  };
  const addValue = (value: number) => {
    if (!wantsValue) throw new ExpressionError('Unexpected number.');
    values.push(value);
    wantsValue = false;
  };
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (!match) break;
    const [, number, letters, sign, other] = match;
    if (other !== undefined) throw new ExpressionError(`Unrecognized punctuation character "${other}".`);
    if (number !== undefined) {
      addValue(Number.parseFloat(number) || 0);
      continue;
    }
    const word = letters?.toLowerCase() ?? sign ?? '';
    const prefix = Object.hasOwn(prefixes, word) ? prefixes[word] : undefined;
    const key = word === 'e' ? 'scale' : word;
    const operator = Object.hasOwn(operators, key) ? operators[key] : undefined;
    const constant = word === 'pi' ? Math.PI : word === 'e' && wantsValue ? Math.E : undefined;
    if (constant !== undefined) addValue(constant);
    else if (word === ')') {
      let top = stack.pop();
      for (; top && top !== '('; top = stack.pop()) reduce(top);
      if (!top) throw new ExpressionError('Unexpected closing bracket.');
      wantsValue = false;
    } else if (wantsValue && word === '(') stack.push('(');
    else if (wantsValue && prefix) stack.push({ operator: prefix, word });
    else if (!wantsValue && operator) operate(operator, word);
    else if (prefix || operator || word === '(') throw new ExpressionError(`Unexpected ${word} operator.`);
    else throw new ExpressionError(`Unrecognized word "${word}".`);
  }
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (top === '(') throw new ExpressionError('Unclosed bracket.');
    reduce(top);
  }
  return values[0];
}

function undefinedValue(message: string): ExpressionError {
  return new ExpressionError(message, true);
}

/** Truncates to 64 bits, dropping higher ones. */
function integer(value: number): bigint {
  return Number.isFinite(value) ? BigInt.asIntN(64, BigInt(Math.trunc(value))) : 0n;
}

function divide(left: number, right: number): number {
  if (right === 0) throw undefinedValue('Division by zero.');
  return left / right;
}

function round(value: number, digits: number): number {
  const places = Math.max(-20, Math.min(20, Math.trunc(digits)));
  const factor = 10 ** Math.abs(places);
  const scaled = places >= 0 ? value * factor : value / factor;
  // Rounds half away from zero. 1.005 round 2 is 1.01, although its binary value is slightly smaller.
  const whole = Math.sign(scaled) * Math.round(Number(Math.abs(scaled).toPrecision(15)));
  return places >= 0 ? whole / factor : whole * factor;
}

function inRange(name: string, value: number, run: (value: number) => number): number {
  if (value < -1 || value > 1) throw undefinedValue(`Invalid argument for ${name}: < -1 or > 1.`);
  return run(value);
}

function escapeCharacters(text: string): string {
  return text.slice(0, 80).replace(/[<>&[\]{}|']/g, (character) => `&#${character.codePointAt(0)};`);
}
