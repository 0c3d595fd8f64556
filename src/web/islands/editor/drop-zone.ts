/** Files dropped anywhere on the page are held: one that misses its mark must not open in the place of what was written. */
import type { HeldFiles } from './held-files.ts';

/** Shows where they go, for as long as that is on the page. */
export function takeDropped(zone: HTMLElement, held: HeldFiles): void {
  zone.classList.add('drop-zone');
  const listen = new AbortController();
  const hasFiles = (event: DragEvent) => {
    if (!zone.isConnected) listen.abort();
    return zone.isConnected && event.dataTransfer?.types.includes('Files') === true;
  };
  const { signal } = listen;
  addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      zone.classList.add('is-over');
    },
    { signal },
  );
  addEventListener('dragleave', (event) => event.relatedTarget === null && zone.classList.remove('is-over'), {
    signal,
  });
  addEventListener(
    'drop',
    (event) => {
      zone.classList.remove('is-over');
      // The source takes what is dropped on it.
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      held.add(event.dataTransfer?.files ?? []);
    },
    { signal },
  );
}
