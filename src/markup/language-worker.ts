/** The worker side of `language.ts`: receives one task at a time and posts one response. */

import { parentPort, workerData } from 'node:worker_threads';
import { Modules } from '@coppice/scribunto';
import { type References, type Rendered, references, type Tree } from '@coppice/wikitext';
import type { Dialect } from '@coppice/wikitext/dialect';
import { type Carried, carryQuotes } from '#core/content/carry-quotes.ts';
import { type Copied, withCopiedLinks } from '#core/content/copied-links.ts';
import { derive } from '#core/content/derive.ts';
import { type Comparison, compareBodies } from '#core/content/diff.ts';
import { documentOf, type Patched, patchBody } from '#core/content/documents.ts';
import {
  type CarryingQuotes,
  drawTree,
  type ExpandedBody,
  type ExpandedText,
  expandBody,
  type Output,
  type PlainContext,
  type PlainResolved,
  parseExpanded,
  type SourceOfParts,
} from '#core/content/language.ts';
import { partsOf, type SourceParts } from '#core/content/page-sections.ts';
import { type ComparedTexts, compareParagraphs, type Untranslated } from '#core/content/paragraphs.ts';
import { compareShown } from '#core/content/shown-diff.ts';
import type { DerivedContent, DerivedFields } from '#core/model/derived.ts';
import type { Format } from '#core/model/page.ts';
import { lowerThreadPriority } from '#scheduling/priority.ts';
import { threadCpuMs } from './cpu-clock.ts';
import { hooksThere } from './hooks.ts';

export type Task =
  | { step: 'expand'; body: string; format: Format; context: PlainContext }
  | { step: 'references'; text: ExpandedText; path: string }
  | {
      step: 'draw';
      text: ExpandedText;
      path: string;
      resolved: PlainResolved;
      output: Output | undefined;
      patienceMs: number;
    }
  | { step: 'parts'; source: SourceOfParts; dialect: Dialect }
  | { step: 'derive'; content: DerivedFields; dialect: Dialect }
  | { step: 'document'; source: SourceOfParts; dialect: Dialect }
  | { step: 'patch'; source: SourceOfParts; document: string; dialect: Dialect }
  | { step: 'copy links'; source: SourceOfParts; copied: Copied; dialect: Dialect }
  | { step: 'carry quotes'; given: CarryingQuotes }
  | { step: 'compare'; from: string; to: string }
  | { step: 'compare paragraphs'; texts: ComparedTexts }
  | { step: 'compare shown'; from: string; to: string };

export interface Answer {
  value:
    | ExpandedBody
    | References
    | Rendered
    | SourceParts
    | Comparison
    | Untranslated[]
    | DerivedContent
    | Patched
    | Carried
    | string;
  cpuMs: number;
}

lowerThreadPriority(workerData as 'helper' | 'aside');
const modules = new Modules({ clock: threadCpuMs });

parentPort?.on('message', async (task: Task) => {
  const since = threadCpuMs();
  const value = await compute(task);
  parentPort?.postMessage({ value, cpuMs: threadCpuMs() - since } satisfies Answer);
});

function compute(task: Task): Answer['value'] | Promise<Answer['value']> {
  if (task.step === 'expand')
    return expandBody({ body: task.body, format: task.format }, task.context, threadCpuMs, modules);
  if (task.step === 'parts') return partsOf(task.source, task.dialect);
  if (task.step === 'document') return documentOf(task.source, task.dialect, threadCpuMs);
  if (task.step === 'patch') return patchBody(task.source, task.document, task.dialect, threadCpuMs);
  if (task.step === 'compare') return compareBodies(task.from, task.to);
  if (task.step === 'compare paragraphs') return compareParagraphs(task.texts);
  if (task.step === 'compare shown') return compareShown(task.from, task.to);
  if (task.step === 'copy links') return withCopiedLinks(task.source, task.copied, task.dialect);
  if (task.step === 'carry quotes') return carryQuotes(...task.given);
  if (task.step === 'derive') return derive(task.content, task.dialect);
  if (task.step === 'references') return references(treeFor(task));
  const tree = treeFor(task);
  latest = undefined;
  return drawTree(tree, task.resolved, task.output, () => hooksThere(task.patienceMs));
}

/** The text of the latest `references`, because `draw` usually follows. */
let latest: { key: string; tree: Tree } | undefined;

function treeFor({ text, path }: { text: ExpandedText; path: string }): Tree {
  const key = JSON.stringify([text, path]);
  if (latest?.key !== key) latest = { key, tree: parseExpanded(text, path, threadCpuMs) };
  return latest.tree;
}
