/**
 * The rows that Coppice keeps, all in one file: what every table and column means, and the types of the columns. PostgreSQL carries
 * the same sentences as comments.
 *
 * Text is stored in UTF-8 and compared byte by byte on both engines (which is code point order); times are
 * milliseconds since the epoch. `page_text` and `page_names` are search indexes with a shape of each engine's own
 * and are not listed here. All tables stand in one file, as they are read together.
 */

import type { Generated, Selectable } from 'kysely';
import type { Role } from '#core/model/member.ts';

/** SQLite keeps booleans as 0 and 1: write either, read through `Boolean`. */
export type Truth = boolean | 0 | 1;

interface Column<Value> {
  meaning: string;
  isTruth?: boolean;
  /** Never set; only carries the type of the column's values. */
  type?: Value;
}

const column = <Value>(meaning: string): Column<Value> => ({ meaning });
const id = column<Generated<number>>;
const text = column<string>;
const textOrNull = column<string | null>;
const integer = column<number>;
const integerOrNull = column<number | null>;
const realOrNull = column<number | null>;
const truth = (meaning: string): Column<Truth> => ({ meaning, isTruth: true });
/** Optional in a new row. */
const withDefault = <Value>(column: Column<Value>): Column<Generated<Value>> =>
  column as Column<Generated<Value>>;
const holder = () =>
  withDefault(
    textOrNull('Process that holds the lease, where other processes can see when it ends: see `leases.ts`.'),
  );

/** Ordered so that a table comes after those it refers to, including `trashed_pages`. */
export const tables = {
  members: {
    meaning: 'People with an account.',
    columns: {
      id: id('Public ID of the member. IDs grow in order of joining.'),
      email: text('Address as written. Responses show it only to the member and to administrators.'),
      email_key: text(
        'Address in NFC and lower case; unique, so that addresses differing in case cannot become two accounts.',
      ),
      name: text('Name shown for owners, editors and uploaders.'),
      is_active: truth('An inactive member cannot sign in, and no token of theirs is valid.'),
      is_bot: withDefault(
        truth('Whether the account is a program that acts only with API tokens. Nobody can sign in to it.'),
      ),
      epoch: integer('Raised to end every session of the member. Tokens with an older epoch are invalid.'),
      passphrase_hash: textOrNull('Argon2id in PHC form. Null for members who sign in only by a provider.'),
      created_at: integer('When the account was made.'),
      name_skeleton: textOrNull(
        'Skeleton of the name by UTS #39. Names that look alike have the same skeleton.',
      ),
      folded_name_skeleton: textOrNull('Skeleton of the name without regard to case.'),
      email_skeleton: textOrNull('Skeleton of the address without regard to case.'),
      failed_sign_ins: withDefault(
        integer('Sign-ins with a wrong passphrase since the member was last informed of them.'),
      ),
      failed_since: integerOrNull('Time of the first of these failed sign-ins. Null if there are none.'),
      group_ids: withDefault(
        text('IDs of the member’s groups, ascending and separated by spaces: a copy of `group_members`.'),
      ),
      role: withDefault(
        column<Role>(
          '`guest`, `reader`, `writer`, `moderator` or `administrator`. Administrators read and write everything and manage members.',
        ),
      ),
      blocked_at: integerOrNull(
        'Time of the latest block, which may be over. Null if the member was never blocked or the block was lifted.',
      ),
      blocked_until: integerOrNull('When the block ends by itself. Null for a block without an end.'),
      blocked_by: integerOrNull('Member who blocked them. Null for the command line.'),
      block_reason: textOrNull('Reason of the block, as the member sees it.'),
      language: withDefault(
        textOrNull(
          'Language of the site and of mail for the member, BCP 47. Null if the browser and the wiki decide.',
        ),
      ),
    },
  },
  groups: {
    meaning:
      'Groups of members. If a page belongs to a group, the second digit of its permissions applies to that group.',
    columns: {
      id: id('ID of the group. It is never reused, because audiences and changes refer to it.'),
      name: text('Unique without regard to case.'),
      name_key: text('The name in NFC and lower case.'),
      created_at: integer('When the group was made.'),
    },
  },
  audiences: {
    meaning:
      'Sets of readers and writers that pages with grants have. A row never changes, and all pages of the same set share it.',
    columns: {
      id: id('Never used again, as audiences of pages and events refer to it.'),
      key: text(
        'The subject that reads by the digits, if any, a slash, and the effective grants by subject, writers marked: 0/5 12w.',
      ),
      key_entry: text('The key, or a unique prefix with a digest if it is long.'),
    },
  },
  audience_readers: {
    meaning: 'Who reads pages of an audience of `audiences`, their owners aside.',
    columns: {
      audience_id: integer('The row of `audiences`.'),
      subject: integer('0: all members; 2g: members of the group g; 2m + 1: the member m.'),
    },
  },
  group_members: {
    meaning: 'Members of each group.',
    columns: {
      group_id: integer('The group.'),
      member_id: integer('The member.'),
      by_provider: truth(
        'Whether a sign-in by a provider added the member. If so, a later sign-in may remove the member again.',
      ),
      added_at: integer('When the member was added.'),
    },
  },
  invitations: {
    meaning: 'One-time invitations to make an account. Only the hash of the token is kept.',
    columns: {
      id: id('ID for listing and revoking the invitation. It reveals nothing about the token.'),
      token_hash: text('SHA-256 of the token in the link, hex.'),
      role: column<Role>('Role of the new member.'),
      by_command_line: truth('Whether the invitation was made on the command line and so by no member.'),
      invited_by: integerOrNull(
        'The administrator who made the invitation. Null for the command line and for the link printed at the first start.',
      ),
      inviter_epoch: integerOrNull(
        'Epoch of the inviter at that time. The invitation is valid while the inviter has this epoch and is an active administrator.',
      ),
      created_at: integer('When the invitation was made.'),
      expires_at: integer('Expiry time of the invitation.'),
      used_at: integerOrNull('When the invitation was used. Null until then.'),
    },
  },
  reset_links: {
    meaning: 'One-time links by which a member chooses a new passphrase. Only the hash of the token is kept.',
    columns: {
      id: id('ID of the link, in order of creation.'),
      token_hash: text('SHA-256 of the token in the link, hex.'),
      member_id: integer('The member whose passphrase the link replaces.'),
      member_epoch: integer(
        'Epoch of the member at that time. The link is valid while the member has this epoch.',
      ),
      made_by: integerOrNull(
        'The administrator who made the link. Null for the command line and for mailed links.',
      ),
      maker_epoch: integerOrNull(
        'Epoch of the maker at that time. The link is valid while the maker has this epoch and is an active administrator.',
      ),
      created_at: integer('When the link was made.'),
      expires_at: integer('Expiry time of the link.'),
      used_at: integerOrNull(
        'When the link was used, which the site shows to the member for a while. Null until then.',
      ),
    },
  },
  oauth_handles: {
    meaning:
      'Stored OAuth 2.0 tokens, as the API calls them: secret handles, each of which signs in one member.',
    columns: {
      handle_hash: text('SHA-256 of the handle, base64url.'),
      member_id: integer('The member whom the handle signs in.'),
      provider: text('Name of the provider for which the handle was issued.'),
      created_at: integer('When the handle was issued.'),
    },
  },
  identities: {
    meaning:
      'Accounts at OpenID Connect providers and GitHub with which members sign in. An account belongs to one member.',
    columns: {
      issuer: text('Issuer, as the provider states it.'),
      subject: text('Permanent ID of the account at the issuer; never an e-mail address.'),
      member_id: integer('The member whom the account signs in.'),
      provider: text('Name of the provider in the settings when the account was linked, for display.'),
      account: textOrNull(
        'E-mail address or user name at the provider, shown only to the member. Null if the provider does not name one.',
      ),
      linked_at: integer('When the account was linked.'),
    },
  },
  sessions: {
    meaning: 'Active sign-ins. Not part of backups: restoring one signs everybody out.',
    columns: {
      id: text(
        '256 random bits in base64url. Sealed tokens and cookies refer to this ID; it cannot be used to sign in by itself.',
      ),
      member_id: integer('The member who is signed in.'),
      method: column<'passphrase' | 'handle' | 'provider' | 'passkey'>(
        'How the member signed in: passphrase, handle (of a stored OAuth 2.0 token), provider or passkey.',
      ),
      provider: textOrNull('Name of the provider in the settings; null for a passphrase or passkey.'),
      credential: textOrNull(
        'Credential whose removal ends the session: hash of the handle, issuer and subject of the identity separated by a space, or credential ID of the passkey. Null for a passphrase.',
      ),
      is_browser: truth(
        'Whether a cookie of the site refers to the session and lives as long as it. Otherwise only tokens of 15 minutes do.',
      ),
      user_agent: textOrNull(
        'Name that the client gave itself, shortened, by which the member can recognise it.',
      ),
      created_at: integer('When the member signed in.'),
      seen_at: integer('When the session was last used, accurate to a few minutes.'),
    },
  },
  api_tokens: {
    meaning:
      'Credentials of programs. Only the hash of the secret is kept. Not part of backups: restoring one must not bring back what was revoked.',
    columns: {
      id: id('ID for listing and revoking the token. It reveals nothing about the secret.'),
      token_hash: text('SHA-256 of the secret, hex.'),
      member_id: integer('The member for whom the token acts.'),
      name: text('Name that the member gave the token.'),
      scopes: text('Scopes of the token, separated by spaces: read, write, files, members, admin, preview.'),
      ancestor_id: integerOrNull(
        'Page to which the token is limited, with everything beneath it. Null for the whole wiki.',
      ),
      created_at: integer('When the token was made.'),
      expires_at: integerOrNull('Expiry time of the token. Null if it does not expire.'),
      last_used_at: integerOrNull(
        'When the token was last used, accurate to five minutes. Null if it was never used.',
      ),
      last_used_from: textOrNull('Client address of the last use.'),
    },
  },
  editor_drafts: {
    meaning: 'Texts in the editor that members have not saved yet. Only their author sees them.',
    columns: {
      member_id: integer('The member.'),
      draft_id: text('ID that the editor chose.'),
      key: text('Form in which it was written, such as a page or a section of it.'),
      page_id: integerOrNull('Page that is edited. Null for a new page.'),
      title: text('Title in the form.'),
      url: text('Address of the editor.'),
      base: text('ID of the change that the form started from. Empty for a new page.'),
      fields: text('Fields of the form, a JSON array of objects with `name` and `value`.'),
      bytes: integer('Length of the fields.'),
      updated_at: integer('When it was last kept.'),
    },
  },
  open_editors: {
    meaning: 'Members who have a page open for editing, kept for a minute.',
    columns: {
      page_id: integer('The page.'),
      member_id: integer('The member.'),
      seen_at: integer('When the editor last said that it is open.'),
    },
  },
  favourites: {
    meaning: 'Pages that members starred for themselves.',
    columns: {
      member_id: integer('The member.'),
      page_id: integer('The page, which may be in the trash.'),
      at: integer('When the member starred it.'),
    },
  },
  page_reads: {
    meaning: 'How often the site showed each page, if administrators want counts. Says nothing of readers.',
    columns: {
      page_id: integer('The page, which may be in the trash.'),
      month: text('Month, such as 2026-03, in UTC.'),
      reads: integer('Number of times.'),
    },
  },
  vain_searches: {
    meaning:
      'Searches of the site that found nothing, if administrators want counts. Says nothing of searchers.',
    columns: {
      words: text('The words, in lower case, at most 100 characters.'),
      times: integer('Number of times.'),
      last_at: integer('When they were last searched for, to the minute.'),
    },
  },
  file_texts: {
    meaning: 'Files whose text was read for searching, or is being read: one row for the same bytes.',
    columns: {
      hash: text('SHA-256 of the bytes, hex.'),
      begun_at: integer('When a process began to read it.'),
      attempts: integer('How often that was.'),
      read_at: integerOrNull('When its text was stored. Null until then.'),
    },
  },
  file_text_parts: {
    meaning: 'Texts of files, in pieces.',
    columns: {
      hash: text('SHA-256 of the bytes, hex.'),
      number: integer('Page of the document, slide, sheet or piece, counted from 1.'),
      text: text('Its text on one line.'),
    },
  },
  file_terms: {
    meaning: 'Search terms of these pieces.',
    columns: {
      term: text('Term, as `core/model/terms.ts` splits texts.'),
      hash: text('SHA-256 of the bytes, hex.'),
      number: integer('The piece.'),
    },
  },
  outside_links: {
    meaning: 'Addresses of other sites to which pages link, as they were when they were last checked.',
    columns: {
      page_id: integer('The page, which may be in the trash.'),
      url: text('The address.'),
      checked_at: integer('When it was last checked.'),
      problem: textOrNull(
        'A short reason why it could not be reached. Null if it could, or may not be asked.',
      ),
      dead_since: integerOrNull('When it failed first, if it failed every time since. Null if it works.'),
    },
  },
  link_rounds: {
    meaning: 'One row: how far the check of links to other sites has come.',
    columns: {
      id: id('Always 1.'),
      page_id: integer('The last page that was checked. 0 before the first one.'),
      begun_at: integer('When this round through all pages began.'),
      lease_until: integer('No process goes on before this time.'),
    },
  },
  told_reviews: {
    meaning: 'Pages whose members were told that a review is due.',
    columns: {
      page_id: id('The page, which may be in the trash.'),
      review_by: text('The day of that review.'),
    },
  },
  secret_links: {
    meaning:
      'Links by which anyone who has the URL reads a page. Only the hash of the secret is kept. Not part of backups: restoring one must not bring back what was revoked.',
    columns: {
      id: id('ID for listing and revoking the link. It reveals nothing about the secret.'),
      secret_hash: text('SHA-256 of the secret, hex.'),
      page_id: integer('Page that the link shows.'),
      beneath: truth('Whether the link also shows the pages beneath.'),
      made_by: integer('Member who made the link and whose rights it has.'),
      audience: integer(
        'Audience of the page by its digits in a public wiki, when the link was made. The link ends when the page has fewer readers.',
      ),
      created_at: integer('When the link was made.'),
      expires_at: integerOrNull('Expiry time of the link. Null if it does not expire.'),
      last_used_at: integerOrNull(
        'When the link was last used, accurate to a minute. Null if it was never used.',
      ),
      uses: integer('Number of pages read by the link.'),
    },
  },
  imports: {
    meaning: 'Imports started over HTTP, the latest hundred. Not part of backups.',
    columns: {
      id: id('ID of the import, in order of arrival.'),
      state: column<'running' | 'done' | 'failed' | 'cancelled'>(
        '`running` (at most one import), `done`, `failed` or `cancelled`.',
      ),
      member_id: integer('The administrator who started the import.'),
      done: withDefault(integer('Pages written so far.')),
      total: integerOrNull('Pages to write. Null while the source is still being read.'),
      begun_at: integer('When the import was started.'),
      seen_at: integer(
        'When its process last reported progress. A process that has reported nothing for a minute counts as ended.',
      ),
      error: textOrNull('Why the import failed. Null otherwise.'),
      certificate: textOrNull('Summary as JSON once the import is done. Null before.'),
      holder: holder(),
    },
  },
  scheduled_exports: {
    meaning: 'Exports that are made every few hours. Not part of backups.',
    columns: {
      format: text('Name of the export in the settings.'),
      state: column<'running' | 'done' | 'failed' | 'interrupted'>(
        '`running`, `done`, `failed`, or `interrupted` if the process was stopped. An interrupted export is due at once.',
      ),
      begun_at: integer('When the latest run was started.'),
      seen_at: integer(
        'When its process last reported progress. A process that has reported nothing for two minutes counts as ended.',
      ),
      succeeded_at: integerOrNull('When the latest run was finished. Null if none was.'),
      failures: withDefault(integer('Number of failed runs.')),
      holder: holder(),
    },
  },
  idempotency_keys: {
    meaning: 'Requests with an idempotency key and their responses, kept for a day. Not part of backups.',
    columns: {
      id: id('ID of the request, in order of arrival.'),
      member_id: integer('The member against whose limit the request counts.'),
      key: text(
        'Credential (`session:` or `token:` and its ID), a space, and the key that the client chose.',
      ),
      fingerprint: text(
        'SHA-256 of method, URL, condition and body, hex. A different request with the same key is refused.',
      ),
      attempt: text(
        'Random ID of the attempt that carries out the request. Only this attempt can commit and answer.',
      ),
      state: column<'begun' | 'done' | 'answered'>(
        'begun: nothing is committed. done: committed, without a response yet. answered: the response is stored and sent again.',
      ),
      begun_at: integer('When the request arrived. The row is deleted a day later.'),
      lease_until: integer(
        'While the state is begun: time from which another attempt may take over. The running attempt keeps postponing it.',
      ),
      status: integerOrNull('Status of the response.'),
      headers: textOrNull('Headers that are sent again with the response, as a JSON object.'),
      body: textOrNull(
        'Body of the response: a letter for its encoding, then the text. Null if it was too long to store.',
      ),
      bytes: withDefault(integer('Length of the body as stored.')),
      holder: holder(),
    },
  },
  pages: {
    meaning:
      'Current state of every page, one row each, without anything that grows with history or neighbours.',
    columns: {
      id: id('Public ID of the page, in order of creation.'),
      path: text('Unique address within the wiki. It begins with a slash and is case-sensitive.'),
      path_key: text('The path in lower case, for autocomplete and for links that differ only in case.'),
      slug: text('Last part of a generated path.'),
      title: text('Title as shown. Several pages may share one.'),
      title_key: text(
        'The title in NFC and lower case with white space collapsed, by which links find the page.',
      ),
      sort_key: text(
        'The title folded for searching and for alphabetical order (at most 400 characters). Ties are broken by ID.',
      ),
      description: text('Shown description: given explicitly, or derived from the body.'),
      type: textOrNull(
        'Shown type: given explicitly, set by a marker, or Place for a page with a location. Null for pages without a type.',
      ),
      lat: realOrNull('Shown location, degrees north. Null together with lon and cell.'),
      lon: realOrNull('Shown location, degrees east.'),
      cell: integerOrNull(
        'Number of the band of latitude, a tenth of a degree, times 2^20, plus the step of longitude within it.',
      ),
      parent_id: integerOrNull('Parent page. Null for a root page.'),
      depth: integer('Number of ancestors.'),
      trail: text(
        'IDs of the ancestors, root first, each after a slash, with a slash at the end: /1/5/. For a root page: /.',
      ),
      review_by: withDefault(textOrNull('Day from which the page is to be reviewed. Null for never.')),
      language: withDefault(
        textOrNull('Language of its text, a BCP 47 tag. Null for the language of the wiki.'),
      ),
      original_id: withDefault(
        integerOrNull(
          'Page of which this one is a translation; it is none itself. It may have been deleted. Null for a page that is no translation.',
        ),
      ),
      rendered_id: withDefault(
        integerOrNull('Change of the original that the translation renders. Null for a page that is none.'),
      ),
      permissions: integer('Three octal digits as a decimal number: owner, group, world.'),
      audience: integer(
        'Audience that the permissions give: 0 everyone, 1 members, 2 the owner, 3 only administrators. For a page of group g: 2g + 2 the group and the owner, 2g + 3 the group. With grants: 2^40 + 2a the readers of row a of `audiences` and the owner, 2^40 + 2a + 1 only these readers.',
      ),
      grants: withDefault(textOrNull('Grants of the page itself as JSON. Null for none.')),
      audience_id: withDefault(
        integerOrNull('Row of `audiences` with its own and its inherited grants. Null for none.'),
      ),
      beneath_id: withDefault(
        integerOrNull(
          'Row of `audiences` with the grants that hold for all pages beneath it. Null for none.',
        ),
      ),
      follows_path: truth(
        'Whether links of the page may be relative to its path, so that they are derived again when it moves. May be true without such links.',
      ),
      owner_id: integer('The member who created the page.'),
      group_id: integerOrNull(
        'Group to which the second digit of the permissions applies. Null for all members.',
      ),
      default_permissions: integerOrNull(
        'Default permissions of new pages beneath it. Null if it has no defaults.',
      ),
      default_template: withDefault(
        textOrNull('Path of the page template with which new pages beneath it begin. Null for none.'),
      ),
      default_group_id: integerOrNull(
        'Default group of new pages beneath it. Null for all members, or if it has no defaults.',
      ),
      protection: textOrNull(
        'Protection of the page as JSON: `level` that may write it, `subtree` if pages beneath are protected with it, `reason`, `until`. Null if it is not protected.',
      ),
      rule: withDefault(
        textOrNull(
          'Rule for the page and everything beneath it as JSON: number of `approvals` that a proposal needs, and ID of the `group` that can give them; no group: moderators. Null without a rule.',
        ),
      ),
      change_id: integer('The latest change, whose content is the current content.'),
      history_bytes: integer('Stored length of the contents of all its changes from history_from on.'),
      history_from: withDefault(
        integer(
          'The first change that all readers of the page may see; 0 for all changes. Only its owner and administrators see earlier ones.',
        ),
      ),
      created_at: integer('When the first change was made.'),
      updated_at: integer('When the latest change was made. It never decreases.'),
      path_fold: textOrNull(
        'The path folded for searching (at most 400 characters). Null if it equals path_key.',
      ),
      sibling_rank: withDefault(
        integer(
          'Position among its siblings, from 0, as members arranged them; 2,000,000,000 if it was never placed. Equal ones are in order of their titles.',
        ),
      ),
    },
  },
  trash: {
    meaning: 'Deletions that can be undone: one row for each deleted page, including everything beneath it.',
    columns: {
      id: id('ID of the deletion, in order of deletion.'),
      page_id: integer('The page that was deleted, with the pages beneath it.'),
      path: text('Path that the page had.'),
      title: text('Its title.'),
      trail: text(
        'IDs of its ancestors as in `pages`. When restored, the page goes beneath the nearest one that still exists.',
      ),
      audience: integer('Audience that could read the page and may see that it was deleted.'),
      owner_id: integer('Its owner.'),
      pages: integer('Number of deleted pages, including the page itself.'),
      world_pages: integer('Number of these pages that everyone could read.'),
      members_pages: integer('Number of these pages that members could read.'),
      deleted_at: integer('When.'),
      deleted_by: integer('The member who deleted it.'),
    },
  },
  trashed_pages: {
    meaning:
      'Pages in the trash: the columns that cannot be derived from their current change. Their changes, files, likes and old paths stay in their tables.',
    columns: {
      id: integer('ID that the page had and will have again when restored.'),
      trash_id: integer('The deletion that removed the page.'),
      path: text('Path that the page had.'),
      title: text('Its title.'),
      parent_id: integerOrNull('Parent page. Null for a root page.'),
      depth: integer('Number of its ancestors. Parents are restored before their children.'),
      permissions: integer('As in `pages`.'),
      audience: integer('Audience that could read the page, as in `pages`.'),
      audience_id: withDefault(integerOrNull('As in `pages`.')),
      owner_id: integer('As in `pages`.'),
      group_id: integerOrNull('As in `pages`.'),
      default_group_id: integerOrNull('As in `pages`.'),
      protection: textOrNull('As in `pages`.'),
      rule: withDefault(textOrNull('As in `pages`.')),
      type: textOrNull('As in `pages`.'),
      change_id: integer('The latest change of the page.'),
      history_bytes: integer('As in `pages`.'),
      history_from: integer('As in `pages`.'),
      created_at: integer('As in `pages`.'),
      updated_at: integer('As in `pages`.'),
      sibling_rank: withDefault(integer('As in `pages`.')),
      original_id: withDefault(integerOrNull('As in `pages`.')),
      rendered_id: withDefault(integerOrNull('As in `pages`.')),
    },
  },
  trashed_tags: {
    meaning: 'Tags that pages in the trash had, for filtering events.',
    columns: {
      page_id: integer('The page in the trash.'),
      seq: integer('As in `tags`.'),
      key: text('As in `tags`.'),
      value: text('As in `tags`.'),
      value_key: text('As in `tags`.'),
    },
  },
  trashed_searches: {
    meaning:
      'Watched searches that found pages when they were moved to the trash, for matching their events.',
    columns: {
      page_id: integer('The page in the trash.'),
      target: text('As in `watches`.'),
    },
  },
  changes: {
    meaning:
      'Every version of every page, complete, including pages in the trash. Only an erasure alters rows, and only purging a page from the trash removes them.',
    columns: {
      id: id('Public ID of the change, in order of saving; also the version of its page.'),
      page_id: integer('The page that was changed.'),
      at: integer('When.'),
      editor_id: integer('The member who made the change.'),
      content: text(
        'The explicit state of the page after the change, with body and names of files, as a JSON object.',
      ),
    },
  },
  events: {
    meaning:
      'Feed of what happened to pages, for programs that follow the wiki. Written with each change; afterwards only place and review change.',
    columns: {
      id: id('Public ID of the event, in order of writing.'),
      position: integerOrNull(
        'Position in the order of commits, assigned once the event is committed. Null before. Also null on engines that write in order of commits; there the ID is the position.',
      ),
      kind: text(
        'created, edited, moved, permissions, deleted, restored, erased, ordered, commented, proposed, reviewed, merged or due.',
      ),
      at: integer('When.'),
      page_id: integer('The page, which may no longer exist.'),
      change_id: integer('The latest change of the page at that time.'),
      path: text('Path of the page after the event.'),
      title: text('Title of the page after the event.'),
      trail: text('IDs of the ancestors after the event, as in `pages`.'),
      audience: integer('Audience of the page after the event.'),
      lost_audience: integerOrNull(
        'Former audience, in an event that informs former readers that they can no longer read the page. Null in every other event.',
      ),
      owner_id: integer('Owner of the page.'),
      editor_id: integer('The member who caused the event.'),
      msg: text('Message of the change.'),
      facts: withDefault(
        integer(
          '1 if the event may have altered what pages beneath show of the page, which is everything except its content; otherwise 0.',
        ),
      ),
      from_path: textOrNull('Path of the page before a move. Null for other events.'),
      from_title: textOrNull(
        'Title of the page before the event, if it changed or the page was deleted. Null otherwise.',
      ),
      from_trail: textOrNull('IDs of the ancestors before a move. Null for other events.'),
      comment_id: withDefault(integerOrNull('The comment that the event is about. Null for other events.')),
      original_id: withDefault(
        integerOrNull('Page of which the page was a translation before the event. Null if it was none.'),
      ),
      awaits_review: withDefault(
        integer(
          '1 until a moderator marks the event as reviewed or it is old; 0 from the beginning if a moderator or administrator caused it.',
        ),
      ),
    },
  },
  aliases: {
    meaning:
      'Paths at which pages once lived, or which their front matter declares. A reader who sees no page at such a path is redirected to the readable page that left it last.',
    columns: {
      id: id(
        'ID of the alias, in order of leaving. If several pages had the same path, the one with the highest ID left it last.',
      ),
      path: text('The old path. Another page may use it now.'),
      path_key: text('The old path in lower case.'),
      page_id: integer('The page that had the path.'),
    },
  },
  likes: {
    meaning: 'Likes of pages by members.',
    columns: {
      page_id: integer('The page.'),
      member_id: integer('The member.'),
      at: integer('When the page was liked.'),
    },
  },
  tags: {
    meaning: 'Tags of the current content. Derived: rebuilt from the changes.',
    columns: {
      page_id: integer('The page that carries the tag.'),
      seq: integer('Position among the tags of the page, from 0.'),
      key: text('Name, lower case.'),
      value: text('Value as written.'),
      value_key: text('The value. If it is too long for an index, its beginning and its SHA-256.'),
    },
  },
  files: {
    meaning:
      'Files of pages, current and replaced: one row for each file that a change names, removed only with its page. The file store keeps the bytes under their hash.',
    columns: {
      name: text('Name that the server made, unique in the wiki, by which the file is served.'),
      page_id: integer('Page that the file belongs to and whose permissions apply to it.'),
      filename: text('Name that the uploader gave; unique among the current files of the page.'),
      hash: text('SHA-256 of the bytes, hex.'),
      mime: text('Media type, detected from the bytes, with charset for a text.'),
      size_bytes: integer('Length.'),
      width: integerOrNull('Width in pixels; images only.'),
      height: integerOrNull('Height in pixels; images only.'),
      thumbnail: textOrNull('Name by which the thumbnail is served; images only.'),
      thumbnail_hash: textOrNull('SHA-256 of the bytes of the thumbnail, hex.'),
      thumbnail_mime: textOrNull('Type of the thumbnail.'),
      uploaded_at: integer('When.'),
      uploader_id: integer('The member who uploaded it.'),
      until_change_id: integerOrNull(
        'The latest change that removed the file from the page. Null while the page has it.',
      ),
      sort_key: text(
        'The uploader’s name for the file, folded for alphabetical order and for finding parts of it.',
      ),
    },
  },
  links: {
    meaning: 'Links of the current content. Derived: rebuilt from the changes.',
    columns: {
      source_id: integer('The page that contains the link.'),
      kind: column<'page' | 'template' | 'file'>(
        'page for a wiki link, template for a call of a template or module, file for an embedded or linked file.',
      ),
      target: text('Target as written, normalised: a path if it starts with a slash, otherwise a title.'),
      key: text('The target in lower case. Links with the same key count as one wanted link.'),
      is_path: truth('Whether the target is a path.'),
      count: integer('Number of times that the link occurs in the page.'),
      audience: integer('Copy of the audience of the source, so that counting does not read the page.'),
    },
  },
  wanted: {
    meaning:
      'Number of pages that link to each missing target, for each audience. Every write updates it; rows exist only while one of the counts is above 0.',
    columns: {
      key: text('Key of the links.'),
      sort_key: text('The key folded for alphabetical order.'),
      world_count: integer('Pages that everyone can read and whose link leads nowhere for everyone.'),
      members_count: integer(
        'Pages that members can read and whose link leads to no page that every member can read.',
      ),
      all_count: integer('Pages of any audience whose link leads to no existing page.'),
      private_count: integer(
        'Pages that only their owner or a group can read and whose link leads to no page that every member can read.',
      ),
    },
  },
  webhooks: {
    meaning:
      'Addresses to which events are sent. Not part of backups, so that a copy of the wiki sends nothing.',
    columns: {
      id: id('ID of the webhook, in order of creation.'),
      member_id: integer(
        'The administrator who owns the webhook. Events are sent while the owner is an administrator, and only those that the owner may read.',
      ),
      url: text('URL to which events are sent.'),
      kinds: textOrNull('Kinds of events, separated by commas. Null for all kinds.'),
      body_format: textOrNull(
        'Chat program for whose messages events are written. Null for events as they are.',
      ),
      ancestor_id: integerOrNull(
        'Page to which the webhook is limited, with everything beneath it. Null for the whole wiki.',
      ),
      secret: text(
        'Key of the signatures, as it was shown. It is stored in clear text because signing requires it.',
      ),
      created_at: integer('When.'),
      disabled_at: integerOrNull('When the webhook was disabled. Null while it is enabled.'),
      disabled_reason: textOrNull('Why the webhook was disabled, in one sentence.'),
      position: integer(
        'Position in the order of events. Later events have not been sent yet; earlier ones have been sent or wait in the log.',
      ),
      last_success_at: integerOrNull('When the address last accepted an event. Null if it never did.'),
      leased_until: integerOrNull(
        'End of the lease of the process that sends for it, even if that process dies. Null if no process holds one.',
      ),
      leased_by: textOrNull('Random name of that process.'),
      holder: holder(),
    },
  },
  webhook_deliveries: {
    meaning:
      'Log of the latest deliveries of each webhook, including those that are tried again. Not part of backups.',
    columns: {
      id: id('ID of the delivery, in order of the first attempt.'),
      webhook_id: integer('The webhook.'),
      position: integerOrNull(
        'Position of the event, whose text is written for each attempt. Null for a test.',
      ),
      message_id: text('Cursor of the event, by which the receiver recognises a repeated delivery.'),
      kind: text('Kind of the event, or test.'),
      created_at: integer(
        'When the event was first tried, or first tried again after the webhook was disabled.',
      ),
      state: text(
        'waiting: it is tried again. delivered. failed: no further attempts. left-out: the owner may not read the event any more.',
      ),
      due_at: integerOrNull('Time of the next attempt. Null unless the state is waiting.'),
      attempts: integer('Number of attempts.'),
      attempted_at: integer('Time of the latest attempt.'),
      status: integerOrNull('HTTP status of the latest response. Null if there was none.'),
      answer: text('Beginning of the latest response, or why there was none.'),
      took_ms: integer('Duration of the latest attempt.'),
    },
  },
  mails: {
    meaning:
      'Mail that has not been sent yet or could not be sent. A row holds the subject matter only; text and links are made at sending, so that no secret is stored here. Not part of backups.',
    columns: {
      id: id('ID of the mail, in order of queueing.'),
      kind: text('Subject matter of the mail, such as passphrase-forgotten.'),
      address_key: text('Recipient address, in NFC and lower case.'),
      mail: text('Kind, address and values for the text, as a JSON object.'),
      created_at: integer('When the mail was queued.'),
      due_at: integerOrNull(
        'Time of the next attempt; the process that is sending postpones it. Null if no further attempts are made, or if no mail server is set and an administrator must pass on the mail.',
      ),
      attempts: withDefault(integer('Number of attempts.')),
      error: textOrNull('Reply of the mail server to the latest attempt, or why there was none.'),
      holder: holder(),
    },
  },
  sent_mails: {
    meaning:
      'When mail of each kind was last sent to an address within a day, so that repeated requests do not flood a mailbox. Not part of backups.',
    columns: {
      kind: text('As in `mails`.'),
      address_key: text('As in `mails`.'),
      asked_at: integer('When the mail was queued.'),
    },
  },
  address_changes: {
    meaning:
      'New e-mail addresses that members have not confirmed yet, at most one for each member. Not part of backups.',
    columns: {
      id: id('ID of the request, in order of asking.'),
      token_hash: textOrNull(
        'SHA-256 of the token in the latest mailed link, hex. Null before the mail is sent.',
      ),
      member_id: integer('The member whose address changes.'),
      member_epoch: integer(
        'Epoch of the member at that time. The link is valid while the member has this epoch.',
      ),
      email: text('The new address as written.'),
      created_at: integer('When the member asked for the new address.'),
      expires_at: integer('Expiry time of the link.'),
    },
  },
  audit: {
    meaning:
      'Log of actions on accounts, rights and content, with actor, time and origin. Rows are only added; the one exception is the count of failed sign-ins, which grows within its hour. Old rows are deleted, and rows contain no names of members.',
    columns: {
      id: id('Public ID of the entry, in order of writing.'),
      position: integerOrNull(
        'Position in the order of commits, assigned once the entry is committed. Null before. Also null on engines that write in order of commits; there the ID is the position.',
      ),
      at: integer('Time of the action; the first time for an entry that stands for several actions.'),
      kind: text('Kind of action, such as token-made.'),
      via: column<'site' | 'api' | 'command line' | 'wiki'>(
        'Origin: Origin: site, api, command line, or wiki for what the wiki does by itself.',
      ),
      from_address: textOrNull('Client address. Null for the command line and the wiki itself.'),
      actor_id: integerOrNull(
        'The member who acted. Null for the command line, the wiki itself and people who are not signed in.',
      ),
      token_id: integerOrNull('The API token that was used. Null if none was.'),
      subject_kind: textOrNull(
        'Kind of thing that was acted on, such as member or page. Null if it has no name.',
      ),
      subject_id: integerOrNull('ID of that thing. Null if it has none.'),
      subject_name: text('Name of that thing at that time. Empty for members, whose names are in `members`.'),
      note: text('Further details, as text.'),
      hour: integerOrNull(
        'Hour in which an entry that stands for several actions counts them, as hours since the epoch. Null for all other entries.',
      ),
      times: integer('Number of actions that the entry stands for; 1 except for failed sign-ins.'),
      last_at: integer('Time of the latest of these actions.'),
    },
  },
  second_factors: {
    meaning: 'One-time passwords that members need beside their passphrase.',
    columns: {
      member_id: integer('The member who has the second factor.'),
      secret: text('Key that the member’s app shares, in base32.'),
      created_at: integer('When the key was made.'),
      confirmed_at: integerOrNull(
        'When one of its codes was accepted for the first time. Null until then; before that the second factor is not required.',
      ),
      last_step: integer(
        'The latest time step whose code was used. Codes of this step and of earlier ones are refused.',
      ),
    },
  },
  second_factor_clients: {
    meaning:
      'Browsers that have given a correct code of the second factor. Counts wrong codes of each browser, and of all other clients together.',
    columns: {
      member_id: integer('The member who has this second factor.'),
      device: text('ID in the cookie of the browser. Empty for all clients that have given no correct code.'),
      used_at: integer('When the browser last gave a correct code. 0 for all other clients.'),
      failed_at: integerOrNull('Time of the latest wrong code. Null if none are counted.'),
      forgotten_at: integerOrNull(
        'When no wrong codes are counted any more; one is forgotten each week. Null if none are counted.',
      ),
    },
  },
  recovery_codes: {
    meaning:
      'Recovery codes for members who have lost their second factor. Each code is deleted when it is used.',
    columns: {
      id: id('ID of the code, in order of creation.'),
      member_id: integer('The member who may use the code.'),
      code_hash: text('SHA-256 of the code, hex.'),
    },
  },
  sign_ups: {
    meaning:
      'People who asked for an account and have not confirmed their address, or wait for an administrator.',
    columns: {
      id: id('ID by which administrators approve or refuse the request.'),
      email: text('Address as written.'),
      email_key: text('Address in NFC and lower case; unique, so that an address can have only one request.'),
      name: text('Name that the person wants to have.'),
      passphrase_hash: text('Argon2id in PHC form. It becomes the passphrase hash of the member.'),
      token_hash: textOrNull('SHA-256 of the token in the latest mailed link, hex. Null if none was mailed.'),
      created_at: integer('When the person asked for the account.'),
      waiting_since: integerOrNull(
        'When the address was confirmed and the wait for an administrator began. Null before.',
      ),
      expires_at: integer('Expiry time. Expired rows are ignored and deleted later.'),
    },
  },
  spent_challenges: {
    meaning: 'Accepted proofs of work, so that each can be used only once.',
    columns: {
      nonce: text('Random number of the challenge, hex.'),
      expires_at: integer('Expiry time of the challenge. The row is not needed after it.'),
    },
  },
  passkeys: {
    meaning: 'Public keys of passkeys by which members sign in.',
    columns: {
      id: id('Public ID of the passkey, in order of adding.'),
      member_id: integer('The member who signs in with it.'),
      name: text('Name that the member gave the passkey.'),
      credential_id: text('Credential ID from the authenticator, base64url.'),
      public_key: text('Public key in COSE form, base64url.'),
      counter: integer(
        'Signature counter of the authenticator at the latest sign-in. 0 if it does not count.',
      ),
      is_synced: truth(
        'Whether the authenticator keeps copies on other devices, according to its latest response.',
      ),
      created_at: integer('When the passkey was added.'),
      last_used_at: integerOrNull('When the passkey was last used to sign in. Null if never.'),
    },
  },
  answered_challenges: {
    meaning:
      'Answered passkey challenges until they expire, so that none is answered twice. Not part of backups.',
    columns: {
      challenge_hash: text('SHA-256 of the challenge, hex.'),
      expires_at: integer('Expiry time of the challenge.'),
    },
  },
  watches: {
    meaning: 'Watches of members: a page, a page with everything beneath it, a tag, a search, or comments.',
    columns: {
      id: id('Public ID of the watch, in order of creation.'),
      member_id: integer('Who watches.'),
      kind: text('page, subtree, tag, search, mentions, threads or proposals.'),
      target: text(
        'Target of the watch, in normal form: the ID of the page, the tag, or the query of the search.',
      ),
      page_id: integerOrNull(
        'The page of a page or subtree, which may no longer exist; 0 for the whole wiki.',
      ),
      tag_key: textOrNull('Key of a tag with key and value, lower case.'),
      value_key: textOrNull('Value of a tag, as in tags.'),
      tag_name: textOrNull(
        'Lower-case name of a tag without a value. Pages that have the tag with any value are watched, too.',
      ),
      criteria: textOrNull(
        'Criteria of a search, as the store takes them, as a JSON object. Null for other watches.',
      ),
      mail: text('Mail for the watch: Mail for the watch: off, now, daily or weekly.'),
      created_at: integer('When the member began to watch. Earlier events do not count.'),
    },
  },
  watchers: {
    meaning: 'Members who have watched something.',
    columns: {
      member_id: integer('The member.'),
      unsubscribe_key: text(
        '256 random bits in base64url, part of the unsubscribe links in mail. It allows nothing else and must stay valid for years.',
      ),
      feed_hash: textOrNull(
        'SHA-256 of the secret in the address of the private feed, hex. Null if the member has no feed.',
      ),
    },
  },
  notifications: {
    meaning:
      'Newest notifications of each member about events. The shown text follows from the event and the current page. Not part of backups.',
    columns: {
      id: id('ID of the notification, in order of writing.'),
      member_id: integer('The member who is notified.'),
      event_id: integer('The event.'),
      watch_id: integer(
        'The watch that matched the event. If several matched, the one with the earliest mail.',
      ),
      mail: text('Mail for the notification: Mail for the watch: off, now, daily or weekly.'),
      mail_id: integerOrNull('Mail that contains the notification, sent or not. Null if there is none yet.'),
      read_at: integerOrNull('When the member marked the notification as read. Null before.'),
    },
  },
  watched_events: {
    meaning:
      'Position up to which events have been matched with watches. One row. Not part of backups, so that restored events notify nobody again.',
    columns: {
      id: integer('1.'),
      position: integerOrNull(
        'Position of the latest matched event. Null before the first round, which begins after the latest event.',
      ),
      lease_until: integer(
        'End of the lease of the process that matches events; other processes wait until then.',
      ),
      holder: holder(),
    },
  },
  comments: {
    meaning: 'Comments on pages, including those of pages in the trash.',
    columns: {
      id: id('Public ID of the comment, in order of writing.'),
      page_id: integer('The page, which may be in the trash.'),
      author_id: integer('The member who wrote the comment.'),
      reply_to: integerOrNull('The first comment of the thread. Null for the first comment itself.'),
      body: text('Text as Markdown. Empty once the comment is deleted.'),
      at: integer('When the comment was written.'),
      edited_at: integerOrNull('When its text was last changed. Null if never.'),
      deleted_at: integerOrNull(
        'When the first comment of a thread was deleted, whose row stays while it has replies. Null otherwise.',
      ),
      resolved_at: integerOrNull('When the thread was resolved. Null while it is open, and for replies.'),
      resolved_by: integerOrNull('The member who resolved the thread. Null while it is open.'),
      quote: textOrNull('The words of the page that the comment is about. Null for the whole page.'),
      quote_before: textOrNull('Text of the page before these words when the comment was written.'),
      quote_after: textOrNull('Text of the page after these words when the comment was written.'),
      quote_start: integerOrNull(
        'Position of the words in the text of `comment_texts`, or the place where they were if they are gone.',
      ),
      quote_end: integerOrNull('Position after the words.'),
      quote_state: column<'present' | 'changed' | 'gone' | null>(
        '`present`, `changed` or `gone`. Null without a quote.',
      ),
      quote_gone_id: integerOrNull('The change that removed the words. Null if they are not gone.'),
    },
  },
  comment_mentions: {
    meaning: 'Members whom comments mention, and who could read the page then.',
    columns: {
      member_id: integer('The member.'),
      comment_id: integer('The comment.'),
      name: text('Name as written in the comment.'),
    },
  },
  comment_texts: {
    meaning: 'Plain text of pages with quoting comments, in which the positions of the quotes count.',
    columns: {
      page_id: integer('The page.'),
      change_id: integer('The change whose text this is.'),
      body: text('The text.'),
    },
  },
  settings: {
    meaning: 'Settings of the site that administrators change while it runs.',
    columns: {
      name: text('Name of the setting in `/v1/settings`.'),
      value: text('JSON.'),
      changed_at: integer('When the setting was changed. 0 if never.'),
      changed_by: integerOrNull('The member who changed it. Null for the command line or the environment.'),
    },
  },
  proposals: {
    meaning: 'Proposed changes of pages, which are merged together or not at all.',
    columns: {
      id: id('Public ID of the proposal, in order of creation.'),
      title: text('Title.'),
      body: text('Reason, as plain text.'),
      state: column<'draft' | 'open' | 'withdrawn' | 'merged'>(
        '`draft` (only its author and whom they invite see it), `open`, `withdrawn` or `merged`.',
      ),
      author_id: integer('The member who made the proposal.'),
      invited: withDefault(
        text('IDs of members who can read the draft, ascending, each between two spaces: ` 3 7 `.'),
      ),
      created_at: integer('When the proposal was made.'),
      updated_at: integer('When the proposal last changed, reviews included.'),
      revision: withDefault(
        integer('Raised when the changes are replaced, which makes earlier approvals void.'),
      ),
      publish_at: integerOrNull('When the proposal merges by itself. Null if it does not.'),
      publish_problem: textOrNull('Why merging by itself was refused. Null if it was not.'),
      merged_at: integerOrNull('When the proposal was merged. Null before.'),
      merged_by: integerOrNull('The member who merged it. Null before.'),
      merged_names: textOrNull(
        'Names of members in the messages of the merge, as a JSON object by their IDs. Null before, and for older merges.',
      ),
    },
  },
  proposal_changes: {
    meaning: 'Changes of each proposal, in the order in which they are made.',
    columns: {
      proposal_id: integer('The proposal.'),
      n: integer('Position in the proposal, from 0.'),
      action: column<'create' | 'edit' | 'move' | 'delete'>('`create`, `edit`, `move` or `delete`.'),
      path: text('Path of the page when it was proposed; of a new page its future path.'),
      page_id: integerOrNull('The page, which may no longer exist. Null for a new page, until it is merged.'),
      shown_with: integerOrNull(
        'Page whose readers may see the change: the page itself, or the nearest page above a new one. Null for a new root page.',
      ),
      base: integerOrNull('Change of the page on which the proposed one is based. Null for a new page.'),
      fields: text('Given fields of the page, as a JSON object.'),
      bytes: integer('Length of the fields.'),
    },
  },
  proposal_files: {
    meaning:
      'Files of proposals that are drafts or open. The merge attaches them to pages, and the end of a proposal removes them.',
    columns: {
      name: text('Name that the server made, unique in the wiki, by which the file is served.'),
      proposal_id: integer('The proposal.'),
      n: integer('Position of the change that attaches the file.'),
      filename: text('Name that the uploader gave; unique in the change.'),
      hash: text('SHA-256 of the bytes, hex.'),
      mime: text('Media type, detected from the bytes, with charset for a text.'),
      size_bytes: integer('Length.'),
      width: integerOrNull('Width in pixels; images only.'),
      height: integerOrNull('Height in pixels; images only.'),
      thumbnail_hash: textOrNull('SHA-256 of the bytes of the thumbnail, hex.'),
      thumbnail_mime: textOrNull('Type of the thumbnail.'),
      uploaded_at: integer('When.'),
      uploader_id: integer('The member who uploaded it.'),
    },
  },
  proposal_reviews: {
    meaning: 'Reviews of proposals.',
    columns: {
      id: id('ID of the review, in order of creation.'),
      proposal_id: integer('The proposal.'),
      member_id: integer('Who reviewed.'),
      verdict: column<'approve' | 'reject' | 'comment'>('`approve`, `reject` or `comment`.'),
      body: text('Text of the review; may be empty.'),
      at: integer('When.'),
      revision: integer('Revision of the proposal that was reviewed.'),
      path: textOrNull('Path of the change that the review is about. Null for the whole proposal.'),
      shown_with: integerOrNull(
        'Page whose readers may see that change, and so the review; null as for the change.',
      ),
      quote: textOrNull('Words of the proposed text that the review is about. Null for none.'),
    },
  },
  erasures: {
    meaning: 'Unfinished erasures, some of whose erased bytes are still stored. Not part of backups.',
    columns: {
      id: id('ID of the erasure, in order of erasing.'),
      begun_at: integer('When the rows were erased.'),
      hashes: text('SHA-256 of the files whose bytes are still to be removed, hex, as a JSON array.'),
    },
  },
  search_renewal: {
    meaning:
      'One row while keys and index entries of an earlier version are being renewed; otherwise empty. Not part of backups.',
    columns: {
      id: id('Always 1, so that the table has at most one row.'),
      after_id: integer('ID of the last renewed page.'),
    },
  },
} satisfies Record<string, { meaning: string; columns: Record<string, Column<unknown>> }>;

export type Tables = { [T in keyof typeof tables]: ValuesOf<(typeof tables)[T]['columns']> };
type ValuesOf<Columns> = { [C in keyof Columns]: Columns[C] extends Column<infer Value> ? Value : never };

/** A row as the query returns it. */
export type RowOf<T extends keyof Tables> = Selectable<Tables[T]>;

export const tableNames = Object.keys(tables) as (keyof Tables)[];

/** Credentials, counts and short-lived data, which must not be restored from an old backup. */
const momentary: readonly (keyof Tables)[] = [
  'sessions',
  'api_tokens',
  'secret_links',
  'idempotency_keys',
  'webhooks',
  'webhook_deliveries',
  'imports',
  'scheduled_exports',
  'mails',
  'sent_mails',
  'address_changes',
  'answered_challenges',
  'notifications',
  'watched_events',
  'erasures',
  'search_renewal',
  'open_editors',
  'page_reads',
  'vain_searches',
  'file_texts',
  'file_text_parts',
  'file_terms',
  'outside_links',
  'link_rounds',
  'told_reviews',
];

/** Tables that backups contain. */
export const contentTables = tableNames.filter((name) => !momentary.includes(name));
