/** Names of other members who have the page open for editing. Says the same of this editor, every half minute while it is in sight. */
import { listOf } from '#words/say.ts';
import { ask } from '../ask.ts';
import { Controller } from '../controller.ts';
import { element } from '../element.ts';
import { say, textHere } from '../words.ts';

const everyMs = 25_000;

export class WhoIsHere extends Controller {
  readonly #form: HTMLFormElement;
  readonly #status = element('p', { class: 'hint meanwhile who-is-here', role: 'status' });

  constructor(form: HTMLFormElement) {
    super();
    this.#form = form;
  }

  protected listen(signal: AbortSignal): void {
    // A member who proposes a change does not edit the page.
    if (!this.#form.dataset.path || !this.#form.querySelector('button[name=intent][value=save]')) return;
    this.#status.hidden = true;
    this.#form.querySelector('.save-bar')?.prepend(this.#status);
    const look = () => document.visibilityState === 'visible' && void this.#look(signal);
    const timer = setInterval(look, everyMs);
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      this.#status.remove();
    });
    this.on(document, 'visibilitychange', look);
    this.on(window, 'focus', look);
    this.on(window, 'pagehide', () => void this.#say({ closed: true }, { keepalive: true }));
    look();
  }

  async #look(signal: AbortSignal): Promise<void> {
    const found = await this.#say({}, { signal });
    if (!found || signal.aborted) return;
    const names = found.others.map(({ name }) => name);
    const words =
      names.length === 0
        ? ''
        : say('editorWhoIsHere.othersEdit', { count: names.length, names: textHere(listOf(names)) });
    if (this.#status.textContent !== words) this.#status.textContent = words;
    this.#status.hidden = words === '';
  }

  #say(input: { closed?: true }, options: RequestInit): Promise<{ others: { name: string }[] } | undefined> {
    return ask(`/v1/editing${encodeURI(this.#form.dataset.path ?? '')}`, {
      ...options,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(input),
    });
  }
}
