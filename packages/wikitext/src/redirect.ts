/**
 * redirect ::= ^ blank* '#REDIRECT' ':'? blank* '[[' target ('|' label)? ']]'        in any case
 *
 *   #REDIRECT [[Oak]]        the page leads on to Oak
 */

import type { PathOfPage, Rules } from './options.ts';
import type { LinkReference } from './tree.ts';

const pattern = /^(\s*#([\p{L}\p{M}]{1,40})[ \t]*:?[ \t]*)\[\[([^\]|\n]{1,1024})(?:\|[^\]\n]{0,1024})?\]\]/iu;

/**
 * Reads the redirect at the start of a source, within its first 4096 characters. `start` and `end` are the offsets of the
 * link with its brackets.
 */
export function readRedirect(
  source: string,
  rules: Rules,
  path: PathOfPage,
): { link: LinkReference; start: number; end: number } | undefined {
  const match = pattern.exec(source.length > 4096 ? source.slice(0, 4096) : source);
  const [, head, word = '', written] = match ?? [];
  if (!match || !head || !written || !isRedirectWord(word.toLowerCase(), rules)) return undefined;
  const target = rules.link(written, true, path);
  if (target.kind !== 'page' || target.target === '') return undefined;
  const link: LinkReference = { target: target.target, isPath: target.isPath, count: 1 };
  if (target.fragment) link.fragment = target.fragment;
  return { link, start: head.length, end: match[0].length };
}

/** Whether the word means a redirect in English or in the wiki's language. */
function isRedirectWord(word: string, { redirects }: Rules): boolean {
  return word === 'redirect' || (redirects?.includes(word) ?? false);
}
