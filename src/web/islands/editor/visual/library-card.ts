/** Choosing a picture of the wiki: those of pages that the reader may read, by name, as thumbnails. */
import { ask } from '../../ask.ts';
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';
import { type CardOptions, cardField, openCard } from './card.ts';

interface LibraryFile {
  filename: string;
  urls: { full: string; thumbnail?: string };
  attachedTo: { title: string; path: string };
}

/** Pictures shown at once; a longer part of the name finds the others. */
const shown = 24;
const pauseMs = 200;

/** `choose` gets the name by which a page at `path` shows the file. */
export function openLibrary(
  path: string | undefined,
  choose: (name: string) => void,
  { anchor, closed }: Pick<CardOptions, 'anchor' | 'closed'>,
): void {
  const search = element('input', { type: 'search', dir: 'auto', autocomplete: 'off' });
  const list = element('ul', { class: 'library-pictures' });
  const status = element('p', { class: 'hint', role: 'status' });
  let chosen: string | undefined;
  const dialog = openCard({
    title: say('visualLibrary.pictureFromTheWiki'),
    anchor,
    content: [cardField(say('visualLibrary.name'), search), status, list],
    // Enter in the field takes the only picture that is left.
    done() {
      const only = list.children.length === 1 ? list.querySelector('button') : null;
      only?.click();
      return false;
    },
    closed(isDone) {
      closed(isDone);
      if (chosen !== undefined) choose(chosen);
    },
  });
  const show = async () => {
    const asked = search.value;
    const query = new URLSearchParams({ mime: 'image/*', sort: 'date', limit: String(shown), q: asked });
    const files = (await ask<LibraryFile[]>(`/v1/files?${query}`)) ?? [];
    if (search.value !== asked) return;
    status.textContent = files.length === 0 ? say('visualLibrary.none') : '';
    list.replaceChildren(
      ...files.map(({ filename, urls, attachedTo }) => {
        const name =
          attachedTo.path === path ? filename : `${attachedTo.path.replace(/\/$/, '')}/${filename}`;
        const one = button('', { title: `${filename} · ${attachedTo.title}` }, () => {
          chosen = name;
          dialog.close();
        });
        one.append(
          element('img', { src: urls.thumbnail ?? urls.full, alt: '', loading: 'lazy' }),
          element('span', { dir: 'auto' }, filename),
        );
        return element('li', {}, one);
      }),
    );
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), pauseMs);
  });
  void show();
  search.focus();
}
