/** `coppice proposal`: shows, merges and refuses proposals, as an administrator or as the member of `--as`. */
import { commandOf, idArgument, UsageError } from '#cli/command/arguments.ts';
import { allOf, inWiki } from '#cli/command/in-wiki.ts';
import { printList } from '#cli/command/print.ts';
import { printable } from '#cli/command/printable.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Range } from '#core/ports/list-reads.ts';
import { proposalStates } from '#core/ports/proposal-store.ts';
import {
  changeProposal,
  listProposals,
  mergeTheProposal,
  readProposal,
  reviewProposal,
} from './operations.ts';
import { isMergeable, type ProposalSeen, proposalJson } from './schemas.ts';

const help = `Usage: coppice proposal <what> [arguments]

  list [--state STATE] [--json]    Lists proposals, newest first: open ones, or draft, withdrawn or merged.
  show ID                          Prints a proposal as JSON, with its changes, reviews and conflicts.
  merge ID                         Carries out all changes of a proposal, or none.
  refuse ID [--reason TEXT]        Withdraws a proposal; TEXT is kept as a comment.

All of them act as the first administrator, or with --as EMAIL as that member, with the rights of that member.
`;

const as = { as: { type: 'string' } } as const;
const list = 'proposal list';

export const run = commandOf('proposal', help, {
  list: inWiki(
    [],
    { ...as, state: { type: 'string', default: 'open' }, json: { type: 'boolean', default: false } },
    (_, { as, state: written, json }, { io }) => {
      const state = proposalStates.find((one) => one === written);
      if (!state) throw new UsageError(`--state: choose from ${proposalStates.join(', ')}.`);
      return async ({ carryAs }) => {
        const read = async (range: Range) => (await carryAs(as, listProposals, { state, ...range })).items;
        printList(io, json, await allOf(read), {
          shown: proposalJson,
          row,
          none: 'There are no such proposals.',
        });
        return 0;
      };
    },
    { isToBeRead: true },
  ),
  show: inWiki(
    ['ID'],
    as,
    ([written], { as }) => {
      const id = idArgument(written, list);
      return async ({ carryAs }) => proposalJson(await carryAs(as, readProposal, { id }));
    },
    { isToBeRead: true },
  ),
  merge: inWiki(['ID'], as, ([written], { as }) => {
    const id = idArgument(written, list);
    return async ({ carryAs }) => {
      const { pages } = await carryAs(as, mergeTheProposal, { id });
      return pages.map(({ path, deleted }) => `${printable(path)}${deleted ? ' (deleted)' : ''}`).join('\n');
    };
  }),
  refuse: inWiki(['ID'], { ...as, reason: { type: 'string' } }, ([written], { as, reason }) => {
    const id = idArgument(written, list);
    return async ({ carryAs }) => {
      if (reason !== undefined) await carryAs(as, reviewProposal, { id, verdict: 'comment', text: reason });
      await carryAs(as, changeProposal, { id, state: 'withdrawn' });
      return `Withdrawn: ${id}.`;
    };
  }),
});

function row({ proposal, changes }: ProposalSeen): string[] {
  const { id, title, state, author, updatedAt } = proposal;
  const counted = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  const isStuck = (state === 'open' || state === 'draft') && !isMergeable({ proposal, changes });
  const facts = [state, counted, ...(isStuck ? ['conflict'] : [])].join(', ');
  return [String(id), isoTime(updatedAt), facts, printable(author.name), printable(title)];
}
