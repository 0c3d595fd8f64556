/** Accepts files dropped anywhere on the page, so that a missed drop does not navigate away from the text. */
import { Controller } from '../controller.ts';
import type { PendingFiles } from './pending-files.ts';

export class DropZone extends Controller {
  readonly #zone: HTMLElement;
  readonly #files: PendingFiles;

  /** `zone` shows where files can be dropped. */
  constructor(zone: HTMLElement, files: PendingFiles) {
    super();
    this.#zone = zone;
    this.#files = files;
    zone.classList.add('drop-zone');
  }

  protected listen(): void {
    const { classList } = this.#zone;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    this.on(window, 'dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      classList.add('is-over');
    });
    this.on(window, 'dragleave', (event) => event.relatedTarget === null && classList.remove('is-over'));
    this.on(window, 'drop', (event) => {
      classList.remove('is-over');
      // Drops on the source are handled there.
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      this.#files.add(event.dataTransfer?.files ?? []);
    });
  }
}
