/** Events by which the parts of an editor notify each other. */
type EditorEvent =
  /** The text of the page changed. */
  | 'text'
  /** A field besides the text changed. */
  | 'field'
  /** The format changed to wikitext or Markdown. */
  | 'format'
  /** The pending files changed. */
  | 'files'
  /** The preview became visible. */
  | 'preview-shown'
  /** The text was scrolled. */
  | 'scroll';

export class EditorEvents {
  readonly #target = new EventTarget();
  #typedAt = Number.NEGATIVE_INFINITY;

  /** Milliseconds since the text last changed. */
  get idleMs(): number {
    return performance.now() - this.#typedAt;
  }

  emit(event: EditorEvent): void {
    if (event === 'text') this.#typedAt = performance.now();
    this.#target.dispatchEvent(new Event(event));
  }

  on(events: readonly EditorEvent[], listener: () => void, signal: AbortSignal): void {
    for (const event of events) this.#target.addEventListener(event, listener, { signal });
  }
}
