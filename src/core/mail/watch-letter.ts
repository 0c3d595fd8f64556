/**
 * Mail about watched pages: the events of each page and the words that changed. It is composed when it is sent, with the
 * member's rights at that time, so a page that has become private is left out.
 */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { compareBodies, type DiffLine } from '../content/diff.ts';
import { momentWords } from '../model/date-words.ts';
import { proposalIn } from '../model/event.ts';
import type { WatchMail } from '../model/mail.ts';
import { actorOf } from '../model/member.ts';
import type { PageOutline } from '../model/page.ts';
import { visibilityOf } from '../model/permission.ts';
import type { Letter, LetterPage } from '../ports/mail.ts';
import type { Reader } from '../ports/reader.ts';
import type { MailFrequency, Notification } from '../ports/watch-store.ts';
import { sentencesFor } from '../reading/access-sentence.ts';
import type { LetterWriter } from './letter-writer.ts';
import { to } from './recipient.ts';

/** Maximum number of notifications in one mail, which says if there are more. */
const maxNotifications = 200;
const maxPages = 20;
const maxSentences = 6;
const maxLines = 12;
const maxLineLength = 300;
/** Longer contents are listed without their changed words. */
const maxComparedBytes = 256 * 1024;

/**
 * Takes the member's due notifications of this frequency for the mail, and writes it for those that the member can still read.
 * Undefined if nothing is left to report.
 */
export async function watchLetter(
  writer: LetterWriter,
  mail: WatchMail,
  id: number,
): Promise<Letter | undefined> {
  const { store, wiki } = writer;
  const frequency = frequencyOf(mail);
  const found = await store.transact(async (store) => {
    const member = await store.members.findById(mail.memberId);
    const key = await store.watches.unsubscribeKeyOf(mail.memberId);
    if (!member?.isActive || key === undefined) return undefined;
    await store.watches.takeForMail(member.id, frequency, id);
    return { member, key };
  });
  if (!found) return undefined;
  const { member, key } = found;
  const actor = actorOf(member);
  const notifications = await store.watches.ofMail(
    member.id,
    id,
    visibilityOf(actor, store),
    maxNotifications,
  );
  if (notifications.length === 0) return undefined;
  const groups = [...Map.groupBy(notifications, ({ event }) => event.page.id).values()];
  const shown = groups.slice(0, maxPages);
  const pages = await letterPages(writer, store.readAs(actor), shown);
  const isDigest = frequency !== 'now';
  const [first] = pages;
  const what = { count: groups.length, title: first?.title ?? '' };
  return {
    ...to(wiki, member),
    subject: isDigest
      ? say('mail.digest', { wiki: wiki.name, often: frequency })
      : say('mail.newsOf', { wiki: wiki.name, ...what }),
    paragraphs: [
      say('mail.hello', { name: member.name }),
      groups.length > maxPages
        ? say('mail.thereIsNewsOfSome', { ...what, shown: maxPages })
        : say('mail.thereIsNews', what),
    ],
    pages,
    link: { label: say('mail.allNotifications'), url: `${wiki.url}/account/notifications` },
    reason: say('mail.youWatchPages', { wiki: wiki.name }),
    unsubscribe: `${wiki.url}/account/unsubscribe/${key}/${isDigest ? frequency : (notifications[0]?.watchId ?? 0)}`,
  };
}

function frequencyOf({ kind }: WatchMail): Exclude<MailFrequency, 'off'> {
  return kind === 'watched-now' ? 'now' : kind === 'watched-daily' ? 'daily' : 'weekly';
}

async function letterPages(
  { store, wiki, compare = async (from, to) => compareBodies(from, to) }: LetterWriter,
  reader: Reader,
  groups: readonly Notification[][],
): Promise<LetterPage[]> {
  const ids = groups.map(([first]) => first?.event.page.id ?? 0);
  const outlines = new Map((await reader.pages.outlines(ids)).map((page) => [page.id, page]));
  const changed = groups.flatMap((group) => {
    const page = outlines.get(group[0]?.event.page.id ?? 0);
    const edits = group.filter(({ event }) => event.kind === 'created' || event.kind === 'edited');
    return page && edits.length > 0
      ? [
          {
            page,
            first: Math.min(...edits.map(({ event }) => event.changeId)),
            last: Math.max(...edits.map(({ event }) => event.changeId)),
          },
        ]
      : [];
  });
  const [before, after] = await Promise.all([
    reader.changes.listBefore(
      changed.map(({ page, first }) => ({ page: changedPage(page), changeId: first })),
      maxComparedBytes,
    ),
    reader.changes.listBefore(
      changed.map(({ page, last }) => ({ page: changedPage(page), changeId: last + 1 })),
      maxComparedBytes,
    ),
  ]);
  const lines = new Map<number, DiffLine[]>();
  for (const [i, { page }] of changed.entries()) {
    const to = after[i];
    if (!to) continue;
    const { hunks } = await compare(before[i]?.content.body ?? '', to.content.body);
    lines.set(
      page.id,
      hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind !== 'same'),
    );
  }
  const opened = groups.flatMap((group) => {
    const page = outlines.get(group[0]?.event.page.id ?? 0);
    return page && group.some(({ event }) => event.kind === 'permissions') ? [page] : [];
  });
  const access = await sentencesFor(store, reader.actor, opened);
  return groups.map((group) => letterPage(wiki.url, group, { outlines, changed: lines, access }));
}

function changedPage({ id, trail, historyFrom, owner }: PageOutline) {
  return { id, trail, historyFrom, owner };
}

function letterPage(
  url: string,
  group: readonly Notification[],
  {
    outlines,
    changed,
    access,
  }: {
    outlines: ReadonlyMap<number, PageOutline>;
    changed: ReadonlyMap<number, DiffLine[]>;
    access: ReadonlyMap<number, Words>;
  },
): LetterPage {
  const { event } = group.at(-1) as Notification;
  const page = outlines.get(event.page.id);
  const lines = changed.get(event.page.id) ?? [];
  const left = lines.length - maxLines;
  return {
    title: page?.title ?? event.page.title ?? event.page.path,
    ...(page ? { url: url + addressOf(event, page.path) } : {}),
    happened: [
      ...(group.length > maxSentences
        ? [say('mail.earlierChanges', { count: group.length - maxSentences })]
        : []),
      ...group.slice(-maxSentences).map(({ event }) => sentenceOf(event)),
      ...(access.has(event.page.id)
        ? [say('mail.accessNow', { access: access.get(event.page.id) ?? '' })]
        : []),
    ],
    lines: lines.slice(0, maxLines).map(letterLine),
    ...(left > 0 ? { more: say('mail.moreChangedLines', { left }) } : {}),
  };
}

/** The address of a comment shows its thread, with the form for an answer; that of a proposal, its reviews. */
function addressOf(event: Notification['event'], path: string): string {
  const proposal = proposalIn(event);
  if (proposal !== null) return `/proposals/${proposal}`;
  return encodeURI(path) + (event.commentId === null ? '' : `#comment-${event.commentId}`);
}

function sentenceOf({ kind, editor, msg, at }: Notification['event']): Words {
  const happened = say('mail.happened', {
    kind,
    name: editor?.name ?? say('mail.somebody'),
    time: momentWords(at),
  });
  return msg === '' ? happened : say('mail.happenedWithReason', { happened, reason: msg });
}

function letterLine({ kind, text, words }: DiffLine): LetterPage['lines'][number] {
  let left = maxLineLength;
  const parts = (words ?? [{ kind, text }]).flatMap((part) => {
    if (left <= 0) return [];
    const text = part.text.length > left ? `${part.text.slice(0, left).toWellFormed()}…` : part.text;
    left -= part.text.length;
    return [{ isChanged: part.kind !== 'same', text }];
  });
  return { kind: kind === 'added' ? 'added' : 'removed', words: parts };
}
