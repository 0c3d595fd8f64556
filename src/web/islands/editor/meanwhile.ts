/**
 * Tells that somebody saved the page since it was opened. If only the text changed, and not where it was edited here, both are
 * merged at once; otherwise saving merges them, or shows where they touch.
 */
import { markedConflicts } from '#core/content/conflict-marks.ts';
import { Controller } from '../controller.ts';
import { element } from '../element.ts';
import { timeElement } from '../site/local-times.ts';
import { say, slot, withElement } from '../words.ts';
import { fieldOf, setField } from './fields.ts';

/** A change, as the history of the API has it. */
interface Change {
  id: number;
  timestamp: string;
  editor: { id: number; name: string };
  content: { body: string } & Record<string, unknown>;
}

interface MergingEditor {
  readonly form: HTMLFormElement;
  /** The text with everything that is written, or undefined while it has no source. */
  settledText(): Promise<string | undefined>;
  /** Takes the merged text in the place of `from`. Resolves to false, without an effect, if the text is another one meanwhile. */
  takeOver(from: string, merged: string): Promise<boolean>;
  /** Milliseconds since the last key. */
  idleMs(): number;
}

const everyMs = 30_000;
/** A text in which somebody is typing is left alone for so long. */
const leastIdleMs = 2000;
/** Changes among which the one is looked for that the form started from. */
const changesRead = 10;

export class Meanwhile extends Controller {
  readonly #editor: MergingEditor;
  readonly #status = element('p', { class: 'hint meanwhile', role: 'status' });
  #isLooking = false;
  /** Whether to look again at once, because something may have been saved since the present look began. */
  #isDue = false;
  /** Whether the text was left alone because somebody is typing. */
  #isTyping = false;

  constructor(editor: MergingEditor) {
    super();
    this.#editor = editor;
  }

  protected listen(signal: AbortSignal): void {
    const { form } = this.#editor;
    if (!form.dataset.path) return;
    form.querySelector('.save-bar')?.prepend(this.#status);
    this.#status.hidden = true;
    let later: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (document.visibilityState !== 'visible' || signal.aborted) return;
      if (this.#isLooking) {
        this.#isDue = true;
        return;
      }
      this.#isLooking = true;
      this.#isDue = false;
      this.#isTyping = false;
      clearTimeout(later);
      void this.#look(signal)
        .catch(() => {})
        .finally(() => {
          this.#isLooking = false;
          if (this.#isDue) look();
          else if (this.#isTyping && !signal.aborted) later = setTimeout(look, leastIdleMs);
        });
    };
    const timer = setInterval(look, everyMs);
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      clearTimeout(later);
      this.#status.remove();
    });
    // Somebody who comes back to the tab sees it at once.
    this.on(document, 'visibilitychange', look);
    this.on(window, 'focus', look);
  }

  /** The history stays the same for the browser's cache until somebody saves. */
  async #look(signal: AbortSignal): Promise<void> {
    const base = Number(fieldOf(this.#editor.form, 'base')?.value);
    const [latest] = await this.#history(1, signal);
    if (!latest || !base || latest.id <= base) return;
    const isMerged = await this.#merge(base, signal);
    if (signal.aborted) return;
    const given = { name: latest.editor.name, time: slot };
    const words = isMerged
      ? say('editorMeanwhile.isInYourText', given)
      : say('editorMeanwhile.savedThisPage', given);
    this.#status.replaceChildren(
      ...withElement(words, timeElement(Date.parse(latest.timestamp))),
      ' ',
      element(
        'a',
        { href: `/diff${this.#path}?from=${base}&to=${latest.id}&view=shown`, target: '_blank' },
        say('editorMeanwhile.whatChanged'),
      ),
    );
    this.#status.hidden = false;
  }

  async #merge(baseId: number, signal: AbortSignal): Promise<boolean> {
    const { form } = this.#editor;
    if (form.dataset.section) return false;
    this.#isTyping = this.#editor.idleMs() < leastIdleMs;
    if (this.#isTyping) return false;
    const changes = await this.#history(changesRead, signal);
    const [latest] = changes;
    const base = changes.find(({ id }) => id === baseId);
    if (!latest || !base || fieldsOf(base) !== fieldsOf(latest)) return false;
    const yours = await this.#editor.settledText();
    if (yours === undefined || markedConflicts(yours).length > 0) return false;
    const { mergeBodies } = await import('#core/content/merge-bodies.ts');
    const merged = mergeBodies(yours, base.content.body, latest.content.body);
    if (merged === undefined || signal.aborted || !(await this.#editor.takeOver(yours, merged))) return false;
    form.dataset.base = String(latest.id);
    setField(form, 'base', String(latest.id));
    return true;
  }

  get #path(): string {
    return encodeURI(this.#editor.form.dataset.path ?? '');
  }

  async #history(limit: number, signal: AbortSignal): Promise<Change[]> {
    const answer = await fetch(`/v1/history${this.#path}?limit=${limit}`, { cache: 'no-cache', signal });
    return answer.ok ? ((await answer.json()) as Change[]) : [];
  }
}

/** Everything of a change besides the text: fields of the form, which would be saved as they are here. */
function fieldsOf({ content: { body, msg, ...fields } }: Change): string {
  return JSON.stringify(fields);
}
