/** Compares the parts of a container, such as rows, cells and items, before and after an edit. */

import type { Editing } from './editing.ts';
import type { HtmlElement } from './html-tree.ts';
import { matchParts } from './match.ts';

/** `after`: the old part behind which a new one is put; undefined if it comes first. */
export type Step =
  | { kind: 'change'; old: HtmlElement; now: HtmlElement }
  | { kind: 'remove'; old: HtmlElement; now?: undefined }
  | { kind: 'insert'; old?: undefined; now: HtmlElement; after: HtmlElement | undefined };

/** Returns the differences in order. Between unchanged parts, the old and the new ones are paired in order. */
export function align(edits: Editing, before: readonly HtmlElement[], after: readonly HtmlElement[]): Step[] {
  const old = before.map((node) => ({ node, key: edits.keyBefore(node) }));
  const now = after.map((node) => ({ node, key: edits.keyAfter(node) }));
  const matched = matchParts(old, now);
  const steps: Step[] = [];
  let passed = 0;
  let to = 0;
  for (let from = 0; from <= before.length; from++) {
    const match = from === before.length ? after.length : matched.get(from);
    if (match === undefined) continue;
    while (passed < from || to < match) {
      const [one, other] = [
        passed < from ? before[passed++] : undefined,
        to < match ? after[to++] : undefined,
      ];
      if (one && other) steps.push({ kind: 'change', old: one, now: other });
      else if (one) steps.push({ kind: 'remove', old: one });
      else if (other) steps.push({ kind: 'insert', now: other, after: before[from - 1] });
    }
    const [one, other] = [old[from], now[match]];
    if (one && other && one.key !== other.key) steps.push({ kind: 'change', old: one.node, now: other.node });
    passed = from + 1;
    to = match + 1;
  }
  return steps;
}
