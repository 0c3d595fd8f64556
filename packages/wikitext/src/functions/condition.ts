/**
 * Conditional functions.
 *
 *   {{#if: test | then | else}}              then, unless the test is empty
 *   {{#ifeq: a | b | then | else}}           numbers compare as numbers
 *   {{#ifexist: Title | then | else}}        whether the page exists, or with `File:` or `Media:` the file
 *   {{#iferror: test | then | else}}         whether the test shows an error or needs what this wiki lacks
 *   {{#switch: value | a | b = x | c = y | #default = z}}
 *
 * Only the chosen branch is expanded.
 */

import type { Argument } from '../argument.ts';
import { trimSpace } from '../characters.ts';
import { decodeEntities } from '../entities.ts';
import type { Call, Functions } from './call.ts';
import { withoutExtensions } from './markers.ts';

export const condition: Functions = {
  '#if': (call) => choose(call, call.text(0) !== '', 1),
  '#ifeq': (call) => choose(call, isSame(decodeEntities(call.text(0)), decodeEntities(call.text(1))), 2),
  '#ifexist': (call) => choose(call, call.expander.data.exists(call.text(0)), 1),
  '#iferror': (call) => {
    const test = call.text(0);
    const shown = withoutExtensions(call.expander, test);
    if (test.includes('<unsupported ')) return call.text(1);
    if (/<(?:strong|span|p|div)\s[^<>]*class="(?:[^"<>]*\s)?error[\s"]/.test(shown)) return call.text(1);
    return call.arguments.length > 2 ? call.text(2) : test;
  },
  '#switch': choice,
};

function choose(call: Call, isTrue: boolean, position: number): string {
  return call.text(isTrue ? position : position + 1);
}

function isSame(left: string, right: string): boolean {
  if (left === right) return true;
  // Whole numbers of any length are compared exactly.
  if (isWhole(left) && isWhole(right)) return BigInt(left) === BigInt(right);
  return isNumber(left) && isNumber(right) && Number(left) === Number(right) && Number.isFinite(Number(left));
}

function isWhole(text: string): boolean {
  return /^-?\d{1,40}$/.test(text);
}

function isNumber(text: string): boolean {
  return text.length < 40 && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
}

function isDefaultName(text: string): boolean {
  return text.toLowerCase() === '#default';
}

function choice(call: Call): string {
  const value = decodeEntities(call.text(0));
  let isFound = false;
  let isDefault = false;
  let fallback: Argument | undefined;
  let last: string | undefined;
  for (const argument of call.arguments.slice(1)) {
    const written = argument.name();
    if (written === undefined) {
      last = trimSpace(argument.value());
      if (isSame(decodeEntities(last), value)) isFound = true;
      else if (isDefaultName(last)) isDefault = true;
      continue;
    }
    last = undefined;
    const name = trimSpace(written);
    if (isFound || isSame(decodeEntities(name), value)) return trimSpace(argument.value());
    if (isDefault || isDefaultName(name)) {
      fallback = argument;
      isDefault = false;
    }
  }
  if (last !== undefined) return last;
  return trimSpace(fallback?.value() ?? '');
}
