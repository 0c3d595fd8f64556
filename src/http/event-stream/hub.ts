/**
 * Open event streams (WHATWG HTML §9.2). The database revision is polled a few times a second, which notices writes of any
 * process; when it changes, each view is read once for all listeners that share it.
 *
 * A new listener first catches up from its own cursor, then joins the others of its view: each event reaches it once, in order.
 * A listener that does not read is disconnected and can resume from its last event.
 */
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '#core/model/permission.ts';
import type { EventFilter } from '#core/ports/event-store.ts';
import type { Store } from '#core/ports/store.ts';

export interface StreamedEvent {
  position: number;
  text: string;
}

export interface View {
  /** Equal keys mean equal events. */
  key: string;
  actor: Actor;
  filter: EventFilter;
  /** Receives the CPU time of reading; charged to the listener that opened the view. */
  spend(cpuMs: number): void;
}

interface Listener {
  stream: PassThrough;
  position: number;
  /** Whether the listener is still permitted. */
  isAllowed(): Promise<boolean>;
  caller: string;
}

interface Group {
  view: View;
  position: number;
  listeners: Set<Listener>;
}

interface HubLimits {
  total: number;
  /** Maximum number of streams of one member, or of one address. */
  each: number;
}

const lookEveryMs = 50;
const checkEveryMs = 1000;
const heartbeatEveryMs = 15_000;
const eventsAtOnce = 100;
/** Maximum number of bytes buffered for a listener that does not read. */
const maxWaitingBytes = 1_000_000;

export class EventHub {
  readonly #store: Pick<Store, 'revision'>;
  readonly #read: (view: View, position: number, limit: number) => Promise<StreamedEvent[]>;
  readonly #limits: HubLimits;
  readonly #onError: (error: unknown) => void;
  #groups = new Map<string, Group>();
  #callers = new Map<string, number>();
  #count = 0;
  #isRunning = false;
  #isClosed = false;
  #hasJoined = false;

  constructor(
    store: Pick<Store, 'revision'>,
    read: (view: View, position: number, limit: number) => Promise<StreamedEvent[]>,
    limits: HubLimits,
    onError: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#read = read;
    this.#limits = limits;
    this.#onError = onError;
  }

  get listeners(): number {
    return this.#count;
  }

  /** Reason why no further stream can be opened: too many in total, or by this caller. */
  refusal(caller: string): 'total' | 'each' | undefined {
    if (this.#isClosed || this.#count >= this.#limits.total) return 'total';
    return (this.#callers.get(caller) ?? 0) >= this.#limits.each ? 'each' : undefined;
  }

  /** A stream of all events after the position. It ends when it is destroyed, or when the listener is no longer permitted. */
  listen(view: View, position: number, caller: string, isAllowed: () => Promise<boolean>): PassThrough {
    const stream = new PassThrough();
    const listener: Listener = { stream, position, isAllowed, caller };
    this.#count++;
    this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + 1);
    stream.once('close', () => this.#leave(view.key, listener));
    // Sent at once, so that clients and buffering proxies know that the stream is open.
    stream.write('retry: 1000\n\n');
    this.#catchUp(view, listener).catch((error: unknown) => {
      this.#onError(error);
      stream.end();
    });
    this.#start();
    return stream;
  }

  /** Ends all streams; clients reconnect to another process. */
  close(): void {
    this.#isClosed = true;
    for (const { listeners } of this.#groups.values()) for (const { stream } of listeners) stream.end();
    this.#groups.clear();
  }

  async #catchUp(view: View, listener: Listener): Promise<void> {
    for (;;) {
      const events = await this.#read(view, listener.position, eventsAtOnce);
      if (listener.stream.destroyed || this.#isClosed) return void listener.stream.end();
      for (const event of events) send(listener, event);
      if (listener.stream.writableNeedDrain) await drained(listener.stream);
      if (events.length > 0) continue;
      const group = this.#groups.get(view.key);
      // The others have advanced further meanwhile.
      if (group && group.position > listener.position) continue;
      // An event committed during the read may have been sent to the others before.
      this.#hasJoined = true;
      if (group) group.listeners.add(listener);
      else this.#groups.set(view.key, { view, position: listener.position, listeners: new Set([listener]) });
      return;
    }
  }

  #leave(key: string, listener: Listener): void {
    this.#count--;
    const left = (this.#callers.get(listener.caller) ?? 1) - 1;
    if (left > 0) this.#callers.set(listener.caller, left);
    else this.#callers.delete(listener.caller);
    const group = this.#groups.get(key);
    group?.listeners.delete(listener);
    if (group?.listeners.size === 0) this.#groups.delete(key);
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  async #run(): Promise<void> {
    let revision = '';
    let checked = '';
    let [checkedAt, heartbeatAt] = [performance.now(), performance.now()];
    while (this.#count > 0 && !this.#isClosed) {
      try {
        const now = performance.now();
        const current = await this.#store.revision();
        if (current !== revision || this.#hasJoined) {
          this.#hasJoined = false;
          await this.#tell();
        }
        revision = current;
        if (now - checkedAt > checkEveryMs) {
          // Sessions end by a write, or by age.
          if (current !== checked || now - checkedAt > heartbeatEveryMs) {
            checked = current;
            checkedAt = now;
            await this.#check();
          }
        }
        if (now - heartbeatAt > heartbeatEveryMs) {
          heartbeatAt = now;
          for (const { listeners } of this.#groups.values())
            for (const { stream } of listeners) stream.write(': still here\n\n');
        }
      } catch (error) {
        this.#onError(error);
      }
      await sleep(lookEveryMs, undefined, { ref: false });
    }
  }

  async #tell(): Promise<void> {
    for (const group of this.#groups.values()) {
      for (;;) {
        const events = await this.#read(group.view, group.position, eventsAtOnce);
        for (const event of events) {
          group.position = event.position;
          for (const listener of group.listeners) send(listener, event);
        }
        if (events.length < eventsAtOnce) break;
      }
    }
  }

  async #check(): Promise<void> {
    for (const { listeners, view } of this.#groups.values()) {
      if (!view.actor) continue;
      for (const listener of listeners) if (!(await listener.isAllowed())) listener.stream.end();
    }
  }
}

function send(listener: Listener, { position, text }: StreamedEvent): void {
  if (position <= listener.position) return;
  listener.position = position;
  listener.stream.write(text);
  if (listener.stream.writableLength > maxWaitingBytes) listener.stream.destroy();
}

function drained(stream: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
}
