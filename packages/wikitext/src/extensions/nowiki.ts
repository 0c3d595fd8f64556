/**
 * `<nowiki>''as it is''</nowiki>`: text without markup.
 *
 * It has no node: `prepare.ts` inserts its text, and `html-tag.ts` does so in attributes.
 */
import { escapeText } from '../html.ts';
import type { Extension } from './extension.ts';

export const nowiki: Extension = {
  name: 'nowiki',
  bringsLinks: false,
  render: (_writer, node) => escapeText(node.body ?? ''),
};
