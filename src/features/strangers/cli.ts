/** `coppice submission`: what people without an account submitted, as an administrator or as the member of `--as`. */
import { commandOf, idArgument } from '#cli/command/arguments.ts';
import { allOf, inWiki } from '#cli/command/in-wiki.ts';
import { printList } from '#cli/command/print.ts';
import { printable } from '#cli/command/printable.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Range } from '#core/ports/list-reads.ts';
import type { Submission } from '#core/ports/submission-store.ts';
import {
  approveSubmission,
  eraseStranger,
  listSubmissions,
  refuseSubmissions,
  submissionJson,
} from './operations.ts';

const help = `Usage: coppice submission <what> [arguments]

  list [--json]        Lists comments and proposals of people without an account that wait, oldest first.
  approve ID           Shows a comment, or opens a proposal. The member of --as counts as its author.
  refuse ID            Deletes a submission.
  refuse-like ID       Deletes all submissions from the same network address.
  erase NAME           Deletes what a person of this name submitted, their comments and their proposals.

All of them act as the first administrator, or with --as EMAIL as that member, with the rights of that member.
`;

const as = { as: { type: 'string' } } as const;
const list = 'submission list';

export const run = commandOf('submission', help, {
  list: inWiki(
    [],
    { ...as, json: { type: 'boolean', default: false } },
    (_, { as, json }, { io }) =>
      async ({ carryAs }) => {
        const read = async (range: Range) => (await carryAs(as, listSubmissions, range)).items;
        const none = 'Nothing waits for approval.';
        printList(io, json, await allOf(read), { shown: submissionJson, row, none });
        return 0;
      },
    { isToBeRead: true },
  ),
  approve: inWiki(['ID'], as, ([written], { as }) => {
    const id = idArgument(written, list);
    return async ({ carryAs }) => {
      const { comment, proposal } = await carryAs(as, approveSubmission, { id });
      return comment === undefined ? `Opened: proposal ${proposal}.` : `Shown: comment ${comment}.`;
    };
  }),
  refuse: inWiki(['ID'], as, ([written], { as }) => {
    const id = idArgument(written, list);
    return async ({ carryAs }) => refusal(await carryAs(as, refuseSubmissions, { ids: [id] }));
  }),
  'refuse-like': inWiki(['ID'], as, ([written], { as }) => {
    const id = idArgument(written, list);
    return async ({ carryAs }) => {
      const read = async (range: Range) => (await carryAs(as, listSubmissions, range)).items;
      const from = (await allOf(read)).find((one) => one.id === id)?.sender ?? '';
      return refusal(await carryAs(as, refuseSubmissions, { from }));
    };
  }),
  erase: inWiki(['NAME'], as, ([name = ''], { as }) => async ({ carryAs }) => {
    const { submissions, comments, proposals } = await carryAs(as, eraseStranger, { name });
    return `Erased: ${submissions} waiting, ${comments} comments, ${proposals} proposals.`;
  }),
});

function refusal({ refused }: { refused: number }): string {
  return `Refused: ${refused}.`;
}

function row({ id, kind, page, stranger, at, contents }: Submission): string[] {
  const words = 'change' in contents ? contents.title : contents.body;
  const line = words.replace(/\s+/g, ' ').slice(0, 60).toWellFormed();
  return [String(id), isoTime(at), kind, printable(page?.path ?? '/'), printable(stranger), printable(line)];
}
