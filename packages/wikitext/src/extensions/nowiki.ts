/**
 * `<nowiki>''as it is''</nowiki>`: text without markup.
 *
 * No node comes of it: `prepare.ts` puts its text in place, and `html-tag.ts` does in attributes.
 */
import { escapeText } from '../html.ts';
import type { Extension } from './extension.ts';

export const nowiki: Extension = {
  name: 'nowiki',
  bringsLinks: false,
  render: (_writer, node) => escapeText(node.body ?? ''),
};
