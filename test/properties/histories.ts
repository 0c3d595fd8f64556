/**
 * Checks what clients of a running wiki saw, after the fact: was there an order of all operations that explains every answer?
 *
 * Registers (the text of a page): each operation takes effect at one moment between its start and its end, and a read returns the last
 * write before it (linearizability). As every write has a value of its own, this is decided exactly, in O(n log n), by Gibbons and Korach,
 * “Testing Shared Memories” (1997): a write and the reads of its value form a cluster. If some of them ended before others started, the
 * register held that value all the time between (a forward zone); otherwise at some moment within the zone (a backward one). Forward zones
 * may not overlap, and a backward one may not lie within a forward one.
 *
 * Sets (the children of a page, the changes in its history): elements are added and never removed. Whatever was acknowledged is in every
 * later read, once, and nothing is that nobody added.
 *
 * A read that may be late by a bound started earlier by that much. Times are those of one clock.
 */

export interface Write {
  value: string;
  startedAt: number;
  endedAt: number;
  /** `unknown`: no answer, or one that says so; takes effect at any time after its start, or never. `failed`: never takes effect. */
  outcome: 'done' | 'failed' | 'unknown';
}

export interface Read<Seen> {
  seen: Seen;
  startedAt: number;
  endedAt: number;
  /** The read may show a state that is older than its start by this much. */
  lateByMs?: number;
  /** Name of the reader, for sentences. */
  by?: string;
}

interface Zone {
  value: string;
  /** Reader on whom the end of a forward zone depends. */
  by: string;
  from: number;
  to: number;
  isForward: boolean;
}

/** Returns a sentence for each violation. `initial`: value before all operations. */
export function checkRegister(
  initial: string,
  writes: readonly Write[],
  reads: readonly Read<string>[],
): string[] {
  const wrong: string[] = [];
  const first: Write = {
    value: initial,
    startedAt: Number.NEGATIVE_INFINITY,
    endedAt: Number.NEGATIVE_INFINITY,
    outcome: 'done',
  };
  const written = byValue([first, ...writes]);
  const readsOf = Map.groupBy(reads, ({ seen }) => seen);
  for (const [value, [read]] of readsOf) {
    const write = written.get(value);
    if (!write) wrong.push(`${value} was read at ${read?.endedAt}, but nobody wrote it`);
    else if (write.outcome === 'failed') wrong.push(`${value} was read, but its write was refused`);
    else {
      const early = readsOf.get(value)?.find(({ endedAt }) => endedAt < write.startedAt);
      if (early)
        wrong.push(`${value} was read at ${early.endedAt}, but its write started at ${write.startedAt}`);
    }
  }
  const zones: Zone[] = [];
  for (const [value, write] of written) {
    const seen = readsOf.get(value) ?? [];
    if (write.outcome === 'failed' || (write.outcome === 'unknown' && seen.length === 0)) continue;
    const ended = write.outcome === 'done' ? write.endedAt : Number.POSITIVE_INFINITY;
    const earliestEnd = seen.reduce((least, { endedAt }) => Math.min(least, endedAt), ended);
    const bound = (read: Read<string>) => read.startedAt - (read.lateByMs ?? 0);
    const latest = seen.reduce<Read<string> | undefined>(
      (most, read) => (most && bound(most) >= bound(read) ? most : read),
      undefined,
    );
    const latestStart = Math.max(write.startedAt, latest ? bound(latest) : Number.NEGATIVE_INFINITY);
    const isForward = earliestEnd < latestStart;
    const [from, to] = isForward ? [earliestEnd, latestStart] : [latestStart, earliestEnd];
    zones.push({ value, from, to, isForward, by: latest?.by ?? 'a reader' });
  }
  return [...wrong, ...conflicts(zones)];
}

function byValue(writes: readonly Write[]): Map<string, Write> {
  const found = new Map<string, Write>();
  for (const write of writes) {
    if (found.has(write.value)) throw new Error(`Two writes have the value ${write.value}.`);
    found.set(write.value, write);
  }
  return found;
}

function conflicts(zones: readonly Zone[]): string[] {
  const wrong: string[] = [];
  const forward = zones.filter(({ isForward }) => isForward).sort((a, b) => a.from - b.from);
  let last: Zone | undefined;
  for (const zone of forward) {
    if (last && zone.from < last.to)
      wrong.push(
        `${last.value} was there from ${last.from} to ${last.to} for ${last.by}, and ${zone.value} from ${zone.from} to ${zone.to} for ${zone.by}`,
      );
    if (!last || zone.to > last.to) last = zone;
  }
  for (const zone of zones) {
    if (zone.isForward) continue;
    const around = lastStartingBefore(forward, zone.from);
    if (around && zone.to < around.to)
      wrong.push(
        `${zone.value} was there at some time from ${zone.from} to ${zone.to}, but ${around.value} from ${around.from} to ${around.to} for ${around.by}`,
      );
  }
  return wrong;
}

function lastStartingBefore(zones: readonly Zone[], time: number): Zone | undefined {
  let low = 0;
  let high = zones.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((zones[middle] as Zone).from < time) low = middle + 1;
    else high = middle;
  }
  return zones[low - 1];
}

/** Returns a sentence for each violation. The set is empty at first. */
export function checkSet(adds: readonly Write[], reads: readonly Read<readonly string[]>[]): string[] {
  const wrong: string[] = [];
  const added = byValue(adds);
  /** Elements → end of the first read that had them. */
  const seenAt = new Map<string, number>();
  const inOrder = reads.toSorted((a, b) => a.startedAt - b.startedAt);
  const finished = reads.toSorted((a, b) => a.endedAt - b.endedAt);
  let next = 0;
  for (const { seen, startedAt, endedAt, lateByMs = 0 } of inOrder) {
    const elements = new Set(seen);
    if (elements.size < seen.length) wrong.push(`a read at ${startedAt} has an element twice`);
    for (const element of elements) {
      const add = added.get(element);
      if (!add) wrong.push(`${element} is in a read at ${startedAt}, but nobody added it`);
      else if (add.outcome === 'failed')
        wrong.push(`${element} is in a read at ${startedAt}, but it was refused`);
      else if (endedAt < add.startedAt)
        wrong.push(`${element} is in a read that ended before it was added, at ${endedAt}`);
    }
    const asOf = startedAt - lateByMs;
    for (const { value, outcome, endedAt } of adds)
      if (outcome === 'done' && endedAt < asOf && !elements.has(value))
        wrong.push(`${value} was acknowledged at ${endedAt} and is missing in a read at ${startedAt}`);
    // Reads that ended before this one started.
    for (; next < finished.length && (finished[next]?.endedAt ?? 0) < startedAt; next++)
      for (const element of finished[next]?.seen ?? [])
        if (!seenAt.has(element)) seenAt.set(element, finished[next]?.endedAt ?? 0);
    for (const [element, at] of seenAt)
      if (at < asOf && !elements.has(element))
        wrong.push(`${element} was seen at ${at} and is missing in a read at ${startedAt}`);
  }
  return [...new Set(wrong)];
}
