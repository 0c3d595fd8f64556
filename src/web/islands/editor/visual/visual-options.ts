/** Options of the visual editor, given by the form around it. */
import type { Format } from '../marks.ts';

export interface VisualOptions {
  /** Gets the editor as its first child. */
  place: HTMLElement;
  format(): Format;
  /** Path of the page; undefined for a new one. */
  path: string | undefined;
  /** `/search/titles` */
  titlesUrl: string;
  /** IDs of elements that describe the text, or say what is wrong with it. */
  describedBy: string | null;
  mayAddFiles: boolean;
  pickFiles(): void;
  /** Adds files that are saved with the page, and returns them under their final names. */
  addFiles(files: Iterable<File>): File[];
  /** Name of the file that shows a picture of pasted HTML, if any. */
  fileName(url: string): string | undefined;
  pictureUrl(name: string): string | undefined;
  save(): void;
  showSource(): void;
  /** Takes the source of what is written. */
  setText(source: string): void;
  onChange(): void;
  /** Called when the form has the source of a change. */
  onSource(): void;
}
