/**
 * The two requests of the visual editor: the document of a source, and the source of a changed document. The server compares
 * nodes with the source that they came from, so every patch starts from that same source, however often it is asked.
 */
import type { Node } from 'prosemirror-model';
import { type DocumentJson, documentFrom, type Known, originIn, textOf } from './document-json.ts';
import { type AskedDocument, askDocument, type PageOfRequests, post, type Refusal } from './requests.ts';
import { withRoom } from './room-below.ts';
import { withFilledHoles } from './table-holes.ts';

/** Previews that are asked for at the same time. */
const mostAtOnce = 3;

export class Exchange {
  readonly #page: PageOfRequests;
  readonly #shown = new Map<string, Promise<string | undefined>>();
  readonly #running = new Set<Promise<void>>();
  /** Runs when the element is seen. */
  readonly #unseen = new Map<Element, () => void>();
  /** One for all cards, because the browser goes through all observers at every frame. */
  readonly #observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      const run = this.#unseen.get(target);
      this.forget(target);
      run?.();
    }
  });
  readonly #known: Known = { written: new WeakMap(), filled: new WeakMap() };
  #source = '';
  /** Sources before this one that nodes may have come from. */
  #generation = 0;

  constructor(page: PageOfRequests) {
    this.#page = page;
  }

  /** The source that the document was made from. */
  get source(): string {
    return this.#source;
  }

  ask(source: string): AskedDocument {
    return askDocument(this.#page, source);
  }

  /** The part of the source that a node was made from. */
  sourceOfNode(node: Node): { origin: [number, number]; text: string } | undefined {
    const origin = originIn(node, this.#generation);
    return origin && { origin, text: this.#source.slice(...origin) };
  }

  /** Throws an error with a sentence for the user. */
  async read(asked: AskedDocument): Promise<Node> {
    const document = await this.#documentOf(asked, 0);
    this.#startFrom(asked.source, 0);
    return document;
  }

  /**
   * Like `read`, but patches still start from the source before until `start` is called; nodes of earlier documents may come back
   * by undo afterwards.
   */
  async readNext(source: string): Promise<{ document: Node; start(): void }> {
    const next = this.#generation + 1;
    const document = await this.#documentOf(this.ask(source), next);
    return { document, start: () => this.#startFrom(source, next) };
  }

  async #documentOf({ answer: asked }: AskedDocument, generation: number): Promise<Node> {
    const answer = await asked;
    if ('kind' in answer) throw new Error(answer.message);
    return this.#documentFrom(JSON.parse(answer.document) as DocumentJson, generation);
  }

  #startFrom(source: string, generation: number): void {
    this.#source = source;
    this.#generation = generation;
    this.#known.written = new WeakMap();
  }

  /** JSON of a document, for the server and for drafts. */
  textOf(document: Node): string {
    return textOf(document, this.#known, this.#generation);
  }

  /** Goes on with a document that was kept in a draft. */
  resume(source: string, document: DocumentJson): Node {
    this.#startFrom(source, 0);
    return this.#documentFrom(document, 0);
  }

  #documentFrom(json: DocumentJson, generation: number): Node {
    return withFilledHoles(withRoom(documentFrom(json, generation)), this.#known.filled);
  }

  async write(document: Node): Promise<string | Refusal> {
    const answer = await post<{ body: string }>(this.#page, '/v1/patch', {
      body: this.#source,
      document: this.textOf(document),
    });
    return 'kind' in answer ? answer : answer.body;
  }

  /** Source of nodes that are not in the page yet. */
  async sourceOf(document: Node): Promise<string | undefined> {
    const answer = await post<{ body: string }>(this.#page, '/v1/patch', {
      body: '',
      document: this.textOf(document),
    });
    return 'kind' in answer ? undefined : answer.body;
  }

  /** HTML of a source, as the page would show it. Asked once for each source, a few at a time. */
  shown(source: string): Promise<string | undefined> {
    const known = this.#shown.get(source);
    if (known) return known;
    const asked = this.#inTurn(async () => {
      const answer = await post<{ markup: string }>(this.#page, '/v1/preview', { body: source });
      return 'kind' in answer ? undefined : answer.markup;
    });
    this.#shown.set(source, asked);
    return asked;
  }

  /** Runs something once the element is in sight. */
  whenSeen(shown: Element, run: () => void): void {
    // An element that is observed already would not be reported again.
    this.#observer.unobserve(shown);
    this.#unseen.set(shown, run);
    this.#observer.observe(shown);
  }

  forget(shown: Element): void {
    this.#observer.unobserve(shown);
    this.#unseen.delete(shown);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running.size >= mostAtOnce) await Promise.race(this.#running);
    const run = work();
    const done = run.then(
      () => {},
      () => {},
    );
    this.#running.add(done);
    void done.then(() => this.#running.delete(done));
    return run;
  }
}
