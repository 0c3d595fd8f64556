/** Builds the nodes of a part that is parsed separately: a caption. */
import { Builder } from '../builder.ts';
import type { Token } from '../token.ts';
import type { Node } from '../tree.ts';
import type { Inline } from './inline.ts';

/** Builds the tree of tokens that stand inside another construct, such as the label of a link. */
export function buildNested(scanner: Inline, tokens: readonly Token[]): Node[] {
  const builder = new Builder(scanner.context, scanner.prepared, 'quotes');
  for (const token of tokens) builder.token(token);
  return builder.finish(scanner.context.source.length);
}
