/**
 * rule ::= ^ '-'{4,} text
 *
 *   ----            <hr>
 *   ---- after      <hr> after
 */
import { char } from '../characters.ts';
import { sourceEnd, sourceOffset } from '../prepared.ts';
import type { LineConstruct } from './line-construct.ts';

export const rule: LineConstruct = ({ prepared, start, end, out }) => {
  const { text } = prepared;
  if (!text.startsWith('----', start)) return undefined;
  let after = start + 4;
  while (text.charCodeAt(after) === char.hyphen) after++;
  out.open('hr', sourceOffset(prepared, start), sourceEnd(prepared, after));
  out.copyFrom(prepared, after, end);
  return 'done';
};
