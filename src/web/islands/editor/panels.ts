/**
 * Panels with fields besides the text, one for each subject and one open at a time. They stand at the side of wide windows; in
 * narrower ones an open panel replaces the preview, and in narrow ones it is a sheet over the lower part of the window. The
 * height of the text does not change.
 */
import { button } from '../element.ts';
import { say } from '../words.ts';

export function placePanels(form: HTMLFormElement, panes: HTMLElement): void {
  const bar = form.querySelector<HTMLElement>('.details');
  const saveBar = form.querySelector('.save-bar');
  if (!bar || !saveBar) return;
  // After a conflict, the merged versions are a panel as well.
  const versions = document.querySelector<HTMLDetailsElement>('.merge-panes');
  if (versions) bar.prepend(versions);
  const panels = [...bar.querySelectorAll<HTMLDetailsElement>(':scope > details')];
  const wanted = document.getElementById(location.hash.slice(1));
  for (const one of panels)
    one.open = one.querySelector('.mistake:not([hidden])') !== null || one.contains(wanted);
  const wide = matchMedia('(min-width: 900px) and (max-width: 1279.98px)');
  const place = () => {
    // Panels with the same name are exclusive; one that gets the name while another is open closes itself.
    for (const one of panels) one.setAttribute('name', 'panel');
    (wide.matches ? (form.querySelector('.pane-tabs') ?? panes) : saveBar).before(bar);
  };
  wide.addEventListener('change', place);
  place();
  bar.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    close(panels.find((one) => one.open && one.contains(event.target as Node)));
  });
  for (const one of panels)
    one
      .querySelector('.fields, .panel')
      ?.append(button(say('editorPanels.done'), { class: 'sheet-done' }, () => close(one)));
}

function close(panel: HTMLDetailsElement | undefined): void {
  if (!panel) return;
  panel.open = false;
  panel.querySelector('summary')?.focus();
}

/** Scrolls until half of the window shows the text; the save bar may cover the bottom of the window. */
export function showText(): void {
  const [panes, bar] = ['.panes', '.save-bar'].map((one) => document.querySelector<HTMLElement>(one));
  const text = [...document.querySelectorAll('.visual-scroll, .cm-editor, #body')].find(
    (one) => one.getClientRects().length > 0,
  );
  // An error summary above must be seen first.
  if (!text || !panes || !bar || document.querySelector('.error-summary')) return;
  const covered = getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0;
  const lacking = text.getBoundingClientRect().top + covered - innerHeight / 2;
  scrollBy(0, Math.max(0, Math.min(Math.ceil(lacking), panes.getBoundingClientRect().top)));
}
