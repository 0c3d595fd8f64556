/** The other thread of `language.ts`: one task in, one answer out. */
import { parentPort } from 'node:worker_threads';
import { parse, type References, type Rendered, references, render } from '@coppice/wikitext';
import { type ExpandedBody, expandBody, type PlainContext, type PlainResolved } from '#domain/language.ts';
import type { Format } from '#domain/page.ts';
import { hooksThere } from './hooks.ts';

export type Task =
  | { step: 'expand'; body: string; format: Format; context: PlainContext }
  | { step: 'references'; text: string; path: string }
  | { step: 'draw'; text: string; path: string; resolved: PlainResolved };

export type Answer = ExpandedBody | References | Rendered;

parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(answer(task));
});

function answer(task: Task): Answer {
  if (task.step === 'expand') return expandBody(task.body, task.format, task.context);
  const tree = parse(task.text, { path: task.path, expanded: true });
  return task.step === 'references' ? references(tree) : render(tree, { ...task.resolved, ...hooksThere() });
}
