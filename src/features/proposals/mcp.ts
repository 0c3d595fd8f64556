/** Tools of agents for proposals. Merging and withdrawing are left to people. */
import { Type } from 'typebox';
import { listOf } from '#http/mcp/answer.ts';
import { type Tool, tool } from '#http/mcp/tool.ts';
import { linksOfProposal, listProposals, propose, readProposal, reviewProposal } from './operations.ts';
import { isMergeable, type ProposalSeen } from './schemas.ts';

export const mcp: readonly Tool[] = [
  tool({
    name: 'proposals',
    title: 'List proposals',
    description: 'List open proposals, of all pages or of one, or read one with its texts (id).',
    operations: [listProposals, readProposal, linksOfProposal],
    strangersMs: 0,
    input: Type.Object({
      id: Type.Optional(Type.Integer({ minimum: 1 })),
      page: Type.Optional(Type.String()),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    async run({ carry }, { id, page, offset = 0 }) {
      if (id === undefined) {
        const filter = { state: 'open' as const, ...(page === undefined ? {} : { path: page }) };
        const { items, total } = await carry(listProposals, { ...filter, limit: 20, offset });
        return listOf(items.map(lineOf), { offset, total });
      }
      const [seen, links] = [await carry(readProposal, { id }), await carry(linksOfProposal, { id })];
      const texts = seen.changes.map(({ action, path, fields = {} }) => {
        const { body, ...others } = fields;
        const rest = Object.keys(others).length === 0 ? '' : ` ${JSON.stringify(others)}`;
        return `${action} ${path}${rest}${body === undefined ? '' : `\n${body}`}`;
      });
      const reviews = seen.reviews.map(({ member, verdict, text }) =>
        `${member.name}: ${verdict} ${text}`.trim(),
      );
      const wanted = links.wanted.map(({ target }) => target).join(', ');
      return {
        facts: {
          proposal: id,
          state: seen.proposal.state,
          mergeable: isMergeable(seen),
          'links to missing pages': links.wanted.length,
          'links that it breaks': links.dead.length,
        },
        written: [
          lineOf(seen),
          seen.proposal.text,
          ...texts,
          ...(wanted === '' ? [] : [`missing: ${wanted}`]),
          ...reviews,
        ]
          .filter((part) => part !== '')
          .join('\n\n')
          .slice(0, maxCharacters)
          .toWellFormed(),
      };
    },
  }),
  tool({
    name: 'propose',
    title: 'Propose a change',
    description: 'Propose a new text for a page, or a new page (title), for others to review.',
    operations: [propose],
    strangersMs: 0,
    input: Type.Object({
      page: Type.String({ description: 'Path.' }),
      body: Type.String(),
      title: Type.Optional(Type.String()),
      reason: Type.String(),
      base: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    async run({ carry }, { page: path, body, title, reason, base }) {
      const change =
        title === undefined
          ? { action: 'edit' as const, path, body, ...(base === undefined ? {} : { base }) }
          : { action: 'create' as const, path, title, body };
      const { proposal } = await carry(propose, { title: reason.slice(0, 255), changes: [change] });
      return { facts: { proposal: proposal.id, state: proposal.state } };
    },
  }),
  tool({
    name: 'review',
    title: 'Review a proposal',
    description: 'Approve, reject or comment on a proposal.',
    operations: [reviewProposal],
    strangersMs: 0,
    input: Type.Object({
      id: Type.Integer({ minimum: 1 }),
      verdict: Type.Union([Type.Literal('approve'), Type.Literal('reject'), Type.Literal('comment')]),
      text: Type.Optional(Type.String()),
    }),
    async run({ carry }, given) {
      const seen = await carry(reviewProposal, given);
      return { facts: { proposal: seen.proposal.id, reviews: seen.reviews.length } };
    },
  }),
];

const maxCharacters = 20_000;

function lineOf({ proposal, changes }: ProposalSeen): string {
  const { id, title, author, stranger } = proposal;
  const paths = changes.slice(0, 5).map(({ action, path }) => `${action} ${path}`);
  const more = changes.length > 5 ? ` and ${changes.length - 5} more` : '';
  return `proposal ${id} by ${stranger === null ? author.name : `${stranger} (no member)`}: ${title} (${paths.join(', ')}${more})`;
}
