/** Enhances the fields besides the text: suggestions, counters, the resulting address, effects of saving. */
import { maxDescriptionLength } from '#core/model/page-fields.ts';
import { Combobox } from '../combobox.ts';
import { Controller } from '../controller.ts';
import { suggestMembers } from '../member-names.ts';
import { pickParent } from '../parent-picker.ts';
import { say } from '../words.ts';
import { AddressField } from './address-field.ts';
import type { EditorEvents } from './editor-events.ts';
import { placeOnMap } from './place-field.ts';
import { SaveSummary } from './save-summary.ts';
import { vocabulary, wordsLike } from './vocabulary.ts';

export class Fields extends Controller {
  readonly #form: HTMLFormElement;
  readonly #events: EditorEvents;
  readonly #ownPath: string;
  readonly #summary: SaveSummary | undefined;
  readonly #address: AddressField | undefined;

  constructor(form: HTMLFormElement, fileCount: () => number, events: EditorEvents) {
    super();
    this.#form = form;
    this.#events = events;
    const ownPath = form.dataset.path ?? '';
    this.#ownPath = ownPath;
    const place = form.querySelector<HTMLElement>('#save-means');
    this.#summary = place ? new SaveSummary({ form, place, ownPath, fileCount }) : undefined;
    const elements = AddressField.elementsOf(form);
    const checkUrl = form.dataset.checkpathUrl ?? '';
    const onChecked = () => this.#summary?.update();
    this.#address = elements && new AddressField({ ...elements, form, ownPath, checkUrl, onChecked });
  }

  protected listen(signal: AbortSignal): void {
    const form = this.#form;
    countDescription(form);
    pickParent(form, form.dataset.completeUrl ?? '');
    suggestTypes(fieldOf(form, 'type'));
    suggestMembers(form);
    this.#address?.connect();
    placeOnMap(form);
    const update = () => this.#summary?.update();
    for (const name of ['permissions', 'group', 'parent'])
      fieldOf(form, name)?.addEventListener('input', update, { signal });
    this.#events.on(['files'], update, signal);
    update();
  }

  override disconnect(): void {
    super.disconnect();
    this.#address?.disconnect();
  }

  /** Path according to the fields; empty if there is none yet. */
  address(): string {
    return this.#address?.address() ?? this.#ownPath;
  }
}

export function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.elements.namedItem(name) as HTMLInputElement | null;
}

function countDescription(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLTextAreaElement>('#description');
  const counter = form.querySelector<HTMLElement>('#description-count');
  if (!field || !counter) return;
  // Announced only near the limit, not at every key.
  const count = () => {
    const left = maxDescriptionLength - [...field.value.trim()].length;
    counter.textContent =
      left < 0 ? say('editorFields.tooMany', { count: -left }) : say('editorFields.left', { count: left });
    counter.classList.toggle('is-over', left < 0);
    if (left < 0) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
    counter.setAttribute('aria-live', left <= 20 ? 'polite' : 'off');
  };
  field.addEventListener('input', count);
  if (field.value !== '') count();
}

function suggestTypes(input: HTMLInputElement | null): void {
  if (!input) return;
  new Combobox(input, {
    opensEmpty: true,
    async suggest(text, signal) {
      const { types } = await vocabulary();
      const usual = types.map((one) => ({
        word: one.type,
        detail: say('count.pages', { count: one.count }),
      }));
      const found = await wordsLike(`type:${text}`, usual, signal);
      return found
        .filter(({ word }) => word !== text)
        .slice(0, 8)
        .map(({ word, detail }) => ({ label: word, detail }));
    },
    onPick: () => {},
  }).connect();
}

/** Whether the field was edited before the script ran, or restored by the browser. */
export function isChanged(field: Element): boolean {
  if (field instanceof HTMLInputElement)
    return field.type === 'radio' || field.type === 'checkbox'
      ? field.checked !== field.defaultChecked
      : field.type !== 'hidden' && field.type !== 'file' && field.value !== field.defaultValue;
  return field instanceof HTMLTextAreaElement && field.value !== field.defaultValue;
}

export function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof RadioNodeList) field.value = value;
  else if (
    field instanceof HTMLInputElement ||
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLSelectElement
  ) {
    if (field instanceof HTMLInputElement && field.type === 'file') return;
    field.value = value;
  }
}
