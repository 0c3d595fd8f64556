/**
 * Long texts are encoded as UTF-8 once, in a turn of the event loop of their own. As strings, they would be encoded in one
 * stretch for the tag, for the cache and for the socket.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { TimeShare } from '#scheduling/time-slices.ts';
import { ownBuffer } from './response-cache/bodies.ts';

/** Characters from which a text is long: it takes some milliseconds to encode. */
const longLength = 500_000;

/** The text, or its bytes if it is long. */
export function encoded<T>(text: T): T | Buffer | Promise<Buffer> {
  return typeof text === 'string' && text.length >= longLength ? encodedInTurn(text) : text;
}

async function encodedInTurn(text: string): Promise<Buffer> {
  await yieldToEventLoop();
  const bytes = ownBuffer(text);
  await yieldToEventLoop();
  return bytes;
}

/**
 * The pieces of a stream, with others in between after each long one, and after some milliseconds: where neither the database nor
 * the reader is waited for, many short pieces are one stretch of work.
 */
export async function* inTurns(pieces: AsyncIterable<string>): AsyncGenerator<string | Buffer> {
  const share = new TimeShare(2);
  for await (const piece of pieces) {
    yield await encoded(piece);
    await share.pause();
  }
}
