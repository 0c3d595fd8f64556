/** Protection of pages, set and removed by moderators. */

import { Type } from 'typebox';
import { isoTime } from '#core/model/iso-time.ts';
import type { Protection } from '#core/model/page.ts';
import { component, text, timeOrNull } from '#core/operations/fields.ts';
import { protectPage } from '#core/pages/protect-page.ts';
import { protectionAt } from '#core/pages/protection.ts';
import { getReadable, getWhole } from '#core/reading/find-page.ts';
import { pathParameter } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

const level = Type.Union([Type.Literal('moderators'), Type.Literal('administrators'), Type.Null()], {
  description: 'Lowest role that changes the page; null: its permissions alone decide.',
  examples: ['moderators'],
});
const subtree = Type.Boolean({
  description: 'Whether pages beneath are protected with it, and none can be added there.',
  default: false,
  examples: [true],
});
const reason = Type.String({
  description: 'Why, up to 500 characters: shown on the page.',
  default: '',
  examples: ['Edit war'],
});
const until = timeOrNull('When it ends by itself, ISO 8601; null: it does not.', '2100-01-01T00:00:00.000Z');

const ProtectionBody = component('Protection', 'Protection that is in force; `level` null: none.', {
  path: text('Page that has the protection: this one or one above.', '/garden'),
  ...{ level, subtree, reason, until },
});

export async function protectionRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.get(
    '/v1/protection/*',
    {
      config: { access: 'optional', scope: 'read', subtree: 'within' },
      schema: {
        operationId: 'protection',
        tags: ['Pages'],
        summary: 'Look at the protection of a page',
        description:
          'The strictest protection in force: of the page itself, or of a page above, in the tree or by address, that protects all pages beneath it.',
        params: pathParameter(),
        response: { 200: ProtectionBody },
        problems: ['not-found', 'gone'],
      },
    },
    async ({ reader, params }) => {
      const { id } = await getReadable(reader, params.path);
      const page = await getWhole(reader, id, 'none');
      return protectionJson(page.path, protectionAt(page, clock()) ?? null);
    },
  );

  server.put(
    '/v1/protection/*',
    {
      config: { audit: ['protection-changed'], access: 'required', scope: 'admin', subtree: 'refused' },
      schema: {
        operationId: 'protectPage',
        tags: ['Pages'],
        summary: 'Protect a page',
        description:
          'For moderators, of pages that they may read. Edits, moves, deletions and new pages beneath by others are refused with `protected`, whatever the permissions say. Takes the place of a protection that is there; `level` null lifts it. That of administrators is theirs to set and lift.',
        params: pathParameter(),
        body: component('ProtectionInput', 'Protection of a page.', {
          level,
          subtree: Type.Optional(subtree),
          reason: Type.Optional(reason),
          until: Type.Optional(until),
        }),
        response: { 200: ProtectionBody },
        problems: ['moderators-only', 'administrators-only', 'not-found', 'gone'],
      },
    },
    async ({ actor, params, body }) => {
      const input = { ...body, until: body.until ? Date.parse(body.until) : null };
      const { path, protection } = await protectPage(store, actor, params.path, input, clock());
      return protectionJson(path, protection);
    },
  );
}

function protectionJson(path: string, protection: (Protection & { path?: string }) | null) {
  const end = protection?.until ?? null;
  return {
    path: protection?.path ?? path,
    level: protection?.level ?? null,
    subtree: protection?.subtree ?? false,
    reason: protection?.reason ?? '',
    until: isoTime(end),
  };
}
