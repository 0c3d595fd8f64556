/** Parts of an editor, and those that the next one takes over. */
import type { DraftKeeper } from './draft-keeper.ts';
import type { PageText } from './page-text.ts';

/** State that is kept when the form is replaced by the server's response. */
export interface Before {
  text: PageText;
  files: File[];
  drafts: DraftKeeper;
  nonce: string;
}

export interface EditorElements {
  form: HTMLFormElement;
  textarea: HTMLTextAreaElement;
  panes: HTMLElement;
  sourcePane: HTMLElement;
  previewPane: HTMLElement;
  preview: HTMLElement;
}
