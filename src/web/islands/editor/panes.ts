/**
 * Source and preview beside each other with a divider that can be dragged or moved by keys (ARIA: window splitter), each
 * can be hidden; on narrow screens two tabs. What was chosen is remembered.
 */
import { button, element } from '../element.ts';
import { recall, remember } from '../remembered.ts';

export interface Panes {
  isPreviewShown(): boolean;
  togglePreview(): void;
}

const narrow = matchMedia('(max-width: 899px)');
const shareKey = 'coppice:editor-share';
const shownKey = 'coppice:editor-preview';

export function arrangePanes(
  panes: HTMLElement,
  sourcePane: HTMLElement,
  previewPane: HTMLElement,
  tools: HTMLElement,
  onShow: () => void,
): Panes {
  let share = clamp(Number(recall(shareKey)) || 50);
  let isShown = recall(shownKey) !== 'no';
  let tab: 'source' | 'preview' = 'source';

  const divider = element('div', {
    class: 'divider',
    role: 'separator',
    tabindex: 0,
    'aria-label': 'Width of the text',
    'aria-orientation': 'vertical',
    'aria-controls': 'source-pane',
    'aria-valuemin': 20,
    'aria-valuemax': 80,
  });
  sourcePane.after(divider);

  const toggle = button(
    'Preview',
    {
      class: 'tool-preview',
      'aria-pressed': 'true',
      'aria-controls': 'preview-pane',
      title: 'Show or hide the preview',
    },
    () => togglePreview(),
  );
  tools.append(toggle);

  const tabs = element('div', { class: 'pane-tabs', role: 'tablist', 'aria-label': 'Text and preview' });
  const tabOf = (name: 'source' | 'preview', words: string) => {
    const made = button(words, { role: 'tab', id: `tab-${name}`, 'aria-controls': `${name}-pane` }, () =>
      openTab(name),
    );
    tabs.append(made);
    return made;
  };
  const [sourceTab, previewTab] = [tabOf('source', 'Text'), tabOf('preview', 'Preview')];
  tabs.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    openTab(tab === 'source' ? 'preview' : 'source');
    (tab === 'source' ? sourceTab : previewTab).focus();
  });
  panes.before(tabs);

  divider.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    divider.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => {
      const { left, right, width } = panes.getBoundingClientRect();
      const isRtl = getComputedStyle(panes).direction === 'rtl';
      setShare(((isRtl ? right - clientX : clientX - left) / width) * 100);
    };
    divider.addEventListener('pointermove', move);
    divider.addEventListener('lostpointercapture', () => divider.removeEventListener('pointermove', move), {
      once: true,
    });
  });
  divider.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -5, ArrowRight: 5, Home: -100, End: 100 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setShare(share + step);
  });
  divider.addEventListener('dblclick', () => setShare(50));
  narrow.addEventListener('change', arrange);

  function setShare(percent: number): void {
    share = clamp(percent);
    remember(shareKey, String(Math.round(share)));
    arrange();
  }

  function togglePreview(): void {
    if (narrow.matches) {
      openTab(tab === 'source' ? 'preview' : 'source');
      return;
    }
    isShown = !isShown;
    remember(shownKey, isShown ? 'yes' : 'no');
    arrange();
    if (isShown) onShow();
  }

  function openTab(name: 'source' | 'preview'): void {
    tab = name;
    arrange();
    if (name === 'preview') onShow();
  }

  function arrange(): void {
    const isNarrow = narrow.matches;
    tabs.hidden = !isNarrow;
    toggle.hidden = isNarrow;
    divider.hidden = isNarrow || !isShown;
    sourcePane.hidden = isNarrow && tab !== 'source';
    previewPane.hidden = isNarrow ? tab !== 'preview' : !isShown;
    for (const [name, pane, handle] of [
      ['source', sourcePane, sourceTab],
      ['preview', previewPane, previewTab],
    ] as const) {
      handle.setAttribute('aria-selected', String(tab === name));
      handle.tabIndex = tab === name ? 0 : -1;
      // In two columns each is a region of its own; as tabs they are what the tabs say.
      pane.setAttribute('role', isNarrow ? 'tabpanel' : 'region');
      if (isNarrow) pane.setAttribute('aria-labelledby', handle.id);
      else pane.removeAttribute('aria-labelledby');
    }
    toggle.setAttribute('aria-pressed', String(isShown));
    panes.classList.toggle('is-split', !isNarrow && isShown);
    // On what holds them: panels that open over the preview are as wide.
    panes.parentElement?.style.setProperty('--share', `${share}%`);
    divider.setAttribute('aria-valuenow', String(Math.round(share)));
  }

  arrange();
  return { isPreviewShown: () => !previewPane.hidden, togglePreview };
}

function clamp(percent: number): number {
  return Math.min(80, Math.max(20, percent));
}
