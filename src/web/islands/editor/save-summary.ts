/** Sentence about the effects of saving: who may read the page, where it moves, how many files are added. */
import { encodePath } from '#core/model/path.ts';
import { chosenCode } from '#web/chosen-access.ts';
import { accessFieldsOf, accessWords, fieldValueOf, labelPermissions } from '../access-fields.ts';
import { ask } from '../ask.ts';
import { say } from '../words.ts';

interface SaveSummaryOptions {
  form: HTMLFormElement;
  /** Element for the sentence. */
  place: HTMLElement;
  /** Path of the page; empty for a new one. */
  ownPath: string;
  fileCount(): number;
}

export class SaveSummary {
  readonly #options: SaveSummaryOptions;
  readonly #usual: string;
  readonly #formerWords: string;
  readonly #formerParent: string;
  #running: AbortController | undefined;
  #movesTo = '';
  #movesWords = '';

  constructor(options: SaveSummaryOptions) {
    this.#options = options;
    this.#usual = options.place.textContent ?? '';
    this.#formerWords = accessWords(options.form);
    this.#formerParent = fieldValueOf(options.form, 'parent') ?? '';
  }

  /** Called when permissions, address or files have changed. */
  update(): void {
    const { form, ownPath } = this.#options;
    const given = form.querySelector<HTMLInputElement>('#path')?.value.trim() ?? '';
    const to = given === '' || given === ownPath ? '' : given.startsWith('/') ? given : `/${given}`;
    if (ownPath !== '' && to !== this.#movesTo) void this.#countMoves(to);
    this.#tell();
  }

  async #countMoves(to: string): Promise<void> {
    this.#movesTo = to;
    this.#movesWords = '';
    this.#running?.abort();
    this.#running = new AbortController();
    if (to === '') return;
    const words = await movesWords(this.#options.ownPath, to, this.#running.signal);
    if (words === undefined || this.#movesTo !== to) return;
    this.#movesWords = words;
    this.#tell();
  }

  #tell(): void {
    this.#label();
    const { place, fileCount } = this.#options;
    const files = fileCount();
    const sentence = [
      this.#audienceWords(),
      this.#movesWords,
      files === 0 ? '' : say('editorSaveSummary.addsFiles', { count: files }),
    ]
      .filter((words) => words !== '')
      .join(' ');
    if (place.textContent !== sentence) place.textContent = sentence;
  }

  #audienceWords(): string {
    const { form, ownPath } = this.#options;
    const words = accessWords(form);
    if (this.#isElsewhere() && (ownPath !== '' || this.#isChosen()))
      return say('editorSaveSummary.placeDecides');
    if (ownPath !== '')
      return words === this.#formerWords
        ? this.#usual
        : say('editorSaveSummary.newAccess', { access: accessWords(form, 'within') });
    return this.#isOpen()
      ? say('editorSaveSummary.publishesThePageWhereYou')
      : say('editorSaveSummary.publishes', { access: accessWords(form, 'within') });
  }

  /** Whether the access depends on pages above that the form was not made for, or that the member cannot read. */
  #isOpen(): boolean {
    const { dataset } = this.#options.form;
    return this.#isElsewhere() || (dataset.openAccess !== undefined && !this.#isChosen());
  }

  /** Other pages above pass on other grants, whatever was chosen. */
  #isElsewhere(): boolean {
    return (fieldValueOf(this.#options.form, 'parent') ?? '') !== this.#formerParent;
  }

  /** Whether a new page takes nothing but grants from the pages above. */
  #isChosen(): boolean {
    const fields = accessFieldsOf(this.#options.form);
    return chosenCode(fields) !== undefined && (fields.group ?? '').trim() !== '';
  }

  /** Labels of the permissions name the chosen group. */
  #label(): void {
    const { form } = this.#options;
    const isOpen = this.#isOpen();
    labelPermissions(form, isOpen);
    const brief = form.querySelector('#permissions-brief');
    if (brief) brief.textContent = isOpen ? '' : accessWords(form);
  }
}

async function movesWords(from: string, to: string, signal: AbortSignal): Promise<string | undefined> {
  const url = `/v1/moves${encodePath(from)}?to=${encodeURIComponent(to)}`;
  const found = await ask<{ moves: unknown[]; taken: string[] }>(url, { signal });
  if (found?.taken[0] !== undefined)
    return say('editorSaveSummary.cannotBeMoved', { address: found.taken[0] });
  return found && say('editorSaveSummary.moves', { count: found.moves.length });
}
