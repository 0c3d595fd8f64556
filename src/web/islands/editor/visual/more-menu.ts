/** The menu More of the toolbar: what can be inserted, and formats without a button of their own. */
import type { EditorView } from 'prosemirror-view';
import { element } from '../../element.ts';
import { say } from '../../words.ts';
import { shownKey } from '../toolbar.ts';
import { hasMark, toggle } from './commands.ts';
import type { Insert } from './inserts.ts';
import { formats } from './visual-tools.ts';

/** Follows ARIA's menu: arrows move, Enter chooses, Escape and Tab close. */
export function openMenu(view: EditorView, bar: HTMLElement, inserts: Insert[]): void {
  const opener = bar.querySelector<HTMLElement>('[data-tool="more"]');
  if (!opener || document.querySelector('.more-menu')) return;
  const menu = element('ul', {
    class: 'suggestions more-menu',
    role: 'menu',
    'aria-label': say('visualMoreMenu.more'),
  });
  const close = (isBack = true) => {
    menu.remove();
    removeEventListener('pointerdown', closeOutside, true);
    opener.setAttribute('aria-expanded', 'false');
    if (isBack) view.focus();
  };
  const closeOutside = ({ target }: Event) => {
    if (!menu.contains(target as Node)) close(false);
  };
  const item = (label: string, detail: string | undefined, run: () => void, isOn?: boolean) => {
    const made = element(
      'li',
      {
        role: isOn === undefined ? 'menuitem' : 'menuitemcheckbox',
        tabindex: -1,
        'aria-checked': isOn === undefined ? undefined : String(isOn),
      },
      element('span', {}, label),
      detail ? element('span', { class: 'suggestion-detail', 'aria-hidden': 'true' }, detail) : undefined,
    );
    made.addEventListener('click', () => {
      close();
      run();
    });
    return made;
  };
  menu.append(
    ...formats.map(({ label, name, key }) =>
      item(label, shownKey(key), () => toggle(name)(view.state, view.dispatch), hasMark(view.state, name)),
    ),
    ...inserts.map(({ label, detail, run }) => item(label, detail, () => run(view))),
  );
  menu.addEventListener('keydown', (event) => {
    const items = [...menu.children] as HTMLElement[];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === 'Enter' || event.key === ' ') items[at]?.click();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.body.append(menu);
  const { left, bottom } = opener.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.min(bottom + 4, Math.max(8, innerHeight - menu.offsetHeight - 8))}px`;
  opener.setAttribute('aria-expanded', 'true');
  (menu.firstElementChild as HTMLElement | null)?.focus();
  setTimeout(() => addEventListener('pointerdown', closeOutside, true));
}
