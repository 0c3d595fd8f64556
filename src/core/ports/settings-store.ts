/** Store port of the settings of the site. The rules in `store.ts` apply. */
import type { PageName } from '../model/page.ts';
import type { Settings } from '../model/settings.ts';

export interface SettingsStore {
  /** All settings, as of the last `refresh` or transaction of this process. */
  current(): Readonly<Settings>;
  /** Settings that the environment decides: they count instead of what is stored, and cannot be changed. */
  readonly fixed: Readonly<Partial<Settings>>;
  /** Reads what other processes changed; called before each request. Returns undefined if nothing changed, without waiting. */
  refresh(): Promise<void> | undefined;
  /**
   * Writes settings, and all that follows from them: the audience of pages that everyone reads because of the world's digit
   * alone. Called in a transaction.
   */
  write(settings: Partial<Settings>, at: number, memberId: number | null): Promise<void>;
  /**
   * Whether the wiki is private, for writing a page with an audience that depends on it: it stays so until the end of the
   * transaction.
   */
  holdPrivate(): Promise<boolean>;
  /**
   * Pages that everybody reads if the wiki is public, by title, at most this many, and their number, which is counted to 10,000:
   * `isMore` if there are more.
   */
  publicPages(limit: number): Promise<{ pages: PageName[]; total: number; isMore: boolean }>;
}
