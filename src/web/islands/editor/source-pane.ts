/** The source view with its toolbar. Loaded when somebody looks at the source. */
import { button } from '../element.ts';
import { say } from '../words.ts';
import { countConflicts } from './conflict-marks.ts';
import { type Format, insertBlock, insertInline } from './marks.ts';
import { fileMarkup, isPictureName } from './pending-files.ts';
import { keysOf, toolsOf } from './source-tools.ts';
import { type Source, type SourceOptions, sourceView } from './source-view.ts';
import { toolbar } from './toolbar.ts';

export interface SourcePaneOptions extends Omit<SourceOptions, 'format' | 'keys'> {
  format(): Format;
  mayAddFiles: boolean;
  pickFiles(): void;
  save(): void;
  togglePreview(): void;
  /** The button that shows or hides the preview. */
  previewButton: HTMLElement;
  showVisual(): void;
}

export interface SourcePane extends Source {
  insertFile(name: string): void;
  /** Puts the caret at this place. */
  focusAt(place: number): void;
  /** Counts anew the conflicts that are marked in the text. */
  countConflicts(): void;
  destroy(): void;
}

export function openSourcePane(options: SourcePaneOptions): SourcePane {
  const { format } = options;
  const tools = toolsOf(format, options.pickFiles);
  const source = sourceView({
    ...options,
    format: format(),
    keys: keysOf([
      ...tools,
      { key: 'Mod-s', run: options.save },
      { key: 'Mod-Alt-p', run: options.togglePreview },
      { key: 'Mod-Alt-s', run: options.showVisual },
    ]),
  });
  const { view } = source;
  const shown = options.mayAddFiles ? tools : tools.filter(({ id }) => id !== 'picture');
  const bar = toolbar(() => view, shown, 'source-view').dom;
  bar.append(
    options.previewButton,
    button(
      say('editorSourcePane.visual'),
      { class: 'tool-view', title: say('editorSourcePane.showThePageAsItWillLookCtrl') },
      options.showVisual,
    ),
  );
  view.dom.before(bar);
  view.requestMeasure();
  const conflict = document.querySelector<HTMLElement>('.conflict');
  const conflicts = conflict && countConflicts(conflict, view);
  return {
    ...source,
    insertFile(name) {
      const markup = fileMarkup(name, isPictureName(name));
      if (isPictureName(name)) insertBlock(view, `${markup}\n`);
      else insertInline(view, markup);
    },
    focusAt(place) {
      view.requestMeasure();
      view.dispatch({ selection: { anchor: Math.min(place, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
    countConflicts: () => conflicts?.update(),
    destroy: () => view.destroy(),
  };
}
