/**
 * redirect ::= ^ blank* '#REDIRECT' ':'? blank* '[[' target ('|' label)? ']]'        in any case
 *
 *   #REDIRECT [[Oak]]        the page leads on to Oak
 */
import type { LinkReference, PathOfPage, Rules } from './tree.ts';

const pattern = /^(\s*#redirect[ \t]*:?[ \t]*)\[\[([^\]|\n]{1,1024})(?:\|[^\]\n]{0,1024})?\]\]/i;

export function readRedirect(
  source: string,
  rules: Rules,
  path: PathOfPage,
): { link: LinkReference; start: number; end: number } | undefined {
  const match = pattern.exec(source.length > 4096 ? source.slice(0, 4096) : source);
  if (!match?.[1] || !match[2]) return undefined;
  const target = rules.link(match[2], true, path);
  if (target.kind !== 'page' || target.target === '') return undefined;
  const link: LinkReference = { target: target.target, isPath: target.isPath, count: 1 };
  if (target.fragment) link.fragment = target.fragment;
  return { link, start: match[1].length, end: match[0].length };
}
