/** Tags that are the host's or a dialect's: `Rules.tags` says which. */
import { escapeText, writeAttributes } from '../html.ts';
import type { Extension } from './extension.ts';

/** A tag of which the host makes HTML. */
export const hostTag: Extension = {
  name: '',
  render({ tree, resolved }, { name, attributes, body }) {
    if (!tree.rules.tags?.has(name)) return '';
    return resolved.tags?.(name, attributes, body) ?? escapeText(body ?? '');
  },
};

/** `<section begin=x/>` says where a part of the page begins that others take; here it shows nothing. */
export const section: Extension = {
  name: 'section',
  expand: () => '',
  parse: () => undefined,
  render: () => '',
};

/** A tag or function that the engine knows by name only. Readers see what is missing instead of source for a program. */
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
