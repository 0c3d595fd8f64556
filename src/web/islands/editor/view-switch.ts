/** Switches between the visual editor and the source, loads each when it is first seen, and remembers which of them is used. */
import { announce, button, element } from '../element.ts';
import { recall, remember } from '../remembered.ts';
import { say } from '../words.ts';
import type { PageText } from './page-text.ts';
import type { PaneLayout } from './panes.ts';
import type { SourcePaneOptions } from './source-pane.ts';
import { type AskedDocument, askDocument } from './visual/requests.ts';
import type { VisualEditor } from './visual/visual-editor.ts';
import type { VisualOptions } from './visual/visual-options.ts';

export interface ViewSwitchOptions {
  pane: HTMLElement;
  panes: PaneLayout;
  text: PageText;
  sourceOptions(): Omit<SourcePaneOptions, 'showVisual'>;
  visualOptions(): Omit<VisualOptions, 'place' | 'setText' | 'showSource'>;
  /** Called when a view takes the place of the form's text area. */
  opened(): void;
}

const viewKey = 'coppice:editor-view';

export class ViewSwitch {
  readonly #options: ViewSwitchOptions;
  readonly #failure = element('p', { class: 'mistake view-failure', role: 'alert' });
  #visual: VisualEditor | undefined;
  #isVisual = false;
  #isOver = false;
  #opening: Promise<void> = Promise.resolve();

  constructor(options: ViewSwitchOptions) {
    this.#options = options;
    this.#failure.hidden = true;
    options.pane.prepend(this.#failure);
  }

  /** Opens the view that was used last. `mustBeSource`: only the source can show the text, or what is to be done with it. */
  start(mustBeSource: boolean): void {
    this.#isOver = false;
    const isSource = mustBeSource || this.prefersSource;
    this.#opening = isSource ? this.#openSource() : this.#openVisual(this.#options.text.hasFocus);
  }

  /** Whether the source was what was used last. */
  get prefersSource(): boolean {
    return recall(viewKey) === 'source';
  }

  /** The visual editor while it is what is seen. */
  get visual(): VisualEditor | undefined {
    return this.#isVisual ? this.#visual : undefined;
  }

  /** Shows the other view, with the caret at the same place. */
  toggle(): void {
    this.#opening = this.#opening.then(() => (this.#isVisual ? this.#showSource() : this.#showVisual()));
  }

  /** Resolves to true once the source has everything that was written, or to false if that has no source. */
  async settle(): Promise<boolean> {
    await this.#opening;
    return (await this.visual?.settle()) ?? true;
  }

  /** Shows the text anew after it was replaced. `pending`: what a draft kept, to go on with. */
  reload(pending?: string): void {
    this.#opening = this.#opening.then(async () => {
      // Only the visual editor can show it, whatever was chosen last.
      if (pending !== undefined && !this.visual) await this.#openVisual(true);
      const visual = this.visual;
      if (pending !== undefined && visual) visual.resume(pending);
      else if (visual) await this.#read(visual).catch((error: unknown) => this.#fail(error));
    });
  }

  /** Shows another text in the place of `from`, with the caret at the same words. Resolves to false if the text is not that one. */
  async replace(from: string, text: string): Promise<boolean> {
    await this.#opening;
    const { visual } = this;
    if (this.#options.text.get() !== from || (visual && !(await visual.replace(text)))) return false;
    this.#options.text.set(text);
    return true;
  }

  destroy(): void {
    this.#isOver = true;
    this.#visual?.destroy();
  }

  /** The text stays visual if it has no source. The editor then says so. */
  async #showSource(): Promise<void> {
    const { text } = this.#options;
    const visual = this.visual;
    if (!visual || !(await visual.settle())) return;
    const place = visual.placeIn(text.get());
    remember(viewKey, 'source');
    await this.#openSource();
    text.pane?.focusAt(place);
    announce(say('editorViewSwitch.source'));
  }

  async #showVisual(): Promise<void> {
    await this.#openVisual(true);
    if (!this.#isVisual) return;
    remember(viewKey, 'visual');
    announce(say('editorViewSwitch.visual'));
  }

  async #openSource(): Promise<void> {
    const { text, sourceOptions } = this.#options;
    this.#show(false);
    if (text.pane) return;
    const { openSourcePane } = await import('./source-pane.ts');
    if (this.#isOver) return;
    text.fillTextarea();
    text.pane = openSourcePane({ ...sourceOptions(), showVisual: () => this.toggle() });
    this.#options.opened();
  }

  /** Somebody who writes already goes on in the text area until the visual editor is there. */
  async #openVisual(isWriting: boolean): Promise<void> {
    const { pane, text, visualOptions } = this.#options;
    if (!isWriting) this.#show(true);
    try {
      const asked = this.#visual ? undefined : askDocument(visualOptions(), text.get());
      const { VisualEditor } = await import('./visual/visual-editor.ts');
      if (this.#isOver) return;
      if (!this.#visual) {
        this.#visual = new VisualEditor({
          ...visualOptions(),
          place: pane,
          setText: (source) => text.set(source),
          showSource: () => this.toggle(),
        });
        this.#visual.tools.append(
          button(
            say('editorViewSwitch.source'),
            { class: 'tool-view', title: say('editorViewSwitch.showTheSourceCtrlAltS') },
            () => this.toggle(),
          ),
        );
      }
      await this.#read(this.#visual, asked);
      this.#failure.hidden = true;
      this.#show(true);
      if (isWriting) this.#visual.focusAt(text.place);
    } catch (error) {
      await this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : '';
    this.#failure.textContent = say('editorViewSwitch.cannotShow', { reason });
    this.#failure.hidden = false;
    await this.#openSource();
  }

  /** Reads the text again if it was changed while it was read. */
  async #read(visual: VisualEditor, asked?: AskedDocument): Promise<void> {
    const { text } = this.#options;
    let source: string;
    do {
      source = text.get();
      await visual.read(source, asked);
    } while (source !== text.get());
  }

  #show(isVisual: boolean): void {
    const { pane, panes } = this.#options;
    this.#isVisual = isVisual;
    pane.classList.toggle('is-visual', isVisual);
    panes.showAlone(isVisual);
  }
}
