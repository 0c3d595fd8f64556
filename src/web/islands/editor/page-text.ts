/** The source of the page: in the form's text area until the source view is loaded, and then in that view. */
import type { SourcePane } from './source-pane.ts';

export class PageText {
  /** The source view, once somebody has looked at it. */
  pane: SourcePane | undefined;
  readonly #textarea: HTMLTextAreaElement;
  /** Newer than the text area, in which a browser takes as long to put a long text as to draw the page. */
  #newer: string | undefined;

  constructor(textarea: HTMLTextAreaElement) {
    this.#textarea = textarea;
  }

  get(): string {
    return this.pane?.text() ?? this.#newer ?? this.#textarea.value;
  }

  set(text: string): void {
    if (this.pane) this.pane.setText(text);
    else this.#newer = text;
  }

  /** Puts the text into the text area, where the source view and the browser's own memory of the form find it. */
  fillTextarea(): void {
    if (this.#newer !== undefined) this.#textarea.value = this.#newer;
    this.#newer = undefined;
  }

  /** Whether the keyboard writes into the source. */
  get hasFocus(): boolean {
    return this.pane?.view.hasFocus ?? document.activeElement === this.#textarea;
  }

  /** Start of the selection in the source. */
  get place(): number {
    return this.pane?.view.state.selection.main.head ?? this.#textarea.selectionStart;
  }
}
