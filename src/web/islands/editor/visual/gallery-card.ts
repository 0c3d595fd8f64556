/** The card of a gallery: its pictures with their captions, to add, reorder and remove. Lines that stay keep their source. */
import { button, element } from '../../element.ts';
import { say } from '../../words.ts';
import { type CardOptions, cardField, openCard } from './card.ts';
import { openLibrary } from './library-card.ts';

interface Gallery {
  open: string;
  lines: string[];
  close: string;
}

interface Row {
  dom: HTMLElement;
  line(): string;
}

export function galleryIn(source: string): Gallery | undefined {
  const [, open, inside, close] = /^(<gallery\b[^<>]*>)([\s\S]*)(<\/gallery\s*>)$/i.exec(source) ?? [];
  if (open === undefined || inside === undefined || close === undefined || /<gallery/i.test(inside))
    return undefined;
  return { open, lines: inside.split('\n').filter((line) => line.trim() !== ''), close };
}

export function openGallery(
  before: Gallery,
  { addFiles, path }: { addFiles(files: Iterable<File>): File[]; path: string | undefined },
  take: (source: string) => void,
  card: Pick<CardOptions, 'anchor' | 'others' | 'closed'>,
): void {
  const list = element('ol', { class: 'gallery-rows' });
  const rows = new Map<Element, Row>();
  const add = (line: string) => {
    const row = rowOf(line, (dom) => {
      rows.delete(dom);
      dom.remove();
    });
    rows.set(row.dom, row);
    list.append(row.dom);
  };
  for (const line of before.lines) add(line);
  const picker = element('input', { type: 'file', multiple: true, accept: 'image/*' });
  picker.addEventListener('change', () => {
    for (const { name } of addFiles([...(picker.files ?? [])])) add(`${name}|`);
    picker.value = '';
  });
  openCard({
    ...card,
    title: say('visualGallery.gallery'),
    content: [
      list,
      cardField(say('visualGallery.addPictures'), picker),
      element(
        'div',
        { class: 'field' },
        button(say('visualLibrary.pictureFromTheWiki'), { class: 'quiet-button' }, () =>
          openLibrary(path, (name) => add(`${name}|`), { anchor: card.anchor, closed: () => picker.focus() }),
        ),
      ),
    ],
    done() {
      const lines = [...list.children].map((dom) => rows.get(dom)?.line() ?? '');
      if (lines.join('\n') !== before.lines.join('\n'))
        take(`${[before.open, ...lines, before.close].join('\n')}`);
      return true;
    },
  });
  (list.querySelector('input') ?? picker).focus();
}

/** `name|alt=…|link=…|caption`; everything but the caption stays as it is. */
function rowOf(line: string, remove: (dom: Element) => void): Row {
  const [, start = line, , caption = ''] =
    /^([^|]*(\|\s*(?:alt|link|lang|page)\s*=[^|]*)*)(?:\|([\s\S]*))?$/i.exec(line) ?? [];
  const name = start.split('|')[0]?.trim() ?? '';
  const field = element('input', { value: caption.trim(), dir: 'auto' });
  const dom = element(
    'li',
    {},
    element('span', { class: 'gallery-name', dir: 'auto' }, name.replace(/^(?:file|image):/i, '')),
    cardField(say('visualGallery.caption'), field),
    element(
      'span',
      { class: 'gallery-moves' },
      button('↑', { 'aria-label': say('visualGallery.moveUp', { name }) }, () => {
        dom.previousElementSibling?.before(dom);
      }),
      button('↓', { 'aria-label': say('visualGallery.moveDown', { name }) }, () => {
        dom.nextElementSibling?.after(dom);
      }),
      button('×', { 'aria-label': say('visualGallery.remove', { name }) }, () => remove(dom)),
    ),
  );
  return {
    dom,
    line: () => {
      const words = field.value.trim();
      if (words === caption.trim()) return line.replace(/\|$/, '');
      return words === '' ? start : `${start.trimEnd()}|${words}`;
    },
  };
}
