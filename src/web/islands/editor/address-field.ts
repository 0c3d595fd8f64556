/** Shows the resulting address and whether it is available while title, parent and address are typed. */
import { encodePath, madeSlugOf } from '#core/model/path.ts';
import { ask } from '../ask.ts';
import { Controller } from '../controller.ts';
import { button } from '../element.ts';
import { say } from '../words.ts';

interface AddressElements {
  title: HTMLInputElement;
  parent: HTMLInputElement;
  path: HTMLInputElement;
  /** Element for the result of the check. */
  result: HTMLElement;
}

interface AddressOptions extends AddressElements {
  form: HTMLFormElement;
  /** Path of the page; empty for a new one. */
  ownPath: string;
  checkUrl: string;
  onChecked(): void;
}

const waitMs = 200;

export class AddressField extends Controller {
  readonly #options: AddressOptions;
  readonly #placeholder: string;
  /** Summary line of the collapsed part of the form. */
  readonly #summary: Element | null | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  constructor(options: AddressOptions) {
    super();
    this.#options = options;
    this.#placeholder = options.path.placeholder;
    this.#summary = options.result.closest('details')?.querySelector('summary .quiet');
  }

  static elementsOf(form: HTMLFormElement): AddressElements | undefined {
    const [title, parent, path] = ['title', 'parent', 'path'].map((name) =>
      form.querySelector<HTMLInputElement>(`#${name}`),
    );
    const result = form.querySelector<HTMLElement>('#path-check');
    return title && parent && path && result ? { title, parent, path, result } : undefined;
  }

  protected listen(): void {
    const { title, parent, path, ownPath } = this.#options;
    for (const field of ownPath === '' ? [title, parent, path] : [path])
      this.on(field, 'input', () => this.#checkLater());
    if (ownPath === '' && this.address() !== '') void this.#check();
  }

  /** Path according to the fields; empty if there is none yet. */
  address(): string {
    const { title, parent, path } = this.#options;
    const given = path.value.trim();
    if (given !== '') return given.startsWith('/') ? given : `/${given}`;
    const slug = madeSlugOf(title.value);
    const above = parent.value
      .trim()
      .replace(/^\/?(?=.)/, '/')
      .replace(/\/$/, '');
    return slug === '' ? '' : `${above}/${slug}`;
  }

  /** Reasons of a refusal, shown below the fields until the next input. */
  #refusals(): NodeListOf<Element> {
    return this.#options.form.querySelectorAll('#path-mistake, #slug-mistake');
  }

  #checkLater(): void {
    clearTimeout(this.#timer);
    for (const refusal of this.#refusals()) refusal.remove();
    this.#options.path.removeAttribute('aria-invalid');
    this.#timer = setTimeout(() => void this.#check(), waitMs);
  }

  async #check(): Promise<void> {
    const { path, ownPath, checkUrl } = this.#options;
    this.#running?.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const at = this.address();
    const isGiven = path.value.trim() !== '';
    if (!isGiven) path.placeholder = at || this.#placeholder;
    if (this.#summary) this.#summary.textContent = at;
    if (at === '' || at === ownPath || this.#refusals().length > 0) return this.#tell('');
    const found = await ask<{ ok: boolean; error?: string; freePath?: string }>(checkUrl + encodePath(at), {
      signal,
    });
    if (signal.aborted) return;
    if (!found) this.#tell('');
    else if (found.ok)
      this.#tell(
        isGiven
          ? say('editorAddressField.isFree', { address: at })
          : say('editorAddressField.itsAddressWillBe', { address: at }),
      );
    else {
      this.#tell(plain(found.error ?? say('editorAddressField.thisAddressCannotBeUsed')), false);
      this.#offer(found.freePath);
    }
  }

  /** A button that puts the next free address into the field. */
  #offer(freePath: string | undefined): void {
    if (freePath === undefined) return;
    const { path, result } = this.#options;
    const use = button(say('editorAddressField.use', { address: freePath }), {}, () => {
      path.value = freePath;
      path.dispatchEvent(new Event('input', { bubbles: true }));
      path.focus();
    });
    result.append(' ', use);
  }

  #tell(sentence: string, isGood = true): void {
    const { result, onChecked } = this.#options;
    if (result.textContent !== sentence) result.textContent = sentence;
    result.classList.toggle('mistake', !isGood && sentence !== '');
    result.classList.toggle('hint', isGood);
    onChecked();
  }
}

/** The check returns markup, of which only the text is shown. */
function plain(markup: string): string {
  return new DOMParser().parseFromString(markup, 'text/html').body.textContent ?? '';
}
