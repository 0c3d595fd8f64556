/** Store port of secret links. */
import type { Member } from '../model/member.ts';
import type { PageName } from '../model/page.ts';
import type { Audience } from '../model/permission.ts';

/** A link by which anyone who has its URL reads a page, with the rights of the member who made it. */
export interface SecretLink {
  id: number;
  pageId: number;
  /** Whether it also shows the pages beneath. */
  beneath: boolean;
  madeBy: number;
  /** Audience of the page by its digits in a public wiki, when the link was made. */
  audience: Audience;
  createdAt: number;
  /** Null if it has no end. */
  expiresAt: number | null;
  lastUsedAt: number | null;
  uses: number;
}

export interface LinkUses {
  id: number;
  uses: number;
  lastUsedAt: number;
}

export interface SecretLinkStore {
  /** Returns it with the member who made it. One statement. */
  find(secretHash: string): Promise<{ link: SecretLink; maker: Member } | undefined>;
  findById(id: number): Promise<SecretLink | undefined>;
  insert(link: Omit<SecretLink, 'id' | 'lastUsedAt' | 'uses'> & { secretHash: string }): Promise<SecretLink>;
  /** Returns false if there is no such link. */
  remove(id: number): Promise<boolean>;
  removeExpired(pageId: number, now: number): Promise<void>;
  countOf(pageId: number): Promise<number>;
  /** Newest first, with their pages: of one page, or of all pages of an owner, or of all pages. */
  list(
    of: { pageId: number } | { ownerId: number } | 'all',
    limit: number,
  ): Promise<(SecretLink & { page: PageName; maker: string })[]>;
  /** Adds uses. One statement. */
  addUses(uses: readonly LinkUses[]): Promise<void>;
}
