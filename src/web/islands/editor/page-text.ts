/** The source of the page: in the form's text area until the source view is loaded, and then in that view. */
import type { SourcePane } from './source-pane.ts';

export class PageText {
  /** The source view, once somebody has looked at it. */
  pane: SourcePane | undefined;
  readonly #textarea: HTMLTextAreaElement;

  constructor(textarea: HTMLTextAreaElement) {
    this.#textarea = textarea;
  }

  get(): string {
    return this.pane?.text() ?? this.#textarea.value;
  }

  set(text: string): void {
    if (this.pane) this.pane.setText(text);
    else this.#textarea.value = text;
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
