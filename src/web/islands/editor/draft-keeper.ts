/** Stores the draft every two seconds and on leaving, in the browser and in the wiki, and offers found drafts with their differences. */
import { Controller } from '../controller.ts';
import { draftOffer } from './draft-offer.ts';
import { type Draft, liveElsewhere, openDrafts } from './draft-store.ts';
import { withServerDrafts } from './server-drafts.ts';
import { signature, type WrittenForm } from './written.ts';

interface DraftKeeperOptions {
  /** Identifies the page and section. */
  key: string;
  author: string;
  form: WrittenForm;
  /** Element for the offer. */
  place: HTMLElement;
}

const everyMs = 2000;

export class DraftKeeper extends Controller {
  /** The current form, which the server's response may replace. */
  form: WrittenForm;
  readonly #options: DraftKeeperOptions;
  readonly #store = withServerDrafts(openDrafts());
  readonly #id = `${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  readonly #others = liveElsewhere(this.#id);
  #start: string;
  #isTouched = false;
  #isOver = false;
  #isForcedDirty = false;
  #keeping: Promise<void> = Promise.resolve();

  constructor(options: DraftKeeperOptions) {
    super();
    this.form = options.form;
    this.#options = options;
    this.#start = signature(this.form.read());
  }

  protected listen(signal: AbortSignal): void {
    const timer = setInterval(() => this.#keepSoon(), everyMs);
    signal.addEventListener('abort', () => clearInterval(timer));
    this.on(window, 'pagehide', () => this.#keepOnLeaving());
    this.on(document, 'visibilitychange', () => {
      if (document.visibilityState !== 'hidden') return;
      this.#keepOnLeaving();
      this.#keepSoon();
    });
    this.on(window, 'beforeunload', (event) => {
      if (!this.isDirty()) return;
      this.#keepOnLeaving();
      event.preventDefault();
    });
    void this.#offer();
  }

  /** Called after every change. */
  touch(): void {
    this.#isTouched = true;
  }

  isDirty(): boolean {
    return !this.#isOver && (this.#isForcedDirty || signature(this.form.read()) !== this.#start);
  }

  /** Called after the form took over what somebody else saved. `wasDirty`: before that. */
  rebase(wasDirty: boolean): void {
    if (!wasDirty) this.#start = signature(this.form.read());
    this.#isTouched = true;
  }

  /** Called if the form came back from the server or was edited before: its content is unsaved. */
  carryOn(): void {
    this.#isTouched = this.#isForcedDirty = true;
  }

  /** Deletes the drafts of the page after it was saved. */
  async drop(): Promise<void> {
    this.#isOver = true;
    this.disconnect();
    this.#others.close();
    await this.#keeping.catch(() => {});
    await this.#store.drop(this.#id).catch(() => {});
  }

  /** Stores the draft a last time before the page is left. Resolves to true if the files are included. */
  async keepLast(): Promise<boolean> {
    const last = this.#draft();
    this.#store.keepNow(last);
    this.#isOver = true;
    await this.#keeping.catch(() => {});
    return this.#store.keep(last).catch(() => false);
  }

  #draft(): Draft {
    const { key, author } = this.#options;
    const written = this.form.read();
    return {
      id: this.#id,
      key,
      author,
      at: Date.now(),
      title: written.fields.find(([name]) => name === 'title')?.[1].trim() ?? '',
      url: location.pathname + location.search,
      ...written,
    };
  }

  #keepSoon(): void {
    this.#keeping = this.#keeping.then(() => this.#keep());
  }

  async #keep(): Promise<void> {
    if (!this.#isTouched || this.#isOver) return;
    this.#isTouched = false;
    const now = this.#draft();
    try {
      if (signature(now) === this.#start && !this.#isForcedDirty) await this.#store.drop(this.#id);
      else await this.#store.keep(now);
    } catch {
      this.#store.keepNow(now);
    }
  }

  #keepOnLeaving(): void {
    if (this.#isTouched && this.isDirty()) this.#store.keepNow(this.#draft());
  }

  async #offer(): Promise<void> {
    const { key, author } = this.#options;
    const found = await this.#store.find(key, author).catch(() => []);
    if (found.length === 0) return;
    const live = await this.#others.ask();
    const left = found.filter(({ id }) => id !== this.#id && !live.has(id));
    for (const one of left) {
      if (signature(one) !== signature(this.form.read())) return this.#show(one, left.length - 1);
      await this.#store.drop(one.id);
    }
  }

  #show(found: Draft, older: number): void {
    const offer = draftOffer({
      found,
      now: this.form.read(),
      older,
      onTake: () => {
        this.form.write(found);
        // The draft belongs to this tab from now on.
        this.carryOn();
        void this.#keep().then(() => this.#store.drop(found.id));
      },
      onThrowAway: () => void this.#store.drop(found.id).then(() => this.#offer()),
    });
    this.#options.place.prepend(offer);
  }
}
