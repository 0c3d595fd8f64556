/** The form's fields beside the text, helped along: suggestions, counters, the address as it will be, what saving means. */
import { maxDescriptionLength } from '#domain/content/description.ts';
import { encodePath, madeSlugOf } from '#domain/pages/path.ts';
import { readPermissionCode } from '#domain/permission.ts';
import { permissionWords } from '../../words.ts';
import { combobox } from '../combobox.ts';
import { loadStyle } from '../element.ts';
import { pickParent } from '../parent-picker.ts';
import { pagesWords, vocabulary, wordsLike } from './completion.ts';

export interface FieldsOptions {
  form: HTMLFormElement;
  heldCount(): number;
}

export interface Fields {
  /** Something that the save bar tells of has changed. */
  tellSave(): void;
  /** Where the page will be by what is typed, `''` for nowhere yet. */
  address(): string;
}

export function helpFields({ form, heldCount }: FieldsOptions): Fields {
  const input = (name: string) => form.elements.namedItem(name) as HTMLInputElement | null;
  const { dataset } = form;
  const ownPath = dataset.path ?? '';
  countDescription(form);
  pickParent(form, dataset.completeUrl ?? '');
  suggestTypes(input('type'));
  const tellSave = saveWords(form, ownPath, heldCount);
  const address = checkAddress(form, ownPath, dataset.checkpathUrl ?? '', tellSave);
  placeOnMap(form);
  for (const name of ['permissions', 'permissions-code']) input(name)?.addEventListener('input', tellSave);
  tellSave();
  return { tellSave, address };
}

function countDescription(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLTextAreaElement>('#description');
  const count = form.querySelector<HTMLElement>('#description-count');
  if (!field || !count) return;
  // Announced when it matters only, not at every key.
  const tell = () => {
    const left = maxDescriptionLength - [...field.value.trim()].length;
    count.textContent = left < 0 ? `${-left} too many.` : `${left} left.`;
    count.classList.toggle('is-over', left < 0);
    if (left < 0) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
    count.setAttribute('aria-live', left <= 20 ? 'polite' : 'off');
  };
  field.addEventListener('input', tell);
  if (field.value !== '') tell();
}

function suggestTypes(input: HTMLInputElement | null): void {
  if (!input) return;
  combobox(input, {
    opensEmpty: true,
    async suggest(text, signal) {
      const { types } = await vocabulary();
      const usual = types.map(({ type, count }) => ({ word: type, detail: pagesWords(count) }));
      const found = await wordsLike(`type:${text}`, usual, signal);
      return found
        .filter(({ word }) => word !== text)
        .slice(0, 8)
        .map(({ word, detail }) => ({ label: word, detail }));
    },
    onPick: () => {},
  });
}

/** Shows the future URL, and whether it is possible, while title, parent and URL are typed. */
function checkAddress(
  form: HTMLFormElement,
  ownPath: string,
  checkUrl: string,
  tellSave: () => void,
): () => string {
  const [title, parent, path] = ['title', 'parent', 'path'].map((name) =>
    form.querySelector<HTMLInputElement>(`#${name}`),
  );
  const told = form.querySelector<HTMLElement>('#path-check');
  if (!title || !parent || !path || !told) return () => ownPath;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  const shown = path.placeholder;
  // The reason of a refusal is shown beneath, until something else is typed.
  const refusals = () => form.querySelectorAll('#path-mistake, #slug-mistake');
  // Beside the name of the closed part of the form.
  const summary = told.closest('details')?.querySelector('summary .quiet');

  const wanted = (): string => {
    const given = path.value.trim();
    if (given !== '') return given.startsWith('/') ? given : `/${given}`;
    const slug = madeSlugOf(title.value);
    const above = parent.value
      .trim()
      .replace(/^\/?(?=.)/, '/')
      .replace(/\/$/, '');
    return slug === '' ? '' : `${above}/${slug}`;
  };
  const check = async () => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const at = wanted();
    if (path.value.trim() === '') path.placeholder = at || shown;
    if (summary) summary.textContent = at;
    if (at === '' || at === ownPath || refusals().length > 0) return say('');
    try {
      const answer = await fetch(checkUrl + encodePath(at), {
        signal,
        headers: { accept: 'application/json' },
      });
      const { ok, error } = (await answer.json()) as { ok: boolean; error?: string };
      if (signal.aborted) return;
      if (ok) say(path.value.trim() === '' ? `It will be at ${at}.` : `${at} is free.`, true);
      else say(plain(error ?? 'This address cannot be used.'), false);
    } catch {
      if (!signal.aborted) say('');
    }
  };
  const say = (sentence: string, isGood = true) => {
    if (told.textContent !== sentence) told.textContent = sentence;
    told.classList.toggle('mistake', !isGood && sentence !== '');
    told.classList.toggle('hint', isGood);
    tellSave();
  };
  const later = () => {
    clearTimeout(timer);
    for (const refusal of refusals()) refusal.remove();
    path.removeAttribute('aria-invalid');
    timer = setTimeout(() => void check(), 200);
  };
  for (const field of ownPath === '' ? [title, parent, path] : [path]) field.addEventListener('input', later);
  if (ownPath === '' && wanted() !== '') void check();
  return wanted;
}

/** The check answers with markup; its words are what is shown. */
function plain(markup: string): string {
  return new DOMParser().parseFromString(markup, 'text/html').body.textContent ?? '';
}

function saveWords(form: HTMLFormElement, ownPath: string, heldCount: () => number): () => void {
  const told = form.querySelector<HTMLElement>('#save-means');
  if (!told) return () => {};
  const usual = told.textContent ?? '';
  const wasCode = codeOf(form);
  let running: AbortController | undefined;
  let movesWords = '';
  let movesTo = '';

  const tell = () => {
    const code = codeOf(form);
    const words = code === undefined ? '' : permissionWords(code);
    const parts: string[] = [];
    if (ownPath === '')
      parts.push(
        words === '' ? usual : `Publishes the page: ${words.charAt(0).toLowerCase()}${words.slice(1)}.`,
      );
    else if (code !== undefined && code !== wasCode)
      parts.push(`From now on: ${words.charAt(0).toLowerCase()}${words.slice(1)}.`);
    else parts.push(usual);
    if (movesWords !== '') parts.push(movesWords);
    const files = heldCount();
    if (files > 0) parts.push(files === 1 ? 'Adds 1 file.' : `Adds ${files} files.`);
    const sentence = parts.join(' ');
    if (told.textContent !== sentence) told.textContent = sentence;
  };

  return () => {
    const given = form.querySelector<HTMLInputElement>('#path')?.value.trim() ?? '';
    const to = given === '' || given === ownPath ? '' : given.startsWith('/') ? given : `/${given}`;
    if (ownPath !== '' && to !== movesTo) {
      movesTo = to;
      movesWords = '';
      running?.abort();
      running = new AbortController();
      if (to !== '')
        void countMoves(ownPath, to, running.signal).then((words) => {
          if (words === undefined || movesTo !== to) return;
          movesWords = words;
          tell();
        });
    }
    tell();
  };
}

async function countMoves(from: string, to: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const url = `/v1/moves${encodePath(from)}?to=${encodeURIComponent(to)}`;
    const answer = await fetch(url, { signal, headers: { accept: 'application/json' } });
    if (!answer.ok) return undefined;
    const { moves, taken } = (await answer.json()) as { moves: unknown[]; taken: string[] };
    if (taken.length > 0) return `It cannot move there: ${taken[0]} is taken.`;
    return moves.length === 1 ? 'Moves 1 page.' : `Moves ${moves.length} pages.`;
  } catch {
    return undefined;
  }
}

function codeOf(form: HTMLFormElement): number | undefined {
  const value = (name: string) =>
    (form.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? '';
  return readPermissionCode(value('permissions-code') || value('permissions'));
}

/** The map is fetched when its part of the form is opened. */
function placeOnMap(form: HTMLFormElement): void {
  const box = form.querySelector<HTMLElement>('#place-map');
  const [lat, lon] = [
    form.querySelector<HTMLInputElement>('#lat'),
    form.querySelector<HTMLInputElement>('#lon'),
  ];
  const closed = box?.closest('details');
  if (!box || !lat || !lon) return;
  let isAsked = false;
  const open = async () => {
    if (isAsked || (closed && !closed.open)) return;
    isAsked = true;
    const [{ pickMap }] = await Promise.all([import('../map/pick-map.ts'), loadStyle('map.css')]);
    const map = await pickMap(box, readPoint(lat, lon) ?? pointOfText(form), (point) => {
      lat.value = point.lat.toFixed(5);
      lon.value = point.lon.toFixed(5);
      const given = form.querySelector<HTMLInputElement>('input[name=place][value=given]');
      if (given) given.checked = true;
      lat.dispatchEvent(new Event('input', { bubbles: true }));
    });
    for (const field of [lat, lon]) field.addEventListener('input', () => map.show(readPoint(lat, lon)));
  };
  closed?.addEventListener('toggle', () => void open());
  void open();
}

function pointOfText(form: HTMLFormElement): { lat: number; lon: number } | undefined {
  const { lat, lon } = form.querySelector<HTMLElement>('#preview')?.dataset ?? {};
  return lat === undefined || lon === undefined ? undefined : { lat: Number(lat), lon: Number(lon) };
}

function readPoint(lat: HTMLInputElement, lon: HTMLInputElement): { lat: number; lon: number } | undefined {
  const [north, east] = [lat, lon].map(({ value }) =>
    /^[+-]?\d{1,3}([.,]\d+)?$/.test(value.trim()) ? Number(value.trim().replace(',', '.')) : Number.NaN,
  );
  if (north === undefined || east === undefined || !(Math.abs(north) <= 90) || !(Math.abs(east) <= 180))
    return undefined;
  return { lat: north, lon: east };
}

/** Whether somebody wrote in it before any script came, or the browser brought that back. */
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
