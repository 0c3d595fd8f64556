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
  withDefault(textOrNull('Process that holds the lease, if others can see when it ends: see `leases.ts`.'));

/** Ordered so that a table comes after those it refers to, including `trashed_pages`. */
export const tables = {
  members: {
    meaning: 'People with an account.',
    columns: {
      id: id('Given in order of joining; the public ID of a member.'),
      email: text('Address as written; leaves the wiki in no answer but to the member.'),
      email_key: text('Address in NFC and lower case; unique, so that case never makes two accounts.'),
      name: text('Shown as owner, editor and uploader.'),
      is_active: truth('An inactive member cannot sign in, and no token of theirs is valid.'),
      is_bot: withDefault(
        truth('Whether it is a program that acts by API tokens alone: nobody can sign in as it.'),
      ),
      epoch: integer(
        'Raised whenever every session of the member must end; tokens of an older epoch are dead.',
      ),
      passphrase_hash: textOrNull('Argon2id in PHC form; null for those who sign in by a provider alone.'),
      created_at: integer('When the account was made.'),
      name_skeleton: textOrNull('Skeleton of the name by UTS #39: names that look alike have the same one.'),
      folded_name_skeleton: textOrNull('Skeleton of the name without regard to case.'),
      email_skeleton: textOrNull('Skeleton of the address without regard to case.'),
      failed_sign_ins: withDefault(
        integer('Sign-ins with a wrong passphrase since the member was last told of any.'),
      ),
      failed_since: integerOrNull('When the first of them was; null if there is none.'),
      group_ids: withDefault(
        text(
          'IDs of the groups that the member is in, in order, with spaces between: a copy of `group_members`.',
        ),
      ),
      role: withDefault(
        column<Role>(
          '`reader`, `writer`, `moderator` or `administrator`, who reads and writes everything and manages members.',
        ),
      ),
      blocked_at: integerOrNull(
        'When the member was last blocked, which may be over; null: never, or the block was lifted.',
      ),
      blocked_until: integerOrNull('When the block ends by itself; null: it does not.'),
      blocked_by: integerOrNull('Member who blocked them; null: the command line.'),
      block_reason: textOrNull('Why, as the member is shown.'),
    },
  },
  groups: {
    meaning: 'Groups of members. A page may be of one: then the second digit of its permissions is for them.',
    columns: {
      id: id('Never used again, as audiences and changes refer to it.'),
      name: text('Unique without regard to case.'),
      name_key: text('The name in NFC and lower case.'),
      created_at: integer('When it was made.'),
    },
  },
  group_members: {
    meaning: 'Who is in which group.',
    columns: {
      group_id: integer('The group.'),
      member_id: integer('The member.'),
      by_provider: truth(
        'Whether a sign-in by a provider named the group: then the next one may take the member out of it.',
      ),
      added_at: integer('When the member came in.'),
    },
  },
  invitations: {
    meaning: 'One-time invitations to make an account. Only the hash of the token is kept.',
    columns: {
      id: id('By which it is listed and revoked; tells nothing of the token.'),
      token_hash: text('SHA-256 of the token in the link, hex.'),
      role: column<Role>('Role of the new member.'),
      by_command_line: truth('Whether it was made by the command line, which stands for no member.'),
      invited_by: integerOrNull(
        'The administrator who invited; null for the command line and for the link that a first start prints.',
      ),
      inviter_epoch: integerOrNull(
        'Epoch of the inviter at that time: the invitation is valid while it is theirs, and they an active administrator.',
      ),
      created_at: integer('When it was issued.'),
      expires_at: integer('From when on it is of no use.'),
      used_at: integerOrNull('When it was used; null while it is still open.'),
    },
  },
  reset_links: {
    meaning: 'One-time links by which a member chooses a new passphrase. Only the hash of the token is kept.',
    columns: {
      id: id('Given in order of making.'),
      token_hash: text('SHA-256 of the token in the link, hex.'),
      member_id: integer('Whose passphrase it replaces.'),
      member_epoch: integer('Epoch of that member at that time: the link is valid while it is theirs.'),
      made_by: integerOrNull(
        'The administrator who made it; null for the command line, and for a link that was mailed.',
      ),
      maker_epoch: integerOrNull(
        'Epoch of the maker at that time: the link is valid while it is theirs, and they an active administrator.',
      ),
      created_at: integer('When it was made.'),
      expires_at: integer('From when on it is of no use.'),
      used_at: integerOrNull(
        'When it was used, which the member is told for a while; null while it is still open.',
      ),
    },
  },
  oauth_handles: {
    meaning:
      'Stored OAuth 2.0 tokens as the interface calls them: secret handles, each good for signing in as a member.',
    columns: {
      handle_hash: text('SHA-256 of the handle, base64url.'),
      member_id: integer('Whom the handle signs in.'),
      provider: text('Name of the provider that it was linked for.'),
      created_at: integer('When it was handed out.'),
    },
  },
  identities: {
    meaning:
      'Accounts at OpenID Connect providers and GitHub by which members sign in. One account is one member’s only.',
    columns: {
      issuer: text('Who vouches: the issuer as the provider itself states it.'),
      subject: text('The account, as the issuer names it for ever; never an e-mail address.'),
      member_id: integer('Whom it signs in.'),
      provider: text('Name of the provider in the settings when it was linked, for show.'),
      account: textOrNull(
        'E-mail address or user name there, shown to the member alone; null if the provider tells none.',
      ),
      linked_at: integer('When it was linked.'),
    },
  },
  sessions: {
    meaning: 'Sign-ins that have not ended. Not part of backups: restoring one signs everybody out.',
    columns: {
      id: text(
        '256 random bits in base64url. Tokens and cookies refer to it, sealed; by itself it opens nothing.',
      ),
      member_id: integer('Who is signed in.'),
      method: column<'passphrase' | 'handle' | 'provider' | 'passkey'>(
        'How they signed in: passphrase, handle (of a stored OAuth 2.0 token), provider or passkey.',
      ),
      provider: textOrNull('Name of the provider in the settings; null for a passphrase or passkey.'),
      credential: textOrNull(
        'What the session ends with: hash of the handle, issuer and subject of the identity with a space between, or ID of the credential of the passkey; null for a passphrase.',
      ),
      is_browser: truth(
        'Whether a cookie of the site refers to it, which lives as long as the session; else tokens of 15 minutes alone do.',
      ),
      user_agent: textOrNull('What the client called itself, shortened; for the member to recognise it.'),
      created_at: integer('When the member signed in.'),
      seen_at: integer('When it was last used, to a few minutes.'),
    },
  },
  api_tokens: {
    meaning:
      'Credentials of programs. Only the hash of the secret is kept. Not part of backups: restoring one must not bring back what was revoked.',
    columns: {
      id: id('By which it is listed and revoked; tells nothing of the secret.'),
      token_hash: text('SHA-256 of the secret, hex.'),
      member_id: integer('For whom it speaks.'),
      name: text('Given by the member, to recognise it.'),
      scopes: text('What it may do, a space between: read, write, files, members, admin.'),
      ancestor_id: integerOrNull(
        'The page that it is limited to, with what lies beneath; null: the whole wiki.',
      ),
      created_at: integer('When it was made.'),
      expires_at: integerOrNull('From when on it is of no use; null: never.'),
      last_used_at: integerOrNull('When it was last used, to five minutes; null: never.'),
      last_used_from: textOrNull('Address that it was last used from.'),
    },
  },
  imports: {
    meaning: 'Imports begun over HTTP, the latest hundred. Not part of backups.',
    columns: {
      id: id('Given in order of arrival.'),
      state: column<'running' | 'done' | 'failed' | 'cancelled'>(
        '`running`, of which there is one at most, `done`, `failed` or `cancelled`.',
      ),
      member_id: integer('The administrator who began it.'),
      done: withDefault(integer('Pages written so far.')),
      total: integerOrNull('Pages to write; null: the source is still being read.'),
      begun_at: integer('When it was begun.'),
      seen_at: integer('When its process last told of it: one that has told nothing for a minute has ended.'),
      error: textOrNull('Why it failed; otherwise null.'),
      certificate: textOrNull('JSON, once it is done; otherwise null.'),
      holder: holder(),
    },
  },
  scheduled_exports: {
    meaning: 'Exports that are made every few hours. Not part of backups.',
    columns: {
      format: text('Its name in the settings.'),
      state: column<'running' | 'done' | 'failed' | 'interrupted'>(
        '`running`, `done`, `failed`, or `interrupted` by a stop: then it is due at once.',
      ),
      begun_at: integer('When the last one was begun.'),
      seen_at: integer(
        'When its process last told of it: one that has told nothing for two minutes has ended.',
      ),
      succeeded_at: integerOrNull('When the last one was finished; null: none was.'),
      failures: withDefault(integer('How many have failed.')),
      holder: holder(),
    },
  },
  idempotency_keys: {
    meaning: 'Requests with an idempotency key and their answers, for a day. Not part of backups.',
    columns: {
      id: id('Given in order of arrival.'),
      member_id: integer('The member whose requests are counted.'),
      key: text(
        'Credential (`session:` or `token:` and its ID), a space, and the key that the client chose.',
      ),
      fingerprint: text(
        'SHA-256 of method, URL, condition and body, hex: another request may not have the same key.',
      ),
      attempt: text('Random: which try is carrying it out. Only that one can commit and answer.'),
      state: column<'begun' | 'done' | 'answered'>(
        'begun: nothing is committed. done: something is, and there is no answer yet. answered: the answer is returned again.',
      ),
      begun_at: integer('When it arrived; a day later it is forgotten.'),
      lease_until: integer(
        'While it is begun: from when on another try may take it over. Put off while the first one runs.',
      ),
      status: integerOrNull('Status of the answer.'),
      headers: textOrNull('Headers that are returned again with the answer, a JSON object.'),
      body: textOrNull(
        'Body of the answer: a letter for how it is written and the text; null: not kept, as it was too long.',
      ),
      bytes: withDefault(integer('Length of the body as it is stored.')),
      holder: holder(),
    },
  },
  pages: {
    meaning:
      'The current state of every page: one row each, all that does not grow with history or neighbours.',
    columns: {
      id: id('Given in order of creation; the public ID of a page.'),
      path: text('Unique address within the wiki, beginning with a slash; case matters.'),
      path_key: text(
        'The path in lower case: for autocomplete, and to treat links as one that differ in case alone.',
      ),
      slug: text('Last part of a generated path.'),
      title: text('As shown. Several pages may share one.'),
      title_key: text('The title in NFC and lower case with white space collapsed: links match by it.'),
      sort_key: text(
        'The title folded for searching and for alphabetical order (at most 400 characters); ties are broken by ID.',
      ),
      description: text('Shown description: given, or derived from the body.'),
      type: textOrNull('Shown type: given, by marker, or Place for a page with a location. Null: none.'),
      lat: realOrNull('Shown location, degrees north; null together with lon and cell.'),
      lon: realOrNull('Shown location, degrees east.'),
      cell: integerOrNull(
        'Number of the band of latitude, a tenth of a degree, times 2^20, plus the step of longitude within it.',
      ),
      parent_id: integerOrNull('The page above; null for a root page.'),
      depth: integer('Number of ancestors.'),
      trail: text(
        'IDs of the ancestors, root first, each after a slash, and a slash at the end: /1/5/ (a root page: /).',
      ),
      permissions: integer('Three octal digits as a decimal number: owner, group, world.'),
      audience: integer(
        'Who may read, by the permissions: 0 everyone, 1 members, 2 the owner, 3 administrators alone; for a page of the group g, 2g + 2 the group and the owner, 2g + 3 the group.',
      ),
      follows_path: truth(
        'Whether some of its links are relative to its path, so that they must be derived anew when it moves; may be true where none is.',
      ),
      owner_id: integer('The member who created the page.'),
      group_id: integerOrNull(
        'The group whom the second digit of the permissions is for; null: all members.',
      ),
      default_permissions: integerOrNull(
        'Permissions of new pages beneath it that are given none; null: it has no defaults.',
      ),
      default_group_id: integerOrNull(
        'Group of new pages beneath it that are given none; null: all members, or no defaults.',
      ),
      protection: textOrNull(
        'Who alone may write the page, as JSON: `level`, `subtree` if pages beneath are protected with it, `reason`, `until`; null: nobody in particular.',
      ),
      change_id: integer('The latest change; its content is the current content.'),
      history_bytes: integer(
        'Length of the contents of all its changes from history_from on, as they are stored.',
      ),
      history_from: withDefault(
        integer(
          'The first change that all readers of the page may see; 0: all of them. Earlier ones are for its owner and administrators.',
        ),
      ),
      created_at: integer('When the first change was made.'),
      updated_at: integer('When the latest change was made; never runs backwards.'),
      path_fold: textOrNull(
        'The path folded for searching (at most 400 characters); null if it equals path_key.',
      ),
    },
  },
  trash: {
    meaning:
      'Deletions that can be undone: a row for each page that was deleted, with all that lay beneath it.',
    columns: {
      id: id('Given in order of deletion.'),
      page_id: integer('The page that was deleted; those beneath it went along.'),
      path: text('Where it was.'),
      title: text('Its title.'),
      trail: text('IDs of its ancestors as in `pages`: the nearest one that is still there takes it back.'),
      audience: integer('Who could read it, and may see that it was deleted.'),
      owner_id: integer('Its owner.'),
      pages: integer('How many pages went, itself included.'),
      world_pages: integer('Those of them that everyone could read.'),
      members_pages: integer('Those of them that members could read.'),
      deleted_at: integer('When.'),
      deleted_by: integer('The member who deleted it.'),
    },
  },
  trashed_pages: {
    meaning:
      'Pages in the trash: what does not follow from their current change. Their changes, files, likes and old paths stay in the tables of these.',
    columns: {
      id: integer('The ID that the page had and will have again.'),
      trash_id: integer('The deletion that it went with.'),
      path: text('Where it was.'),
      title: text('Its title.'),
      parent_id: integerOrNull('The page above it; null for a root page.'),
      depth: integer('Number of its ancestors: parents come back before their children.'),
      permissions: integer('As in `pages`.'),
      audience: integer('As in `pages`: who could read it.'),
      owner_id: integer('As in `pages`.'),
      group_id: integerOrNull('As in `pages`.'),
      default_group_id: integerOrNull('As in `pages`.'),
      protection: textOrNull('As in `pages`.'),
      type: textOrNull('As in `pages`.'),
      change_id: integer('Its latest change.'),
      history_bytes: integer('As in `pages`.'),
      history_from: integer('As in `pages`.'),
      created_at: integer('As in `pages`.'),
      updated_at: integer('As in `pages`.'),
    },
  },
  trashed_tags: {
    meaning: 'Tags that pages in the trash had, by which their events are filtered.',
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
      'Watched searches that found pages when they went to the trash, by which their events are matched.',
    columns: {
      page_id: integer('The page in the trash.'),
      target: text('As in `watches`.'),
    },
  },
  changes: {
    meaning:
      'Every version of every page, in the trash or not, whole. Rows are never altered but by an erasure, and removed only with a page that is purged from the trash.',
    columns: {
      id: id('Given in order of saving; the public ID of a change and the version of its page.'),
      page_id: integer('The page that was changed.'),
      at: integer('When.'),
      editor_id: integer('The member who made the change.'),
      content: text(
        'The explicit state of the page after the change, body and names of files included, as a JSON object.',
      ),
    },
  },
  events: {
    meaning:
      'What happened to pages, for programs that follow the wiki. Written with each change; never altered but for their place and review.',
    columns: {
      id: id('Given as they are written; the public ID of an event.'),
      position: integerOrNull(
        'Place in the order of commits, given once the event is committed; null before, and on engines that write in that order, where the ID is the place.',
      ),
      kind: text('created, edited, moved, permissions, deleted, restored or erased.'),
      at: integer('When.'),
      page_id: integer('The page, which need not exist any more.'),
      change_id: integer('The latest change of the page at that time.'),
      path: text('Path of the page after it.'),
      title: text('Title of the page after it.'),
      trail: text('IDs of the ancestors after it, as in pages.'),
      audience: integer('Who could read the page after it.'),
      lost_audience: integerOrNull(
        'Former audience, in the event that tells those who can no longer read the page that they lost it; null in every other event.',
      ),
      owner_id: integer('Owner of the page.'),
      editor_id: integer('The member who did it.'),
      msg: text('Message of the change.'),
      facts: withDefault(
        integer(
          '1 if it may have altered what pages beneath show of the page: all but its content; 0 if it has not.',
        ),
      ),
      from_path: textOrNull('Path of the page before a move; otherwise null.'),
      from_title: textOrNull('Title of the page before, where it differs or was lost; otherwise null.'),
      from_trail: textOrNull('IDs of the ancestors before a move; otherwise null.'),
      awaits_review: withDefault(
        integer(
          '1 until a moderator marks it as reviewed or it is old; 0 from the beginning if a moderator or administrator did it.',
        ),
      ),
    },
  },
  aliases: {
    meaning:
      'Paths at which pages once lived, or that their front matter declares. Whoever sees no page at such a path now is led to the one that left it last, of those that they see.',
    columns: {
      id: id('Given in order of leaving: of several pages with one old path, the highest left it last.'),
      path: text('The old path. A page may live there again.'),
      path_key: text('The old path in lower case.'),
      page_id: integer('The page that lived there.'),
    },
  },
  likes: {
    meaning: 'Who likes which page.',
    columns: {
      page_id: integer('The page.'),
      member_id: integer('The member.'),
      at: integer('When it was liked.'),
    },
  },
  tags: {
    meaning: 'Tags of the current content. Derived: rebuilt from the changes.',
    columns: {
      page_id: integer('The page that carries the tag.'),
      seq: integer('Position among the tags of the page, from 0.'),
      key: text('Name, lower case.'),
      value: text('Value as written.'),
      value_key: text('The value, or its beginning and its SHA-256 where it is too long for an index.'),
    },
  },
  files: {
    meaning:
      'Files of pages, current and replaced ones: a row for each that a change names, removed only with its page. The bytes lie in the file store under their hash.',
    columns: {
      name: text('Server-made, unique in the wiki: the file is served by it.'),
      page_id: integer('The page that the file belongs to, whose permissions count.'),
      filename: text('What the uploader called it; unique among the current files of its page.'),
      hash: text('SHA-256 of the bytes, hex.'),
      mime: text('Type of the bytes, by the bytes; of a text with its charset.'),
      size_bytes: integer('Length.'),
      width: integerOrNull('Pixels; images only.'),
      height: integerOrNull('Pixels; images only.'),
      thumbnail: textOrNull('Name that the thumbnail is served by; images only.'),
      thumbnail_hash: textOrNull('SHA-256 of the bytes of the thumbnail, hex.'),
      thumbnail_mime: textOrNull('Type of the thumbnail.'),
      uploaded_at: integer('When.'),
      uploader_id: integer('The member who uploaded it.'),
      until_change_id: integerOrNull(
        'The change that took it from the page last; null while the page has it.',
      ),
      sort_key: text(
        'The name by the uploader folded for alphabetical order and for looking up parts of it.',
      ),
    },
  },
  links: {
    meaning: 'What the current content links to. Derived: rebuilt from the changes.',
    columns: {
      source_id: integer('The page that contains the link.'),
      kind: column<'page' | 'template' | 'file'>(
        'page for a wiki link, template for a call of a template or module, file for an embedded or linked file.',
      ),
      target: text('As written, normalised: a path if it starts with a slash, else a title.'),
      key: text('The target in lower case: links of one key are one wanted link.'),
      is_path: truth('Whether the target is a path.'),
      count: integer('How often the page says it.'),
      audience: integer('Copy of the audience of the source, so that counting needs no look at the page.'),
    },
  },
  wanted: {
    meaning:
      'How many pages ask for each target that leads nowhere, for each audience. Kept by every write, and only while one of the counts is above 0.',
    columns: {
      key: text('Key of the links.'),
      sort_key: text('The key folded for alphabetical order.'),
      world_count: integer('Pages that everyone can read and whose link leads nowhere for everyone.'),
      members_count: integer(
        'Pages that members can read and whose link leads nowhere that every member can read.',
      ),
      all_count: integer('Pages of any audience whose link leads nowhere at all.'),
      private_count: integer(
        'Pages for their owner or a group alone whose link leads nowhere that every member can read.',
      ),
    },
  },
  webhooks: {
    meaning:
      'Addresses that are told what happens. Not part of backups: a copy of the wiki tells them nothing.',
    columns: {
      id: id('Given in order of making.'),
      member_id: integer(
        'The administrator who answers for it; what they may read is sent, while they are one.',
      ),
      url: text('Where it is sent.'),
      kinds: textOrNull('Kinds of events, separated by commas; null: all.'),
      ancestor_id: integerOrNull('The page above everything that it is told of; null: the whole wiki.'),
      secret: text('Key of the signatures, as it was shown: requests cannot be signed without it.'),
      created_at: integer('When.'),
      disabled_at: integerOrNull('Since when nothing is sent; null while it is enabled.'),
      disabled_reason: textOrNull('Why, in a sentence.'),
      position: integer(
        'Place in the order of events: later ones were not sent yet, earlier ones were, or wait below.',
      ),
      last_success_at: integerOrNull('When something was last taken at its address; null: never.'),
      leased_until: integerOrNull('Until when one process sends for it, even if it dies; null: none does.'),
      leased_by: textOrNull('That process, by a random name.'),
      holder: holder(),
    },
  },
  webhook_deliveries: {
    meaning:
      'Log of what was sent to webhooks, the latest of each, and what is tried again. Not part of backups.',
    columns: {
      id: id('Given in order of the first attempt.'),
      webhook_id: integer('The webhook.'),
      position: integerOrNull('Place of the event, whose text is written for each attempt; null for a test.'),
      message_id: text('By which the receiver knows it again: the cursor of the event.'),
      kind: text('Kind of the event, or test.'),
      created_at: integer('When it was first tried, or tried anew after a pause of the webhook.'),
      state: text(
        'waiting: it is tried again. delivered. failed: it is given up. left-out: the member may not read it any more.',
      ),
      due_at: integerOrNull('When it is tried again; null unless it waits.'),
      attempts: integer('How often it was tried.'),
      attempted_at: integer('When it was last tried.'),
      status: integerOrNull('HTTP status of the last answer; null: there was none.'),
      answer: text('Beginning of the last answer, or why there was none.'),
      took_ms: integer('How long the last attempt took.'),
    },
  },
  mails: {
    meaning:
      'Mail that was not sent yet, or could not be. A row says what it is about; text and links are made when it is sent, so that no secret lies here. Not part of backups.',
    columns: {
      id: id('Given in order of queueing.'),
      kind: text('What it is about, such as passphrase-forgotten.'),
      address_key: text('Where it goes, in NFC and lower case.'),
      mail: text('Kind, address and what the text needs, as a JSON object.'),
      created_at: integer('When it was queued.'),
      due_at: integerOrNull(
        'When it is tried next; pushed into the future by the process that tries it now. Null: given up, or held for an administrator because no mail server is set.',
      ),
      attempts: withDefault(integer('How often it was tried.')),
      error: textOrNull('Answer of the mail server to the last attempt, or why there is none.'),
      holder: holder(),
    },
  },
  sent_mails: {
    meaning:
      'The latest mail of each kind that was sent to an address within a day, so that repeated requests do not flood a mailbox. Not part of backups.',
    columns: {
      kind: text('As in `mails`.'),
      address_key: text('As in `mails`.'),
      asked_at: integer('When it was queued.'),
    },
  },
  address_changes: {
    meaning:
      'New e-mail addresses that members have not confirmed yet; at most one for each member. Not part of backups.',
    columns: {
      id: id('Given in order of asking.'),
      token_hash: textOrNull(
        'SHA-256 of the token in the link that was sent last, hex; null before it is sent.',
      ),
      member_id: integer('Whose address changes.'),
      member_epoch: integer('Epoch of that member at that time: the link is valid while it is theirs.'),
      email: text('The new address as written.'),
      created_at: integer('When the member asked for it.'),
      expires_at: integer('From when on the link is of no use.'),
    },
  },
  audit: {
    meaning:
      'Who did what to accounts, rights and content, when and from where. Rows are added and never altered, but for the count of failed sign-ins within their hour; they go when they are old, and names of members are not in them.',
    columns: {
      id: id('Given as they are written; the public ID of an entry.'),
      position: integerOrNull(
        'Place in the order of commits, given once the entry is committed; null before, and on engines that write in that order, where the ID is the place.',
      ),
      at: integer('When; for an entry that stands for several, the first time.'),
      kind: text('What was done, such as token-made.'),
      via: column<'site' | 'api' | 'command line' | 'wiki'>(
        'site, api, command line, or wiki for what the wiki does by itself.',
      ),
      from_address: textOrNull('Address of the client; null for the command line and the wiki itself.'),
      actor_id: integerOrNull(
        'The member who did it; null for the command line, the wiki itself and who is not signed in.',
      ),
      token_id: integerOrNull('The API token by which they did it; null: none.'),
      subject_kind: textOrNull('To what it was done, such as member or page; null: to nothing with a name.'),
      subject_id: integerOrNull('Its ID; null if it has none.'),
      subject_name: text('Its name at that time; empty for members, whose names stand in `members`.'),
      note: text('What else is to be known, in words.'),
      hour: integerOrNull(
        'For entries that stand for several: the hour in which they are counted, as hours since the epoch. Null for all others.',
      ),
      times: integer('For how many times it stands; 1 for all but failed sign-ins.'),
      last_at: integer('The last of these times.'),
    },
  },
  second_factors: {
    meaning: 'One-time passwords that members need beside their passphrase.',
    columns: {
      member_id: integer('Whose it is.'),
      secret: text('The key that the app of the member shares, in base32.'),
      created_at: integer('When it was made.'),
      confirmed_at: integerOrNull(
        'When a code of it was shown for the first time; null: not yet, and it is not in force.',
      ),
      last_step: integer(
        'The last time step whose code was used: neither it nor an earlier one is taken again.',
      ),
    },
  },
  second_factor_clients: {
    meaning:
      'Browsers that have given a code of the second factor, and wrong codes of each and of all others.',
    columns: {
      member_id: integer('The member who has this second factor.'),
      device: text('ID in the cookie of the browser. Empty for all clients that have given no right code.'),
      used_at: integer('When it last gave a right code. 0 for all other clients.'),
      failed_at: integerOrNull('Time of the latest wrong code. Null if none is counted.'),
      forgotten_at: integerOrNull(
        'When all wrong codes are forgotten, one every week. Null if none is counted.',
      ),
    },
  },
  recovery_codes: {
    meaning: 'Codes for members who have lost their second factor; each goes when it is used.',
    columns: {
      id: id('Given as they are made.'),
      member_id: integer('Whose it is.'),
      code_hash: text('SHA-256 of the code, hex.'),
    },
  },
  sign_ups: {
    meaning:
      'Strangers who ask to join: their address is not confirmed yet, or they wait for an administrator.',
    columns: {
      id: id('By which administrators approve or refuse it.'),
      email: text('Address as written.'),
      email_key: text('Address in NFC and lower case; unique, so that nobody asks twice.'),
      name: text('How the person wants to be shown.'),
      passphrase_hash: text('Argon2id in PHC form: it becomes that of the member.'),
      token_hash: textOrNull('SHA-256 of the token in the link that was mailed last, hex; null: none was.'),
      created_at: integer('When the person asked.'),
      waiting_since: integerOrNull(
        'Since when it waits for an administrator; null: the address is not confirmed.',
      ),
      expires_at: integer('From when on it counts for nothing and is deleted.'),
    },
  },
  spent_challenges: {
    meaning: 'Proofs of work that were taken, so that each counts once.',
    columns: {
      nonce: text('Random number of the challenge, hex.'),
      expires_at: integer('When the challenge expires: from then on the row is of no use.'),
    },
  },
  passkeys: {
    meaning: 'Public keys of passkeys by which members sign in.',
    columns: {
      id: id('Given in order of adding; the public ID of a passkey.'),
      member_id: integer('Whose it is.'),
      name: text('How the member calls it.'),
      credential_id: text('ID that the authenticator gave it, base64url.'),
      public_key: text('Its public key in COSE, base64url.'),
      counter: integer('Signatures that the authenticator counted, by the last one; 0: it counts none.'),
      is_synced: truth('Whether the authenticator keeps copies on other devices, as it last said.'),
      created_at: integer('When it was added.'),
      last_used_at: integerOrNull('When somebody last signed in with it; null: never.'),
    },
  },
  answered_challenges: {
    meaning:
      'Challenges to passkeys that were answered, until they expire: none is answered twice. Not part of backups.',
    columns: {
      challenge_hash: text('SHA-256 of the challenge, hex.'),
      expires_at: integer('From when on nobody can answer it anyway.'),
    },
  },
  watches: {
    meaning: 'What members watch: a page, a page with all beneath it, a tag, or a search.',
    columns: {
      id: id('Given in order of watching; the public ID of a watch.'),
      member_id: integer('Who watches.'),
      kind: text('page, subtree, tag or search.'),
      target: text(
        'What is watched, in one spelling: the ID of the page, the tag, or the query of the search.',
      ),
      page_id: integerOrNull(
        'The page of a page or subtree, which need not exist any more; 0: the whole wiki.',
      ),
      tag_key: textOrNull('Key of a tag with key and value, lower case.'),
      value_key: textOrNull('Value of a tag, as in tags.'),
      tag_name: textOrNull(
        'Lower-case name of a tag without a value: pages with any tag of that name are watched, too.',
      ),
      criteria: textOrNull(
        'Criteria of a search as the store takes them, as a JSON object; null for all others.',
      ),
      mail: text('off, now, daily or weekly.'),
      created_at: integer('When the member began to watch: earlier events do not count.'),
    },
  },
  watchers: {
    meaning: 'Members who have watched something.',
    columns: {
      member_id: integer('The member.'),
      unsubscribe_key: text(
        '256 random bits in base64url, part of the links in mail that end mail. It allows nothing else, and must work for years.',
      ),
      feed_hash: textOrNull('SHA-256 of the secret in the address of the private feed, hex; null: no feed.'),
    },
  },
  notifications: {
    meaning:
      'Events that members are told of, the newest of each. What is shown of one follows from the event and the page as it is then. Not part of backups.',
    columns: {
      id: id('Given as they are written.'),
      member_id: integer('Who is told.'),
      event_id: integer('The event.'),
      watch_id: integer('The watch that it met: of several, the one with the soonest mail.'),
      mail: text('off, now, daily or weekly: how the member is told by mail.'),
      mail_id: integerOrNull('The mail that tells of it, sent or not; null: none yet.'),
      read_at: integerOrNull('When the member marked it as read; null: not yet.'),
    },
  },
  watched_events: {
    meaning:
      'How far the events have been held against the watches. One row. Not part of backups: events that are restored notify nobody again.',
    columns: {
      id: integer('1.'),
      position: integerOrNull(
        'Place of the last event that was; null: none was, and the next round begins at the last one.',
      ),
      lease_until: integer('Until when one process does so, and the others leave it alone.'),
      holder: holder(),
    },
  },
  settings: {
    meaning: 'Settings of the site that administrators change while it runs.',
    columns: {
      name: text('Its name in `/v1/settings`.'),
      value: text('JSON.'),
      changed_at: integer('When it was changed; 0: never.'),
      changed_by: integerOrNull('The member who changed it; null: the command line or the environment.'),
    },
  },
  erasures: {
    meaning:
      'Erasures that are not finished: some of the erased bytes are still stored. Not part of backups.',
    columns: {
      id: id('Given in order of erasing.'),
      begun_at: integer('When the rows were erased.'),
      hashes: text('SHA-256 of files whose bytes are to be removed, hex, as a JSON array.'),
    },
  },
  search_renewal: {
    meaning:
      'One row while keys and index entries of an earlier version are being renewed; otherwise empty. Not part of backups.',
    columns: {
      id: id('1: the table has one row.'),
      after_id: integer('ID of the last page that was renewed.'),
    },
  },
} satisfies Record<string, { meaning: string; columns: Record<string, Column<unknown>> }>;

export type Tables = { [T in keyof typeof tables]: ValuesOf<(typeof tables)[T]['columns']> };
type ValuesOf<Columns> = { [C in keyof Columns]: Columns[C] extends Column<infer Value> ? Value : never };

/** A row as the query returns it. */
export type RowOf<T extends keyof Tables> = Selectable<Tables[T]>;

export const tableNames = Object.keys(tables) as (keyof Tables)[];

/** Credentials and short-lived data, which must not be restored from an old backup. */
const momentary: readonly (keyof Tables)[] = [
  'sessions',
  'api_tokens',
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
];

/** Tables that backups contain. */
export const contentTables = tableNames.filter((name) => !momentary.includes(name));
