/** Events by which the parts of an editor tell each other that something has changed. */
export type EditorEvent =
  /** The text of the page. */
  | 'text'
  /** A field beside the text. */
  | 'field'
  /** Wikitext or Markdown. */
  | 'format'
  /** The files that wait to be saved. */
  | 'files'
  /** The preview is in sight again. */
  | 'preview-shown'
  /** Another part of the text is in sight. */
  | 'scroll';

export class EditorEvents {
  readonly #target = new EventTarget();

  emit(event: EditorEvent): void {
    this.#target.dispatchEvent(new Event(event));
  }

  on(events: readonly EditorEvent[], listener: () => void, signal: AbortSignal): void {
    for (const event of events) this.#target.addEventListener(event, listener, { signal });
  }
}
