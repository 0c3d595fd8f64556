/**
 * Saves the form by the same route as without scripts, and shows the server's response. Before the next save it checks whether
 * an unanswered one has arrived.
 */
import { markedConflicts } from '#core/content/conflict-marks.ts';
import { element } from '../element.ts';
import { leaveNotice } from '../site/notice.ts';
import { say } from '../words.ts';
import type { DraftKeeper } from './draft-keeper.ts';
import { setField } from './fields.ts';
import type { PageText } from './page-text.ts';
import { showText } from './panels.ts';
import type { PendingFiles } from './pending-files.ts';
import { send } from './saving.ts';
import { findArrived, type Unanswered } from './unanswered.ts';
import { signature, type WrittenForm } from './written.ts';

/** The editor whose form is saved. */
interface SavedEditor extends WrittenForm {
  readonly form: HTMLFormElement;
  readonly saveButton: HTMLButtonElement | null;
  readonly text: PageText;
  readonly files: PendingFiles | undefined;
  readonly drafts: DraftKeeper;
  /** Address of a new page. */
  address(): string;
  /** Continues in the editor of the server's response. */
  replaceBy(form: HTMLFormElement): WrittenForm | undefined;
  disconnect(): void;
}

export class FormSaver {
  readonly #editor: SavedEditor;
  #isSending = false;
  #isWarned = false;
  #unanswered: Unanswered | undefined;

  constructor(editor: SavedEditor) {
    this.#editor = editor;
  }

  /** Does nothing during a save. */
  save(): void {
    if (!this.#isSending) void this.#save();
  }

  async #save(): Promise<void> {
    const { form, saveButton, text, files, drafts } = this.#editor;
    this.#setBusy(true);
    const isSettled = await this.#editor.settle();
    this.#setBusy(false);
    if (!isSettled) return this.#refuse(say('editorFormSaver.theTextCannotBeSavedLikeThis'));
    const open = markedConflicts(text.get()).length;
    if (open > 0 && !this.#isWarned) {
      this.#isWarned = true;
      return this.#refuse(say('editorFormSaver.conflictsLeft', { count: open }));
    }
    if (this.#unanswered) {
      this.#setBusy(true);
      const isDone = await this.#goOnFrom(this.#unanswered);
      this.#setBusy(false);
      if (isDone) return;
      this.#unanswered = undefined;
    }
    const sent: Unanswered = {
      written: this.#editor.read(),
      path: form.dataset.path || this.#editor.address(),
      isSection: !!form.dataset.section,
    };
    const pending = files?.all() ?? [];
    const data = new FormData(form, saveButton ?? undefined);
    data.delete('file');
    for (const file of pending) data.append('file', file, file.name);
    const pendingBytes = pending.reduce((sum, { size }) => sum + size, 0);
    this.#setBusy(true);
    const outcome = await send(form.action, data, (share) => {
      // Files come last in the form, so the first bytes sent are text.
      if (pending.length > 0) files?.showProgress(share * pendingBytes);
    });
    this.#setBusy(false);
    files?.showProgress(undefined);
    if (outcome.kind === 'unsent') {
      this.#unanswered = sent;
      return this.#refuse(outcome.message);
    }
    if (outcome.kind === 'saved') {
      await drafts.drop();
      if (outcome.notice) leaveNotice(outcome.notice);
      const section = data.get('section');
      location.assign(
        outcome.url +
          (typeof section === 'string' && section !== '' ? `#${encodeURIComponent(section)}` : ''),
      );
      return;
    }
    await this.#showAnswer(outcome.page);
  }

  /** Resolves to true if nothing is left to do: the sent text had arrived, and is either complete or edited further. */
  async #goOnFrom(sent: Unanswered): Promise<boolean> {
    const { form, drafts } = this.#editor;
    const arrived = await findArrived(sent);
    if (!arrived) return false;
    const now = this.#editor.read();
    if (signature(now) === signature(sent.written)) {
      await drafts.drop();
      leaveNotice(say('editorFormSaver.changesSaved'));
      location.assign(arrived.url);
      return true;
    }
    if (form.dataset.path) {
      form.dataset.base = arrived.change;
      setField(form, 'base', arrived.change);
      return false;
    }
    // The new page exists, so later input becomes an edit of it.
    const answer = await fetch(`/edit${arrived.url}`).catch(() => undefined);
    const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!answer || !page?.querySelector('#page-form')) return false;
    const next = await this.#showAnswer(page);
    const typed = now.fields.filter(([name]) => name !== 'path' && name !== 'parent');
    next?.write({ ...now, fields: [...typed, ['base', arrived.change]] });
    document.querySelector<HTMLFormElement>('#page-form')?.requestSubmit();
    return true;
  }

  #setBusy(isBusy: boolean): void {
    const { form, saveButton } = this.#editor;
    this.#isSending = isBusy;
    form.setAttribute('aria-busy', String(isBusy));
    if (!saveButton) return;
    saveButton.dataset.words ??= saveButton.textContent ?? '';
    saveButton.textContent = isBusy ? say('editorFormSaver.saving') : saveButton.dataset.words;
  }

  #refuse(message: string): void {
    this.#editor.drafts.touch();
    const summary = document.querySelector('#mistake-summary');
    const alert = element(
      'div',
      { class: 'error-summary', role: 'alert', tabindex: -1 },
      element('p', {}, message),
    );
    summary?.replaceChildren(alert);
    alert.focus();
  }

  /** Shows the server's page in place of this one: the form with errors, a conflict, or a sign-in form. */
  async #showAnswer(page: Document): Promise<WrittenForm | undefined> {
    const { drafts } = this.#editor;
    const form = page.querySelector<HTMLFormElement>('#page-form');
    const keepsForm = page.querySelector('form [name="session-email"]') !== null;
    if (!form && !keepsForm) {
      const said =
        page.querySelector('main .lede, main p')?.textContent ??
        say('editorFormSaver.theWikiRefusedToSaveIt');
      this.#refuse(say('editorFormSaver.yourTextIsStillHere', { said }));
      return undefined;
    }
    const main = document.querySelector('#main');
    const answer = page.querySelector('#main');
    if (!main || !answer) return undefined;
    // Files that the server did not keep are kept here.
    if (!form && (await drafts.keepLast())) answer.querySelector('#left-files')?.remove();
    main.replaceChildren(...answer.childNodes);
    document.title = page.title;
    this.#editor.disconnect();
    const next = form ? this.#editor.replaceBy(form) : undefined;
    const focus = main.querySelector<HTMLElement>(
      '.error-summary, .conflict, .banner[role=alert], [aria-invalid=true], input[name=session-email]',
    );
    if (focus && !focus.hasAttribute('tabindex') && !focus.matches('input')) focus.tabIndex = -1;
    scrollTo({ top: 0 });
    focus?.focus();
    showText();
    return next;
  }
}
