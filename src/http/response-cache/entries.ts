/**
 * Cached responses: headers and tags are in memory, bodies are in `CachedBodies`. A response is fresh if the store's revision
 * is the one from before it was made, or if none of its dependencies was written since.
 */

import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Dependency } from '#cache/dependency.ts';
import type { SharedWith } from '#cache/read-trace.ts';
import { Problem } from '#core/model/problem.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { say } from '#words/say.ts';
import type { Service } from '../service.ts';
import { type CachedBodies, type CachedBodyStream, longestInMemory } from './bodies.ts';
import { compress, type Encoding, type Representation, representationOf } from './encodings.ts';

/** Memory for metadata of responses, in bytes. */
const maxKnownBytes = 28_000_000;
/** The `max-age` of responses. */
const maxStaleMs = 1000;
/** Maximum number of shared header lists; a few for each route. */
const maxCommonHeaders = 1000;

/** Body of a new response. If it is too long for memory, it has a tag already. */
export type Body = Buffer | CachedBodyStream;

export interface CachedResponse {
  revision: string;
  /** Dependencies; undefined means everything. */
  dependencies: readonly Dependency[] | undefined;
  /** Time, in milliseconds since 1970, from which the response is made again even if nothing was written. */
  expiresAt: number;
  /** When it was last known to be fresh, by `performance.now()`. */
  freshAt: number;
  route: string;
  sharedWith: SharedWith;
  /** Alternating names and values, without those about the body's encoding; many responses share a list. */
  headers: readonly string[];
  /** Headers not shared with other responses. */
  ownHeaders: readonly string[];
  /** Names of those that a 304 includes as well. */
  ownAlways: readonly string[];
  /** Headers that a 304 includes. */
  unchangedHeaders: readonly string[];
  /** Entity tag of the unencoded body. */
  tag: string;
  type: string;
  representations: Partial<Record<Encoding, Representation>> & { identity: Representation };
  /** Compression in progress; further requests wait for the same result. */
  packing?: Partial<Record<Encoding, Promise<Representation | undefined>>>;
}

interface Packed {
  representation: Representation;
  body: Buffer;
}

export class CachedResponses {
  readonly #store: Service['store'];
  readonly #clock: Service['clock'];
  readonly #bodies: CachedBodies;
  readonly #answers = new BoundedCache<CachedResponse>(maxKnownBytes, (answer) => this.#forgetBodies(answer));
  readonly #limited = limitConcurrency(
    2,
    1000,
    () => new Problem('unavailable', say('problem.theServerIsAlreadyCompressingTooMany')),
  );
  readonly #commonHeaders = new BoundedCache<readonly string[]>(maxCommonHeaders);

  constructor({ store, clock }: Pick<Service, 'store' | 'clock'>, bodies: CachedBodies) {
    this.#store = store;
    this.#clock = clock;
    this.#bodies = bodies;
  }

  /** Response to an anonymous request with this key, fresh or not. */
  get(key: string): CachedResponse | undefined {
    return this.#answers.get(key);
  }

  /** Fresh response for any member to the request with this key, if it was made for a member or an anonymous caller. */
  getForMembers(key: string, revision: string): CachedResponse | undefined {
    const everybodys = this.#answers.get(key);
    const answer = everybodys?.sharedWith === 0 ? everybodys : this.#answers.get(membersKey(key));
    return answer && this.isFresh(answer, revision) ? answer : undefined;
  }

  /** `body`: undefined if it is on disk already. */
  set(key: string, isMembers: boolean, answer: CachedResponse, body: Buffer | undefined): void {
    const whose = isMembers ? membersKey(key) : key;
    const known = this.#answers.get(whose);
    if (known) this.#forgetBodies(known);
    const { ownHeaders, ownAlways, dependencies = [] } = answer;
    answer.headers = this.#onceFor(answer.headers);
    answer.unchangedHeaders = this.#onceFor(answer.unchangedHeaders);
    const own = [...ownHeaders, ...ownAlways];
    const characters = own.reduce((sum, part) => sum + part.length, whose.length);
    this.#answers.set(whose, answer, characters + 8 * dependencies.length + 1000);
    if (body) this.#bodies.set(answer.representations.identity, body);
  }

  isFresh(answer: CachedResponse, revision: string): boolean {
    if (answer.expiresAt <= this.#clock()) return false;
    if (answer.revision !== revision) {
      if (!answer.dependencies || !this.#store.isUnchanged(answer.revision, answer.dependencies))
        return false;
      answer.revision = revision;
    }
    answer.freshAt = performance.now();
    return true;
  }

  /** Whether the response was last found to be fresh less than a second ago. */
  wasFreshNow(answer: CachedResponse): boolean {
    return performance.now() - answer.freshAt < maxStaleMs;
  }

  /** Returns undefined if it is gone. */
  bodyOf(representation: Representation): Body | undefined {
    return representation.length > longestInMemory
      ? this.#bodies.open(representation)
      : this.#bodies.get(representation);
  }

  /** The response in this encoding, compressed if necessary; undefined if its body is gone. */
  representationOf(
    answer: CachedResponse,
    encoding: Encoding,
  ): Representation | undefined | Promise<Representation | undefined> {
    const known = answer.representations[encoding];
    if (known || encoding === 'identity') return known;
    answer.packing ??= {};
    answer.packing[encoding] ??= this.#addPacked(answer, encoding).finally(
      () => delete answer.packing?.[encoding],
    );
    return answer.packing[encoding];
  }

  async #addPacked(answer: CachedResponse, encoding: 'br' | 'gzip'): Promise<Representation | undefined> {
    const packed = await this.pack(answer, encoding);
    if (packed) this.addRepresentation(answer, packed.representation, packed.body);
    return packed?.representation;
  }

  /** `own`: the unencoded body if it is in memory. Returns undefined if it is gone. */
  async pack(answer: CachedResponse, encoding: 'br' | 'gzip', own?: Buffer): Promise<Packed | undefined> {
    const { identity } = answer.representations;
    const isLong = identity.length > longestInMemory;
    const work = async () => {
      const whole = own ?? this.#bodies.get(identity);
      if (!whole) return undefined;
      const body = await compress(whole, encoding);
      return { representation: representationOf(answer, body.length, encoding), body };
    };
    return isLong ? this.#limited(work) : work();
  }

  addRepresentation(answer: CachedResponse, representation: Representation, body: Buffer): void {
    const known = answer.representations[representation.encoding];
    if (known) this.#bodies.delete(known);
    answer.representations[representation.encoding] = representation;
    this.#bodies.set(representation, body);
  }

  #onceFor(headers: readonly string[]): readonly string[] {
    const text = headers.join('\n');
    const known = this.#commonHeaders.get(text);
    if (!known) this.#commonHeaders.set(text, headers, 1);
    return known ?? headers;
  }

  #forgetBodies({ representations }: CachedResponse): void {
    for (const representation of Object.values(representations)) this.#bodies.delete(representation);
  }
}

/** URLs start with "/", so this prefix cannot collide. */
function membersKey(key: string): string {
  return `members ${key}`;
}
