/** Tags of the host or a dialect, listed in `Rules.tags`. */
import { escapeText, writeAttributes } from '../html.ts';
import type { Extension } from './extension.ts';

/** A tag that the host converts to HTML. */
export const hostTag: Extension = {
  name: '',
  render({ tree, resolved }, { name, attributes, body }) {
    if (!tree.rules.tags?.has(name)) return '';
    return resolved.tags?.(name, attributes, body) ?? escapeText(body ?? '');
  },
};

/** `<section begin=x/>` marks the start of a part of the page that other pages may include. The tag shows nothing. */
export const section: Extension = {
  name: 'section',
  expand: () => '',
  parse: () => undefined,
  render: () => '',
};

/** A tag or function that the engine knows only by name. Readers see what is missing instead of source code. */
export const unsupported: Extension = {
  name: 'unsupported',
  isText: false,
  isReserved: true,
  render(_writer, { attributes: { name = '', silent } }) {
    if (silent !== undefined) return '';
    const title = `This wiki has no ${name}.`;
    return `<abbr${writeAttributes({ class: 'unsupported', title })}>${escapeText(name)}</abbr>`;
  },
};
