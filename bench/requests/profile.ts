/** CPU time of a process from a V8 CPU profile: the functions and files with the most time of their own. */
import { readFileSync } from 'node:fs';

interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
  /** Microseconds. */
  timeDeltas: number[];
}

export interface Hot {
  name: string;
  /** Share of the time in which the process was not idle. */
  share: number;
}

export interface ProfileSummary {
  /** Functions by their own time. */
  functions: Hot[];
  /** Functions by their own time and that of all functions they called. */
  inclusive: Hot[];
  /** Files by their own time, with dependencies grouped by package. */
  files: Hot[];
}

const idle = new Set(['(idle)', '(program)', '(root)']);

/** `lastMs`: only counts this much of the end, to leave out the server's start. */
export function summarise(file: string, lastMs = Number.POSITIVE_INFINITY, count = 25): ProfileSummary {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = new Map<number, number>();
  let left = 0;
  for (let i = samples.length - 1; i >= 0 && left < lastMs * 1000; i--) {
    const id = samples[i] as number;
    const delta = Math.max(0, timeDeltas[i] ?? 0);
    own.set(id, (own.get(id) ?? 0) + delta);
    left += delta;
  }
  const functions = new Map<string, number>();
  const inclusive = new Map<string, number>();
  const files = new Map<string, number>();
  let busy = 0;
  const add = (map: Map<string, number>, key: string, time: number) =>
    map.set(key, (map.get(key) ?? 0) + time);
  const root = nodes[0];
  // A function counts once on a path, even if it calls itself.
  const stack: { id: number; above: string[] }[] = root ? [{ id: root.id, above: [] }] : [];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const node = byId.get(next.id);
    if (!node) continue;
    const { functionName, url, lineNumber } = node.callFrame;
    const place = placeOf(url);
    const isOurs = place.startsWith('src/') || place.startsWith('packages/');
    const name = `${functionName || '(anonymous)'} ${place}${isOurs ? `:${lineNumber + 1}` : ''}`.trim();
    const time = own.get(node.id) ?? 0;
    if (!idle.has(functionName)) {
      busy += time;
      add(functions, name, time);
      add(files, place || functionName, time);
      for (const caller of new Set([...next.above, name])) add(inclusive, caller, time);
    }
    const above = isOurs ? [...next.above, name] : next.above;
    for (const id of node.children ?? []) stack.push({ id, above });
  }
  const top = (map: Map<string, number>) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([name, time]) => ({ name, share: time / busy }));
  return { functions: top(functions), inclusive: top(inclusive), files: top(files) };
}

/** Returns `src/store/sqlite/engine.ts`, the name of a package, or `node:http`. */
function placeOf(url: string): string {
  const modules = url.lastIndexOf('node_modules/');
  if (modules >= 0) {
    const [scope = '', name = ''] = url.slice(modules + 'node_modules/'.length).split('/');
    return scope.startsWith('@') ? `${scope}/${name}` : scope;
  }
  return /\/((?:src|packages|bench)\/.*)$/.exec(url)?.[1] ?? url;
}

export function printSummary(title: string, summary: ProfileSummary): string {
  const lines = (hot: Hot[]) =>
    hot.map(({ name, share }) => `${(share * 100).toFixed(1).padStart(6)} %  ${name}`);
  return [
    `### ${title}`,
    '',
    'By package or file:',
    '```',
    ...lines(summary.files.slice(0, 15)),
    '```',
    'Functions, themselves:',
    '```',
    ...lines(summary.functions),
    '```',
    'Functions of ours, with all that they call:',
    '```',
    ...lines(summary.inclusive.filter(({ name }) => /^\S+ (src|packages)\//.test(name))),
    '```',
    '',
  ].join('\n');
}

if (import.meta.main) {
  for (const file of process.argv.slice(2)) console.log(printSummary(file, summarise(file)));
}
