/**
 * Comments beside the text, or in a sheet on narrow screens: the threads of the page for comments, whose forms are sent without
 * leaving the text. Quoted words are marked in the text, and selected words can be commented on.
 */
import { announce, button, element } from '../element.ts';
import { hideOffer, offerBeside } from '../offer.ts';
import { say } from '../words.ts';
import { markQuotes, type Selected, selectedIn, threadAt } from './quoted-words.ts';

interface Wanted {
  /** ID of the element to show. */
  id?: string;
  selected?: Selected;
}

let panel: HTMLElement | undefined;

export async function openPanel(
  link: HTMLAnchorElement,
  text: HTMLElement | null,
  wanted: Wanted = {},
): Promise<void> {
  hideOffer();
  const shown = panel ?? makePanel(link, text);
  panel = shown;
  shown.hidden = false;
  document.body.classList.add('has-comments');
  if (!shown.querySelector('[data-threads]')) await load(shown, link.href, text);
  if (wanted.selected) quote(shown, wanted.selected);
  show(shown, wanted.id);
}

function makePanel(link: HTMLAnchorElement, text: HTMLElement | null): HTMLElement {
  const close = () => {
    made.hidden = true;
    document.body.classList.remove('has-comments');
    link.focus();
  };
  const made = element(
    'aside',
    { class: 'comments-panel', 'aria-label': say('scriptCommentsPanel.comments'), tabindex: '-1' },
    element(
      'p',
      { class: 'comments-panel-head' },
      element('a', { href: link.href }, say('scriptCommentsPanel.comments')),
      button(say('scriptCommentsPanel.close'), { class: 'quiet-button' }, close),
    ),
    element('div', { class: 'comments-panel-body' }),
  );
  made.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  made.addEventListener('submit', (event) => {
    if (!(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    void send(made, event.target, event.submitter, text);
  });
  text?.addEventListener('click', (event) => {
    const thread = made.hidden ? undefined : threadAt(event.clientX, event.clientY);
    if (thread) show(made, thread.querySelector('.comment')?.id);
  });
  document.body.append(made);
  return made;
}

async function load(shown: HTMLElement, url: string, text: HTMLElement | null): Promise<void> {
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined);
  await fill(shown, answer, text);
}

async function send(
  shown: HTMLElement,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  text: HTMLElement | null,
): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string') body.append(name, value);
  const before = idsIn(shown);
  submitter?.setAttribute('disabled', '');
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
  submitter?.removeAttribute('disabled');
  if (!(await fill(shown, answer, text))) return;
  const added = [...idsIn(shown)].find((id) => !before.has(id));
  show(shown, added ?? form.closest('.comment')?.id);
  announce(added ? say('scriptCommentsPanel.commentAdded') : say('scriptCommentsPanel.saved'));
}

function idsIn(shown: HTMLElement): Set<string> {
  return new Set(Array.from(shown.querySelectorAll('.comment'), ({ id }) => id));
}

/** Returns whether there are threads. What was written stays if the answer has none. */
async function fill(
  shown: HTMLElement,
  answer: Response | undefined,
  text: HTMLElement | null,
): Promise<boolean> {
  const body = shown.querySelector('.comments-panel-body');
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
  const threads = page?.querySelector('[data-threads]');
  shown.querySelector('.comments-panel-error')?.remove();
  if (!body || !threads) {
    const words = say('scriptCommentsPanel.theCommentsCouldNotBeLoaded');
    body?.before(element('p', { class: 'comments-panel-error', role: 'alert' }, words));
    return false;
  }
  body.replaceChildren(document.importNode(threads, true));
  if (text) markQuotes(text, shown);
  return true;
}

function show(shown: HTMLElement, id: string | undefined): void {
  const found = id ? shown.querySelector<HTMLElement>(`#${CSS.escape(id)}`) : null;
  for (const other of shown.querySelectorAll('.is-shown')) other.classList.remove('is-shown');
  found?.closest('.thread')?.classList.add('is-shown');
  found?.scrollIntoView({ block: 'nearest' });
  if (!shown.contains(document.activeElement)) shown.focus({ preventScroll: true });
}

function quote(shown: HTMLElement, { text, before, after }: Selected): void {
  const form = shown.querySelector<HTMLFormElement>('[data-new-comment]');
  const quoted = form?.querySelector<HTMLElement>('[data-quoted]');
  if (!form || !quoted) return;
  for (const [name, value] of Object.entries({ quote: text, before, after })) {
    const input = form.elements.namedItem(name);
    if (input instanceof HTMLInputElement) input.value = value;
  }
  quoted.textContent = text;
  quoted.hidden = false;
  const label = form.querySelector('.comment-label');
  if (label) label.textContent = say('scriptCommentsPanel.commentOnTheseWords');
  form.querySelector('textarea')?.focus();
}

/** Shows a button beside the selected words of the text, or hides it. */
export function offerToComment(link: HTMLAnchorElement, text: HTMLElement): void {
  const selected = selectedIn(text);
  if (!selected) {
    hideOffer();
    return;
  }
  offerBeside(selected.box, say('scriptCommentsPanel.comment'), () => {
    const now = selectedIn(text);
    if (now && link.dataset.comments === 'stranger') location.href = formFor(link, now);
    else if (now) void openPanel(link, text, { selected: now });
  });
}

/** Form for people without an account. Long words are left to be copied, because addresses are bounded. */
function formFor({ pathname }: HTMLAnchorElement, { text, before, after }: Selected): string {
  const query = new URLSearchParams(text.length > 500 ? {} : { quote: text, before, after });
  return `${pathname.replace('/comments/', '/login/comment/')}?${query}`;
}
