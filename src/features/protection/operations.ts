/** Protection of pages from changes by anyone except moderators or administrators. Its rules are in `core/pages/protection.ts`. */

import { type Static, Type } from 'typebox';
import { isoTime } from '#core/model/iso-time.ts';
import type { Page, Protection } from '#core/model/page.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { component, text, timeOrNull } from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import { isInForce, protectionAt } from '#core/pages/protection.ts';
import { getReadable, getWhole } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';

const maxReasonLength = 500;

const level = Type.Union([Type.Literal('moderators'), Type.Literal('administrators'), Type.Null()], {
  description: 'Lowest role that can change the page. Null if only its permissions decide.',
  examples: ['moderators'],
});
const subtree = Type.Boolean({
  description: 'Whether pages beneath are protected, too, and no page can be added there.',
  default: false,
  examples: [true],
});
const reason = Type.String({
  description: 'Reason, up to 500 characters, which the page shows.',
  default: '',
  examples: ['Edit war'],
});
const until = timeOrNull(
  'When the protection ends by itself, ISO 8601. Null if it has no end.',
  '2100-01-01T00:00:00.000Z',
);
const path = text('Path of the page.', '/garden/roses');

const ProtectionBody = component('Protection', 'Protection in force. `level` is null if there is none.', {
  path: text('Page that has the protection: this page or one above it.', '/garden'),
  level,
  subtree,
  reason,
  until,
});

/** `page`: the page in question; its own protection may have ended, or be weaker. */
interface ProtectedPage {
  page: Pick<Page, 'title' | 'path' | 'protection'>;
  protection: (Protection & { path?: string }) | null;
}

const shown = converted(ProtectionBody, protectionJson);

export const readProtection = operation({
  name: 'protection',
  summary: 'Read the protection of a page',
  description:
    'The strictest protection in force: that of the page itself, or of a page above it (in the tree or by address) that protects all pages beneath it.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({ path }),
  output: shown,
  problems: ['not-found', 'gone'],
  ports: ['reader'],
  async run({ reader }, { input, now }): Promise<ProtectedPage> {
    const { id } = await getReadable(reader, input.path);
    const page = await getWhole(reader, id, 'none');
    return { page, protection: protectionAt(page, now) ?? null };
  },
});

export const protectPage = operation({
  name: 'protectPage',
  summary: 'Protect a page',
  description:
    'For moderators, on pages that they may read. Edits, moves, deletions and new pages beneath by others are refused with `protected`, whatever the permissions say. Replaces an existing protection; `level` null lifts it. Only administrators can set or lift the level `administrators`.',
  access: 'moderator',
  scope: 'admin',
  input: component('ProtectionInput', 'Protection of a page.', {
    path,
    level,
    subtree: Type.Optional(subtree),
    reason: Type.Optional(reason),
    until: Type.Optional(until),
  }),
  output: shown,
  problems: ['administrators-only', 'not-found', 'gone'],
  writes: true,
  audit: ['protection-changed'],
  ports: ['store', 'reader'],
  async run({ store, reader }, { input, by, now, record }): Promise<ProtectedPage> {
    const { level, subtree = false, until: end } = input;
    const reason = checkReason(input.reason ?? '');
    const until = end ? Date.parse(end) : null;
    if (until !== null && !(until > now)) throw invalid('/until', say('problem.theEndOfAProtectionMustBe'));
    const protection = level === null ? null : { level, subtree, reason, until };
    const readable = await getReadable(reader, input.path);
    return store.transact(async ({ pages }) => {
      const page = await pages.lockById(readable.id, 'update');
      if (!page) throw new Problem('not-found', say('problem.thereIsNoPageAt', { path: input.path }));
      const inForce = page.protection && isInForce(page.protection, now) ? page.protection : undefined;
      const isTheirs = level !== 'administrators' && inForce?.level !== 'administrators';
      if (by !== 'command line' && !by.isAdmin && !isTheirs)
        throw new Problem('administrators-only', say('problem.onlyAdministratorsMaySetOrLiftThis'));
      await pages.protect(page, protection);
      const ending = until === null ? '' : ` until ${isoTime(until)}`;
      const note =
        level === null ? 'lifted' : `${level}${subtree ? ', with everything beneath' : ''}${ending}`;
      await record({
        kind: 'protection-changed',
        subject: { kind: 'page', id: page.id, name: page.path },
        note: reason === '' ? note : `${note}: ${reason}`,
      });
      return { page: { ...readable, path: page.path }, protection };
    });
  },
});

/** Returns the reason as it is stored. Refuses `invalid`. */
function checkReason(given: string): string {
  const reason = given.normalize('NFC').trim();
  if (reason.length <= maxReasonLength && reason.isWellFormed() && !/\p{Cc}/u.test(reason)) return reason;
  throw invalid('/reason', say('problem.aReasonCanHaveUpToCharacters', { maxReasonLength }));
}

function protectionJson({ page, protection }: ProtectedPage): Static<typeof ProtectionBody> {
  const { path = page.path, level = null, subtree = false, reason = '', until = null } = protection ?? {};
  return { path, level, subtree, reason, until: isoTime(until) };
}
