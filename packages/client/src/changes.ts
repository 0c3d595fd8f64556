/** The change feed as a stream of events, resumed after the last event when the connection breaks. */
import type { Event } from '@coppice/api';
import { CoppiceError } from './problem.ts';
import { type Sender, sleep } from './send.ts';

/** Selection of events of the change feed, with its beginning and end. */
export interface ChangesOptions {
  /** Cursor to continue after. `latest`, the default, is the end of the feed; `0` is the beginning of the wiki. */
  after?: string;
  /** Kinds of events, separated by commas. */
  kind?: string;
  ancestor?: string;
  type?: string;
  tag?: string;
  editor?: number;
  signal?: AbortSignal;
}

/** Ends when `signal` is aborted or the wiki refuses the request. `cursor` of an event continues after it. */
export async function* followChanges(
  sender: Sender,
  { after = 'latest', signal, ...filter }: ChangesOptions,
): AsyncGenerator<Event & { cursor: string }> {
  let cursor = after;
  for (let failures = 0; !signal?.aborted; ) {
    const query = new URLSearchParams({ ...(filter as Record<string, string>), after: cursor });
    try {
      const headers = { Accept: 'text/event-stream' };
      const response = await sender.send({ method: 'GET', path: `/v1/changes?${query}`, headers, signal });
      for await (const { id, data } of eventsOf(response.body)) {
        failures = 0;
        cursor = id;
        yield { ...(JSON.parse(data) as Event), cursor: id };
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof CoppiceError && error.status < 500 && error.status !== 429) throw error;
    }
    // The wiki ends streams from time to time. An unreachable wiki is retried with growing pauses.
    failures++;
    await sleep(Math.min(500 * 2 ** failures, 30_000), signal).catch(() => {});
  }
}

/** Yields events that have an ID and data (WHATWG HTML §9.2) and skips comments. */
async function* eventsOf(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<{ id: string; data: string }> {
  if (!body) return;
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) =>
          block
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2);
        const [id, data] = [field('id'), field('data')];
        if (id !== undefined && data !== undefined) yield { id, data };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
