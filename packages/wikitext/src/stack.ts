/** The stack of open elements (HTML standard, §13.2.4.2), innermost last: what is open, as the rules of the tree builder ask. */
import type { Open } from './open-element.ts';
import { trait } from './traits.ts';

export function topTraits(stack: readonly Open[]): number {
  return stack[stack.length - 1]?.traits ?? 0;
}

export function topName(stack: readonly Open[]): string {
  return stack[stack.length - 1]?.name ?? '';
}

/** Index of the innermost open `name` with nothing of the trait `end` inside it, or -1. */
export function findOpen(stack: readonly Open[], name: string, end: number): number {
  for (let index = stack.length - 1; index >= 0; index--) {
    const open = stack[index];
    if (open?.name === name) return index;
    if (open && open.traits & end) return -1;
  }
  return -1;
}

/** The same of headings, of whatever level. */
export function findHeading(stack: readonly Open[]): number {
  for (let index = stack.length - 1; index >= 0; index--) {
    const traits = stack[index]?.traits ?? 0;
    if (traits & trait.heading) return index;
    if (traits & trait.scopeEnd) return -1;
  }
  return -1;
}

/** The same of an item of either name, for another that begins: not beyond the list that it is in. */
export function findItem(stack: readonly Open[], name: string, other: string): number {
  for (let index = stack.length - 1; index >= 0; index--) {
    const open = stack[index];
    if (open?.name === name || open?.name === other) return index;
    if (open && open.traits & trait.special && open.name !== 'div' && open.name !== 'p') return -1;
  }
  return -1;
}

/** The same of a table or a part of one, in the innermost table. */
export function findTablePart(stack: readonly Open[], name: string): number {
  for (let index = stack.length - 1; index >= 0; index--) {
    const open = stack[index];
    if (open?.name === name) return index;
    if (open?.name === 'table') return -1;
  }
  return -1;
}

/** Name of the innermost open table or part of one, or ''. */
export function tableContext(stack: readonly Open[]): string {
  for (let index = stack.length - 1; index >= 0; index--) {
    const open = stack[index];
    if (open && open.traits & trait.tablePart) return open.name;
  }
  return '';
}
