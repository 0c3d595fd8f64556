/** Tells that somebody saved the page since it was opened. Saving merges both, or shows where they touch. */
import { Controller } from '../controller.ts';
import { element } from '../element.ts';
import { timeElement } from '../site/local-times.ts';
import { say, slot, withElement } from '../words.ts';
import { fieldOf } from './fields.ts';

/** The latest change, as the history of the API has it. */
interface Latest {
  id: number;
  timestamp: string;
  editor: { id: number; name: string };
}

const everyMs = 30_000;

export class Meanwhile extends Controller {
  readonly #form: HTMLFormElement;
  readonly #told = element('p', { class: 'hint meanwhile', role: 'status' });

  constructor(form: HTMLFormElement) {
    super();
    this.#form = form;
  }

  protected listen(signal: AbortSignal): void {
    if (!this.#form.dataset.path) return;
    this.#form.querySelector('.save-bar')?.prepend(this.#told);
    this.#told.hidden = true;
    const look = () => void this.#look(signal).catch(() => {});
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), everyMs);
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      this.#told.remove();
    });
    // Somebody who comes back to the tab sees it at once.
    this.on(document, 'visibilitychange', () => document.visibilityState === 'visible' && look());
    this.on(window, 'focus', look);
  }

  /** The history stays the same for the browser's cache until somebody saves. */
  async #look(signal: AbortSignal): Promise<void> {
    const path = encodeURI(this.#form.dataset.path ?? '');
    const answer = await fetch(`/v1/history${path}?limit=1`, { cache: 'no-cache', signal });
    if (!answer.ok) return;
    const [latest] = (await answer.json()) as Latest[];
    const base = Number(fieldOf(this.#form, 'base')?.value);
    if (!latest || !base || latest.id <= base) return;
    this.#told.replaceChildren(
      ...withElement(
        say('editorMeanwhile.savedThisPage', { name: latest.editor.name, time: slot }),
        timeElement(Date.parse(latest.timestamp)),
      ),
      ' ',
      element(
        'a',
        { href: `/diff${path}?from=${base}&to=${latest.id}&view=shown`, target: '_blank' },
        say('editorMeanwhile.whatChanged'),
      ),
    );
    this.#told.hidden = false;
  }
}
