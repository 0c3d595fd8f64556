/** Queries on the stack of open elements (HTML standard, §13.2.4.2), innermost last, for the rules of the tree builder. */
import type { Open } from './open-element.ts';
import { trait } from './traits.ts';

/** Traits of the innermost open element; 0 without any. */
export function topTraits(stack: readonly Open[]): number {
  return stack[stack.length - 1]?.traits ?? 0;
}

/** Name of the innermost open element; empty without any. */
export function topName(stack: readonly Open[]): string {
  return stack[stack.length - 1]?.name ?? '';
}

/**
 * Returns the index of the innermost open `name`, or -1 if there is none or an element with the trait `end` is open inside it.
 */
export function findOpen(stack: readonly Open[], name: string, end: number): number {
  for (let index = stack.length - 1; index >= 0; index--) {
    const open = stack[index];
    if (open?.name === name) return index;
    if (open && open.traits & end) return -1;
  }
  return -1;
}

/** Returns the index of the innermost open heading of any level, or -1. */
export function findHeading(stack: readonly Open[]): number {
  for (let index = stack.length - 1; index >= 0; index--) {
    const traits = stack[index]?.traits ?? 0;
    if (traits & trait.heading) return index;
    if (traits & trait.scopeEnd) return -1;
  }
  return -1;
}

/**
 * Returns the index of the open item of either name that a new item closes, or -1. The search stops at the list that holds the
 * new item.
 */
export function findItem(stack: readonly Open[], name: string, other: string): number {
  for (let index = stack.length - 1; index >= 0; index--) {
    const open = stack[index];
    if (open?.name === name || open?.name === other) return index;
    if (open && open.traits & trait.special && open.name !== 'div' && open.name !== 'p') return -1;
  }
  return -1;
}

/** Returns the index of the open table or table part `name` in the innermost table, or -1. */
export function findTablePart(stack: readonly Open[], name: string): number {
  for (let index = stack.length - 1; index >= 0; index--) {
    const open = stack[index];
    if (open?.name === name) return index;
    if (open?.name === 'table') return -1;
  }
  return -1;
}

/** Returns the name of the innermost open table or table part, or ''. */
export function tableContext(stack: readonly Open[]): string {
  for (let index = stack.length - 1; index >= 0; index--) {
    const open = stack[index];
    if (open && open.traits & trait.tablePart) return open.name;
  }
  return '';
}
