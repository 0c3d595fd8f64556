/**
 * The rows that Coppice keeps: every table with the meaning of each column, and the types of the columns. Each file of `tables/`
 * has the tables of one noun, named like the folder of `features` whose rows they are. They stand here and not in that folder,
 * because backups, verification and erasures go through all tables, and the store knows no feature. PostgreSQL carries the same
 * sentences as comments.
 *
 * Text is stored in UTF-8 and compared byte by byte on both engines (which is code point order); times are
 * milliseconds since the epoch. `page_text` and `page_names` are search indexes with a shape of each engine's own
 * and are not listed here.
 */
import type { Selectable } from 'kysely';
import { accessTables } from './tables/access.ts';
import { auditTables } from './tables/audit.ts';
import type { Column, TableDefinitions } from './tables/column.ts';
import { commentTables } from './tables/comments.ts';
import { draftTables } from './tables/drafts.ts';
import { editingTables } from './tables/editing.ts';
import { eventTables } from './tables/events.ts';
import { favouriteTables } from './tables/favourites.ts';
import { fileTextTables } from './tables/file-texts.ts';
import { groupTables } from './tables/groups.ts';
import { historyTables } from './tables/history.ts';
import { linkTables } from './tables/links.ts';
import { mailTables } from './tables/mails.ts';
import { memberTables } from './tables/members.ts';
import { pageTables } from './tables/pages.ts';
import { proposalTables } from './tables/proposals.ts';
import { reportTables } from './tables/reports.ts';
import { settingsTables } from './tables/settings.ts';
import { signInTables } from './tables/sign-in.ts';
import { strangerTables } from './tables/strangers.ts';
import { tokenTables } from './tables/tokens.ts';
import { trashTables } from './tables/trash.ts';
import { watchTables } from './tables/watches.ts';
import { webhookTables } from './tables/webhooks.ts';
import { workTables } from './tables/work.ts';

/** Ordered so that a table comes after those it refers to. Rows of `history.ts` may belong to a page in the trash. */
export const tables = {
  ...memberTables,
  ...signInTables,
  ...groupTables,
  ...accessTables,
  ...pageTables,
  ...trashTables,
  ...historyTables,
  ...eventTables,
  ...mailTables,
  ...workTables,
  ...settingsTables,
  ...tokenTables,
  ...auditTables,
  ...draftTables,
  ...editingTables,
  ...favouriteTables,
  ...commentTables,
  ...proposalTables,
  ...watchTables,
  ...webhookTables,
  ...linkTables,
  ...fileTextTables,
  ...reportTables,
  ...strangerTables,
} satisfies TableDefinitions;

export type Tables = { [T in keyof typeof tables]: ValuesOf<(typeof tables)[T]['columns']> };
type ValuesOf<Columns> = { [C in keyof Columns]: Columns[C] extends Column<infer Value> ? Value : never };

/** A row as the query returns it. */
export type RowOf<T extends keyof Tables> = Selectable<Tables[T]>;

export const tableNames = Object.keys(tables) as (keyof Tables)[];

/** Tables that backups contain. */
export const contentTables = tableNames.filter(
  (name) => !(tables as TableDefinitions)[name]?.isLeftOutOfBackups,
);
