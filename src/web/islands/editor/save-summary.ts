/** Sentence about the effects of saving: who may read the page, where it moves, how many files are added. */
import { encodePath } from '#domain/pages/path.ts';
import { readPermissionCode } from '#domain/permission.ts';
import { count, lowerFirst, permissionWords } from '../../format.ts';
import { ask } from '../ask.ts';

export interface SaveSummaryOptions {
  form: HTMLFormElement;
  /** Element for the sentence. */
  told: HTMLElement;
  /** Path of the page; empty for a new one. */
  ownPath: string;
  fileCount(): number;
}

export class SaveSummary {
  readonly #options: SaveSummaryOptions;
  readonly #usual: string;
  readonly #formerCode: number | undefined;
  #running: AbortController | undefined;
  #movesTo = '';
  #movesWords = '';

  constructor(options: SaveSummaryOptions) {
    this.#options = options;
    this.#usual = options.told.textContent ?? '';
    this.#formerCode = codeOf(options.form);
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
    const { told, fileCount } = this.#options;
    const files = fileCount();
    const sentence = [
      this.#audienceWords(),
      this.#movesWords,
      files === 0 ? '' : `Adds ${count(files, 'file')}.`,
    ]
      .filter((words) => words !== '')
      .join(' ');
    if (told.textContent !== sentence) told.textContent = sentence;
  }

  #audienceWords(): string {
    const { form, ownPath } = this.#options;
    const code = codeOf(form);
    const words = code === undefined ? '' : permissionWords(code);
    const within = lowerFirst(words);
    if (ownPath === '') return words === '' ? this.#usual : `Publishes the page: ${within}.`;
    return code !== undefined && code !== this.#formerCode ? `From now on: ${within}.` : this.#usual;
  }
}

async function movesWords(from: string, to: string, signal: AbortSignal): Promise<string | undefined> {
  const url = `/v1/moves${encodePath(from)}?to=${encodeURIComponent(to)}`;
  const found = await ask<{ moves: unknown[]; taken: string[] }>(url, { signal });
  if (found?.taken[0] !== undefined) return `It cannot move there: ${found.taken[0]} is taken.`;
  return found && `Moves ${count(found.moves.length, 'page')}.`;
}

function codeOf(form: HTMLFormElement): number | undefined {
  const value = (name: string) =>
    (form.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? '';
  return readPermissionCode(value('permissions-code') || value('permissions'));
}
