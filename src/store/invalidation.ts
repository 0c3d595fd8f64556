/**
 * Dependencies (`cache/dependency.ts`) that writing a row invalidates, in one table by column. Writers name the columns and
 * rows that they write. A column missing from the table invalidates everything, so an omission costs speed but never
 * correctness.
 */
import {
  anyContent,
  childrenBeneath,
  childrenOf,
  type Dependency,
  descendantsOf,
  factsOf,
  leadsTo,
  linksTo,
  namesOfPages,
  newPages,
  orderOf,
  pathsAbove,
  placesAt,
  requestedLinks,
  tagged,
  tagNamed,
  typed,
} from '#cache/dependency.ts';
import type { Database, Engine } from './engine.ts';
import type { Tables } from './tables.ts';

/** A page in its former or current state. */
export interface PageVersion {
  title_key: string;
  path: string;
  path_key: string;
  type: string | null;
  lat: number | null;
  /** IDs of its ancestors, root first. */
  ancestors: readonly number[];
}

interface PageWrite {
  id: number;
  /** Both versions if they differ, or the only one. */
  versions: readonly PageVersion[];
  /** Dependencies of everything that shows its title or path: `shownBy`. */
  shownBy: readonly Dependency[];
}

/** Row data that the rules use; for most tables, the written rows. */
interface Written {
  pages: PageWrite;
  files: { page_id: number; pagePathKey: string | undefined };
  links: Pick<Tables['links'], 'key'>;
  aliases: Pick<Tables['aliases'], 'page_id' | 'path_key'>;
  likes: Pick<Tables['likes'], 'page_id'>;
  comments: Pick<Tables['comments'], 'page_id'>;
  tags: Pick<Tables['tags'], 'key' | 'value_key'>;
}
type WrittenRow<T extends keyof Tables> = T extends keyof Written ? Written[T] : unknown;

type Rule<Row> = 'nothing' | 'everything' | ((row: Row) => readonly Dependency[]);
/** One rule for all columns of a table, or one for each. */
type Rules = {
  readonly [T in keyof Tables]:
    | Rule<WrittenRow<T>>
    | { readonly [C in keyof Tables[T]]: Rule<WrittenRow<T>> };
};

const facts = ({ id }: PageWrite) => [id, factsOf(id)];
const content = ({ id }: PageWrite) => [id, anyContent];
const location = (page: PageWrite) => [
  ...facts(page),
  ...page.versions.flatMap(({ lat }) => (lat === null ? [] : [placesAt({ lat })])),
];
const title = (page: PageWrite) => [
  ...facts(page),
  namesOfPages,
  ...page.versions.flatMap(({ title_key, ancestors }) => [
    leadsTo(title_key),
    childrenOf(ancestors.at(-1) ?? null),
  ]),
  ...page.shownBy,
];
const place = (page: PageWrite) => [
  ...facts(page),
  ...page.versions.flatMap(({ path, ancestors }) => [
    ...pathsAbove(path),
    ...childrenBeneath(ancestors),
    ...ancestors.map(descendantsOf),
    orderOf(ancestors.at(-1) ?? null),
  ]),
  ...page.shownBy,
];

export const invalidation: Rules = {
  pages: {
    // A new page. Removing one affects so much that everything is invalidated.
    id: ({ versions }) => [
      requestedLinks,
      newPages,
      anyContent,
      ...versions.flatMap(({ title_key, path_key, path, type, lat, ancestors }) => [
        leadsTo(title_key),
        leadsTo(path_key),
        ...childrenBeneath(ancestors),
        ...ancestors.map(descendantsOf),
        ...pathsAbove(path),
        ...(type === null ? [] : [typed(type)]),
        ...(lat === null ? [] : [placesAt({ lat })]),
      ]),
    ],
    path: place,
    path_key: place,
    path_fold: place,
    parent_id: place,
    depth: place,
    trail: place,
    title,
    title_key: title,
    sort_key: title,
    audience: (page) => [
      ...title(page),
      ...page.versions.flatMap(({ ancestors }) => [
        ...childrenBeneath(ancestors),
        orderOf(ancestors.at(-1) ?? null),
      ]),
    ],
    type: (page) => [
      ...facts(page),
      ...page.versions.flatMap(({ type, title_key, ancestors }) => [
        childrenOf(ancestors.at(-1) ?? null),
        ...(type === null ? [] : [typed(type)]),
        // A link to a title resolves to a page of such a type first.
        ...(type === 'Template' || type === 'Module' ? [leadsTo(title_key)] : []),
      ]),
    ],
    lat: location,
    lon: location,
    cell: location,
    slug: facts,
    description: facts,
    review_by: facts,
    // Links lead to originals or to translations by the languages of both.
    language: (page) => [...facts(page), ...page.shownBy],
    // All pages of a set depend on facts of the original.
    original_id: (page) => [...facts(page), ...page.shownBy],
    rendered_id: facts,
    rendered_paragraphs: facts,
    permissions: facts,
    owner_id: facts,
    group_id: facts,
    grants: facts,
    audience_id: facts,
    beneath_id: facts,
    default_permissions: facts,
    default_group_id: facts,
    default_template: facts,
    // Pages whose addresses lie beneath it without being beneath it in the tree.
    protection: (page) => [...facts(page), ...page.versions.map(({ path_key }) => leadsTo(path_key))],
    rule: (page) => [...facts(page), ...page.versions.map(({ path_key }) => leadsTo(path_key))],
    sibling_rank: ({ versions }) =>
      versions.flatMap(({ ancestors }) => [
        childrenOf(ancestors.at(-1) ?? null),
        orderOf(ancestors.at(-1) ?? null),
        ...ancestors.map(descendantsOf),
      ]),
    created_at: facts,
    change_id: content,
    updated_at: content,
    history_from: ({ id }) => [id],
    history_bytes: 'nothing',
    follows_path: 'nothing',
  },
  // Covered by the page's own `change_id`.
  changes: 'nothing',
  // Names of members occur on many pages; other fields are shown only to themselves and to administrators, whose responses are
  // not cached.
  members: {
    name: 'everything',
    id: 'nothing',
    email: 'nothing',
    email_key: 'nothing',
    is_active: 'nothing',
    is_bot: 'nothing',
    epoch: 'nothing',
    passphrase_hash: 'nothing',
    created_at: 'nothing',
    name_skeleton: 'nothing',
    folded_name_skeleton: 'nothing',
    email_skeleton: 'nothing',
    failed_sign_ins: 'nothing',
    failed_since: 'nothing',
    // The member sees other pages from now on.
    group_ids: 'everything',
    // Guests see fewer pages.
    role: 'everything',
    blocked_at: 'nothing',
    blocked_until: 'nothing',
    blocked_by: 'nothing',
    block_reason: 'nothing',
    language: 'nothing',
  },
  groups: 'everything',
  // Rows never change; pages are written when they get another one.
  audiences: 'nothing',
  audience_readers: 'nothing',
  group_members: 'everything',
  links: ({ key }) => [requestedLinks, linksTo(key)],
  // Computed from links and names of pages, whose rules name the same dependency.
  wanted: () => [requestedLinks],
  tags: ({ key, value_key }) => [tagged(value_key), tagNamed(key)],
  aliases: ({ page_id, path_key }) => [page_id, requestedLinks, leadsTo(path_key)],
  likes: ({ page_id }) => [page_id],
  // Pages show the number of their open comments.
  comments: ({ page_id }) => [page_id],
  comment_mentions: 'nothing',
  comment_texts: 'nothing',
  // Other pages refer to its files by its path.
  files: ({ page_id, pagePathKey }) => [
    page_id,
    ...(pagePathKey === undefined ? [] : [leadsTo(pagePathKey)]),
  ],
  // Responses made from the following tables are not cached, or have no dependency of their own.
  events: 'nothing',
  trash: 'nothing',
  trashed_pages: 'nothing',
  trashed_tags: 'nothing',
  trashed_searches: 'nothing',
  invitations: 'nothing',
  reset_links: 'nothing',
  oauth_handles: 'nothing',
  identities: 'nothing',
  sessions: 'nothing',
  api_tokens: 'nothing',
  secret_links: 'nothing',
  favourites: 'nothing',
  page_reads: 'nothing',
  vain_searches: 'nothing',
  file_texts: 'nothing',
  file_text_parts: 'nothing',
  file_terms: 'nothing',
  outside_links: 'nothing',
  link_rounds: 'nothing',
  told_reviews: 'nothing',
  editor_drafts: 'nothing',
  open_editors: 'nothing',
  idempotency_keys: 'nothing',
  imports: 'nothing',
  scheduled_exports: 'nothing',
  mails: 'nothing',
  sent_mails: 'nothing',
  address_changes: 'nothing',
  audit: 'nothing',
  webhooks: 'nothing',
  webhook_deliveries: 'nothing',
  second_factors: 'nothing',
  recovery_codes: 'nothing',
  second_factor_clients: 'nothing',
  sign_ups: 'nothing',
  spent_challenges: 'nothing',
  submissions: 'nothing',
  stranger_days: 'nothing',
  proposals: 'nothing',
  proposal_changes: 'nothing',
  proposal_files: 'nothing',
  proposal_reviews: 'nothing',
  erasures: 'nothing',
  search_renewal: 'nothing',
  // Pages show the settings, and some decide who may read.
  settings: 'everything',
  passkeys: 'nothing',
  answered_challenges: 'nothing',
  watches: 'nothing',
  watchers: 'nothing',
  notifications: 'nothing',
  watched_events: 'nothing',
};

/** More pages or aliases at once invalidate everything, because naming each would cost more than it saves. */
export const maxNamed = 100;

/** Records, within the transaction of `db`, that these columns of these rows are written. */
export function invalidate<T extends keyof Tables>(
  { engine, db }: { engine: Engine; db: Database },
  table: T,
  columns: 'all' | Iterable<keyof Tables[T]>,
  rows: readonly WrittenRow<T>[],
): void {
  const isMany = rows.length > maxNamed && (table === 'pages' || table === 'aliases');
  engine.invalidate(db, isMany ? 'all' : dependenciesOf(table, columns, rows));
}

export function dependenciesOf<T extends keyof Tables>(
  table: T,
  columns: 'all' | Iterable<keyof Tables[T]>,
  rows: readonly WrittenRow<T>[],
): Dependency[] | 'all' {
  const rules = ruleFor(table, columns);
  if (rules === 'everything') return 'all';
  return [...new Set(rules.flatMap((rule) => rows.flatMap((row) => rule(row))))];
}

function ruleFor<T extends keyof Tables>(table: T, columns: 'all' | Iterable<keyof Tables[T]>) {
  type Named = Exclude<Rule<WrittenRow<T>>, string>;
  const entry = (Object.hasOwn(invalidation, table) ? invalidation[table] : 'everything') as
    | Rule<WrittenRow<T>>
    | Partial<Record<keyof Tables[T], Rule<WrittenRow<T>>>>;
  const rules =
    typeof entry !== 'object'
      ? [entry]
      : columns === 'all'
        ? Object.values<Rule<WrittenRow<T>> | undefined>(entry)
        : [...columns].map((column) => (Object.hasOwn(entry, column) ? entry[column] : undefined));
  const named = new Set<Named>();
  for (const rule of rules) {
    if (rule === undefined || rule === 'everything') return 'everything';
    if (rule !== 'nothing') named.add(rule as Named);
  }
  return [...named];
}
