/** Reviews about one change of a proposal, and words of its proposed text. */
import type { SchemaWords } from '../engine.ts';

export const name = '0028-reviews-of-changes';

export function statements({ integer, text }: SchemaWords): string[] {
  return [
    `alter table proposal_reviews add column path ${text}`,
    `alter table proposal_reviews add column shown_with ${integer}`,
    `alter table proposal_reviews add column quote ${text}`,
  ];
}
