/**
 * The wiki as a secret link shows it: its page and, if it says so, the pages beneath. The link has the rights of the member who made
 * it, as they are now, and shows a page beneath only if everybody who may read the page of the link may read that one by its
 * digits, so that hidden pages stay hidden. A link stops when its maker may no longer change the access of its page, and when the
 * page has been hidden from somebody who could read it when the link was made.
 */
import { say } from '#words/say.ts';
import { actorOf, type Member } from '../model/member.ts';
import type { Page } from '../model/page.ts';
import { type Actor, audienceByDigits, includesAudience, isPublicPage } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Secrets } from '../ports/credentials.ts';
import type { PageRow, Reader } from '../ports/reader.ts';
import type { LinkUses, SecretLink } from '../ports/secret-link-store.ts';
import type { Store } from '../ports/store.ts';
import { mayChangeAccess } from './access-sentence.ts';
import { limitedReader } from './limited-reader.ts';

/** A link in force, with what it shows. */
export interface LinkedWiki {
  link: SecretLink;
  /** The page of the link. */
  page: Page;
  reader: Reader;
  /** Reads as the maker. Only pages that the link shows may get into an answer. */
  maker: Reader;
  /** Whether the link shows this page. */
  isShown(page: ShownFacts): boolean;
  /** Whether pages that the link shows may contain this page and its files, such as a template. */
  isPart(page: PageRow): boolean;
  /** IDs of pages that `reader` has returned by name, by path. */
  shown: Map<string, number>;
}

type ShownFacts = Pick<PageRow, 'id' | 'trail' | 'permissions' | 'group' | 'owner'>;

export interface SecretLinks {
  /** Refuses `not-found` alike for unknown links and links that have ended. */
  open(secret: string, now: number): Promise<LinkedWiki>;
  /** Counts a use, which is stored with others at most once a minute. */
  countUse(link: SecretLink, now: number): Promise<void>;
  /** Stores all uses that have been counted. */
  storeUses(): Promise<void>;
}

const storedEveryMs = 60_000;

/** `onFailure` is called if uses cannot be stored now; they are kept for the next time. */
export function createSecretLinks(
  store: Store,
  secrets: Secrets,
  onFailure: (error: unknown) => void = () => {},
): SecretLinks {
  const counted = new Map<number, LinkUses>();
  let storedAt = 0;
  const storeUses = async () => {
    const uses = [...counted.values()];
    counted.clear();
    if (uses.length === 0) return;
    try {
      await store.secretLinks.addUses(uses);
    } catch (error) {
      for (const one of uses) add(counted, one);
      onFailure(error);
    }
  };
  return {
    async open(secret, now) {
      const found = await store.secretLinks.find(secrets.hash(secret));
      const linked = found && (await linkedWiki(store, found.link, found.maker, now));
      if (!linked) throw new Problem('not-found', say('problem.thisLinkDoesNotExistOrIs'));
      return linked;
    },
    async countUse({ id }, now) {
      add(counted, { id, uses: 1, lastUsedAt: now });
      if (Math.abs(now - storedAt) < storedEveryMs) return;
      storedAt = now;
      await storeUses();
    },
    storeUses,
  };
}

function add(counted: Map<number, LinkUses>, { id, uses, lastUsedAt }: LinkUses): void {
  const before = counted.get(id);
  counted.set(id, {
    id,
    uses: uses + (before?.uses ?? 0),
    lastUsedAt: Math.max(lastUsedAt, before?.lastUsedAt ?? 0),
  });
}

/** Undefined if the link has ended. */
async function linkedWiki(
  store: Store,
  link: SecretLink,
  maker: Member,
  now: number,
): Promise<LinkedWiki | undefined> {
  if (!maker.isActive || (link.expiresAt !== null && link.expiresAt <= now)) return undefined;
  const own = store.readAs(actorOf(maker, now));
  const page = await own.pages.findById(link.pageId);
  const isRefused = own.actor?.role === 'reader' || own.actor?.block !== undefined;
  if (!page || isRefused || !mayChangeAccess(own.actor, page)) return undefined;
  const audience = digitsAudience(page);
  if (!includesAudience(audience, link.audience)) return undefined;
  const isShown = (one: ShownFacts) =>
    one.id === page.id ||
    (link.beneath &&
      one.trail.includes(page.id) &&
      // Audiences of owners only compare for the same owner.
      (one.owner.id === page.owner.id || digitsAudience(one) <= 1) &&
      includesAudience(digitsAudience(one), audience));
  const shown = new Map<string, number>();
  const isPart = (row: PageRow) =>
    isShown(row) ||
    isPublicPage(row, own) ||
    // Their text is part of many pages, and members can read it.
    (row.audience <= 1 && (row.type === 'Template' || row.type === 'Module'));
  const anyMember: Actor = { memberId: 0, name: '', isAdmin: false };
  const anybody = store.readAs(audience === 0 && !own.isPrivate ? null : anyMember);
  return {
    link,
    page,
    maker: own,
    isShown,
    isPart,
    shown,
    reader: limitedReader(own, { isShown, isPart, hasFiles: isPart }, { anybody, shown }),
  };
}

/** Regardless of whether the wiki is private, which hides no page from those who have a link. */
export function digitsAudience(page: Pick<PageRow, 'permissions' | 'group'>): number {
  return audienceByDigits(page, { isPrivate: false });
}
