/** The other thread of `language.ts`: one task in, one answer out. */
import { parentPort } from 'node:worker_threads';
import { parse, type References, type Rendered, references, render } from '@coppice/wikitext';
import { type Comparison, compareBodies } from '#domain/diff.ts';
import { type Expanded, expandText, type PlainContext, type PlainResolved } from '#domain/language.ts';
import { markdownToWikitext } from '#domain/markdown.ts';
import { threadCpuMs } from './cpu-clock.ts';
import { hooksThere } from './hooks.ts';

export type Task =
  | { step: 'convert'; markdown: string }
  | { step: 'expand'; wikitext: string; context: PlainContext }
  | { step: 'references'; text: string; path: string }
  | { step: 'draw'; text: string; path: string; resolved: PlainResolved; patienceMs: number }
  | { step: 'compare'; from: string; to: string };

export interface Answer {
  value: string | Expanded | References | Rendered | Comparison;
  cpuMs: number;
}

parentPort?.on('message', (task: Task) => {
  const since = threadCpuMs();
  const value = compute(task);
  parentPort?.postMessage({ value, cpuMs: threadCpuMs() - since } satisfies Answer);
});

function compute(task: Task): Answer['value'] {
  if (task.step === 'convert') return markdownToWikitext(task.markdown);
  if (task.step === 'expand') return expandText(task.wikitext, task.context, threadCpuMs);
  if (task.step === 'compare') return compareBodies(task.from, task.to);
  const tree = parse(task.text, { path: task.path, expanded: true, clock: threadCpuMs });
  if (task.step === 'references') return references(tree);
  return render(tree, { ...task.resolved, ...hooksThere(task.patienceMs) });
}
