/**
 * Exports all data about a member to that member: one JSON object, streamed in pieces, so that memory use does not grow with
 * the data. Contains no secrets, and nothing that the member may not read any more.
 */

import type { AuditEntry } from '../model/audit-entry.ts';
import { isoTime } from '../model/iso-time.ts';
import { actorOf, type Member } from '../model/member.ts';
import { visibilityOf } from '../model/permission.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import { maxSessions } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { favouritesOf } from './favourites.ts';
import { listWatches } from './watches.ts';

/** One, because whole texts are loaded, of up to 4 MB each. */
const contributionsAtOnce = 1;
const rowsAtOnce = 500;
const all: Range = { limit: 1000, offset: 0 };

/** Records the export in the audit log, and yields the text of the object in pieces. */
export async function exportOwnData(
  store: Store,
  member: Member,
  now: number,
): Promise<AsyncGenerator<string>> {
  await store.transact((store) =>
    store.audit.record({ kind: 'data-exported', subject: { kind: 'member', id: member.id } }),
  );
  return piecesOf(store, member, now);
}

async function* piecesOf(store: Store, member: Member, now: number): AsyncGenerator<string> {
  const { id } = member;
  const reader = store.readAs(actorOf(member));
  yield `{"exportedAt":${JSON.stringify(isoTime(now))},\n"profile":${JSON.stringify(await profileOf(store, member))}`;
  const lists: [string, AsyncIterable<object> | Iterable<object>][] = [
    ['groups', (await store.groups.list(all, 0, id)).groups.map(({ id, name }) => ({ id, name }))],
    ['identities', await identitiesOf(store, id)],
    ['passkeys', await passkeysOf(store, id)],
    ['sessions', await sessionsOf(store, id)],
    ['tokens', await tokensOf(store, id)],
    ['watches', await watchesOf(store, reader, id)],
    ['likes', likesOf(reader, id)],
    [
      'favourites',
      (await favouritesOf(store, reader, id)).map(({ at, ...page }) => ({ page, at: isoTime(at) })),
    ],
    ['contributions', contributionsOf(reader, id)],
    ['drafts', draftsOf(store, id)],
    ['comments', commentsOf(store, member)],
    ['proposals', proposalsOf(store, member)],
    ['audit', auditOf(store, id)],
  ];
  for (const [name, items] of lists) {
    yield `,\n"${name}":[`;
    let before = '\n';
    for await (const item of items) {
      yield before + JSON.stringify(item);
      before = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

async function profileOf(store: Store, member: Member) {
  const { id, name, email, role, isAdmin, language, createdAt, passphraseHash, block } = member;
  const factor = await store.secondFactors.find(id);
  return {
    id,
    name,
    email,
    role,
    isAdmin,
    language,
    createdAt: isoTime(createdAt),
    hasPassphrase: passphraseHash !== null,
    hasSecondFactor: factor !== undefined && factor.confirmedAt !== null,
    block: block && { at: isoTime(block.at), until: isoTime(block.until), reason: block.reason },
  };
}

async function identitiesOf(store: Store, memberId: number) {
  const links = await store.identities.listOf(memberId);
  return links.map(({ memberId: _, linkedAt, ...link }) => ({ ...link, linkedAt: isoTime(linkedAt) }));
}

async function passkeysOf(store: Store, memberId: number) {
  const listed = await store.passkeys.listOf(memberId);
  return listed.map(({ id, name, isSynced, createdAt, lastUsedAt }) => ({
    id,
    name,
    isSynced,
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTime(lastUsedAt),
  }));
}

async function sessionsOf(store: Store, memberId: number) {
  const listed = await store.sessions.listOf(memberId, maxSessions.browsers + maxSessions.programs);
  return listed.map(({ memberId: _, createdAt, seenAt, ...session }) => ({
    ...session,
    createdAt: isoTime(createdAt),
    lastSeenAt: isoTime(seenAt),
  }));
}

async function tokensOf(store: Store, memberId: number) {
  const listed = await store.apiTokens.listOf(memberId, all.limit);
  return listed.map(({ id, name, scopes, ancestorId, lastUsedFrom, ...times }) => ({
    id,
    name,
    scopes,
    ancestor: ancestorId,
    createdAt: isoTime(times.createdAt),
    expiresAt: isoTime(times.expiresAt),
    lastUsedAt: isoTime(times.lastUsedAt),
    lastUsedFrom,
  }));
}

async function watchesOf(store: Store, reader: Reader, memberId: number) {
  const { items } = await listWatches(store.watches, reader, memberId, all);
  return items.map(({ id, kind, target, page, mail, createdAt }) => ({
    id,
    kind,
    target,
    page,
    mail,
    createdAt: isoTime(createdAt),
  }));
}

async function* likesOf(reader: Reader, memberId: number) {
  for (let after = 0; ; ) {
    const found = await reader.lists.likedBy(memberId, after, rowsAtOnce);
    for (const { at, ...page } of found) yield { page, at: isoTime(at) };
    const last = found.at(-1);
    if (!last || found.length < rowsAtOnce) return;
    after = last.id;
  }
}

async function* contributionsOf(reader: Reader, memberId: number) {
  for (let before: number | undefined; ; ) {
    const found = await reader.lists.contributions(memberId, { before, limit: contributionsAtOnce }, true);
    for (const { at, isErased, body = null, ...change } of found)
      yield { ...change, timestamp: isoTime(at), isErased, body };
    if (found.length < contributionsAtOnce) return;
    before = found.at(-1)?.id;
  }
}

async function* commentsOf(store: Store, member: Member) {
  const visibility = visibilityOf(actorOf(member), store);
  for (let after = 0; ; ) {
    const { comments } = await store.comments.list({ authorId: member.id }, after, rowsAtOnce, visibility);
    for (const { id, page, body, at, editedAt, quote, replyTo } of comments)
      yield {
        id,
        page,
        body,
        quote: quote?.text ?? null,
        replyTo,
        at: isoTime(at),
        editedAt: isoTime(editedAt),
      };
    const last = comments.at(-1);
    if (!last || comments.length < rowsAtOnce) return;
    after = last.id;
  }
}

/** All that the member proposed, whether or not they can read the pages now, because they wrote it themselves. */
async function* proposalsOf(store: Store, { id: memberId, ...member }: Member) {
  const visibility = visibilityOf(actorOf({ id: memberId, ...member }), store);
  for (let offset = 0; ; offset += all.limit) {
    const range = { limit: all.limit, offset };
    const { proposals } = await store.proposals.list(
      { memberId, visibility, seesRoot: true },
      { authorId: memberId },
      range,
    );
    for (const { id, title, text, state, createdAt } of proposals) {
      const changes = await store.proposals.changesOf([id]);
      const fields = await store.proposals.fieldsOf(changes);
      yield {
        id,
        title,
        text,
        state,
        createdAt: isoTime(createdAt),
        changes: changes.map(({ n, action, path }) => ({
          action,
          path,
          fields: fields.get(`${id}/${n}`) ?? {},
        })),
      };
    }
    if (proposals.length < all.limit) return;
  }
}

async function* draftsOf(store: Store, memberId: number) {
  // One at a time, because each may be long.
  for (const { id } of await store.drafts.listOf(memberId, undefined, all.limit)) {
    const draft = await store.drafts.find(memberId, id);
    if (draft) yield { ...draft, updatedAt: isoTime(draft.updatedAt) };
  }
}

async function* auditOf(store: Store, memberId: number) {
  for (let before: number | undefined; ; ) {
    const found = await store.audit.listBefore(before, rowsAtOnce, { memberId });
    for (const entry of found) yield auditJson(entry, memberId);
    if (found.length < rowsAtOnce) return;
    before = found.at(-1)?.position;
  }
}

/** The IP address is omitted if somebody else acted, such as an administrator, or if the entry is a failed sign-in. */
function auditJson({ position: _, tokenId, at, lastAt, from, ...entry }: AuditEntry, memberId: number) {
  const isOwn = entry.actor === null || entry.actor.id === memberId;
  return {
    ...entry,
    at: isoTime(at),
    lastAt: isoTime(lastAt),
    from: isOwn ? from : null,
    token: isOwn ? tokenId : null,
  };
}
