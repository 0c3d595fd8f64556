/**
 * The rows that Coppice keeps, all in one file: one interface per table, and with it what every table and column means.
 * The compiler refuses a column without an explanation; PostgreSQL carries the same sentences as comments.
 *
 * Text is stored in UTF-8 and compared byte by byte on both engines (which is code point order); times are
 * milliseconds since the epoch. `page_text` and `page_names` are search indexes with a shape of each engine's own
 * and are not listed here. All tables stand in one file, as they are read together.
 */

import type { Generated } from 'kysely';
import type { Role } from '#domain/members/member.ts';

/** SQLite keeps booleans as 0 and 1: write either, read through `Boolean`. */
export type Truth = boolean | 0 | 1;

export interface Tables {
  members: {
    id: Generated<number>;
    email: string;
    email_key: string;
    name: string;
    is_active: Truth;
    is_bot: Generated<Truth>;
    epoch: number;
    passphrase_hash: string | null;
    created_at: number;
    name_skeleton: string | null;
    folded_name_skeleton: string | null;
    email_skeleton: string | null;
    failed_sign_ins: Generated<number>;
    failed_since: number | null;
    group_ids: Generated<string>;
    role: Generated<Role>;
    blocked_at: number | null;
    blocked_until: number | null;
    blocked_by: number | null;
    block_reason: string | null;
  };
  groups: {
    id: Generated<number>;
    name: string;
    name_key: string;
    created_at: number;
  };
  group_members: {
    group_id: number;
    member_id: number;
    by_provider: Truth;
    added_at: number;
  };
  invitations: {
    id: Generated<number>;
    token_hash: string;
    role: Role;
    by_command_line: Truth;
    invited_by: number | null;
    inviter_epoch: number | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  reset_links: {
    id: Generated<number>;
    token_hash: string;
    member_id: number;
    member_epoch: number;
    made_by: number | null;
    maker_epoch: number | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  oauth_handles: {
    handle_hash: string;
    member_id: number;
    provider: string;
    created_at: number;
  };
  identities: {
    issuer: string;
    subject: string;
    member_id: number;
    provider: string;
    account: string | null;
    linked_at: number;
  };
  sessions: {
    id: string;
    member_id: number;
    method: 'passphrase' | 'handle' | 'provider' | 'passkey';
    provider: string | null;
    credential: string | null;
    is_browser: Truth;
    user_agent: string | null;
    created_at: number;
    seen_at: number;
  };
  api_tokens: {
    id: Generated<number>;
    token_hash: string;
    member_id: number;
    name: string;
    scopes: string;
    ancestor_id: number | null;
    created_at: number;
    expires_at: number | null;
    last_used_at: number | null;
    last_used_from: string | null;
  };
  idempotency_keys: {
    id: Generated<number>;
    member_id: number;
    key: string;
    fingerprint: string;
    attempt: string;
    state: 'begun' | 'done' | 'answered';
    begun_at: number;
    lease_until: number;
    status: number | null;
    headers: string | null;
    body: string | null;
    bytes: Generated<number>;
  };
  scheduled_exports: {
    format: string;
    state: 'running' | 'done' | 'failed' | 'interrupted';
    begun_at: number;
    seen_at: number;
    succeeded_at: number | null;
    failures: Generated<number>;
  };
  imports: {
    id: Generated<number>;
    state: 'running' | 'done' | 'failed' | 'cancelled';
    member_id: number;
    done: Generated<number>;
    total: number | null;
    begun_at: number;
    seen_at: number;
    error: string | null;
    certificate: string | null;
  };
  pages: {
    id: Generated<number>;
    path: string;
    path_key: string;
    slug: string;
    title: string;
    title_key: string;
    sort_key: string;
    description: string;
    type: string | null;
    lat: number | null;
    lon: number | null;
    cell: number | null;
    parent_id: number | null;
    depth: number;
    trail: string;
    permissions: number;
    audience: number;
    follows_path: Truth;
    owner_id: number;
    group_id: number | null;
    default_permissions: number | null;
    default_group_id: number | null;
    protection: string | null;
    change_id: number;
    history_bytes: number;
    history_from: Generated<number>;
    created_at: number;
    updated_at: number;
  };
  trash: {
    id: Generated<number>;
    page_id: number;
    path: string;
    title: string;
    trail: string;
    audience: number;
    owner_id: number;
    pages: number;
    world_pages: number;
    members_pages: number;
    deleted_at: number;
    deleted_by: number;
  };
  trashed_pages: {
    id: number;
    trash_id: number;
    path: string;
    title: string;
    parent_id: number | null;
    depth: number;
    permissions: number;
    audience: number;
    owner_id: number;
    group_id: number | null;
    default_group_id: number | null;
    protection: string | null;
    change_id: number;
    history_bytes: number;
    history_from: number;
    created_at: number;
    updated_at: number;
  };
  changes: {
    id: Generated<number>;
    page_id: number;
    at: number;
    editor_id: number;
    content: string;
  };
  events: {
    id: Generated<number>;
    position: number | null;
    kind: string;
    at: number;
    page_id: number;
    change_id: number;
    path: string;
    title: string;
    trail: string;
    audience: number;
    lost_audience: number | null;
    owner_id: number;
    editor_id: number;
    msg: string;
    facts: Generated<number>;
    from_path: string | null;
    from_title: string | null;
    from_trail: string | null;
    awaits_review: Generated<number>;
  };
  aliases: {
    id: Generated<number>;
    path: string;
    path_key: string;
    page_id: number;
  };
  likes: {
    page_id: number;
    member_id: number;
    at: number;
  };
  tags: {
    page_id: number;
    seq: number;
    key: string;
    value: string;
    value_key: string;
  };
  files: {
    name: string;
    page_id: number;
    filename: string;
    hash: string;
    mime: string;
    size_bytes: number;
    width: number | null;
    height: number | null;
    thumbnail: string | null;
    thumbnail_hash: string | null;
    thumbnail_mime: string | null;
    uploaded_at: number;
    uploader_id: number;
    until_change_id: number | null;
    sort_key: string;
  };
  links: {
    source_id: number;
    kind: 'page' | 'template' | 'file';
    target: string;
    key: string;
    is_path: Truth;
    count: number;
    audience: number;
  };
  wanted: {
    key: string;
    sort_key: string;
    world_count: number;
    members_count: number;
    all_count: number;
    private_count: number;
  };
  webhooks: {
    id: Generated<number>;
    member_id: number;
    url: string;
    kinds: string | null;
    ancestor_id: number | null;
    secret: string;
    created_at: number;
    disabled_at: number | null;
    disabled_reason: string | null;
    position: number;
    last_success_at: number | null;
    leased_until: number | null;
    leased_by: string | null;
  };
  webhook_deliveries: {
    id: Generated<number>;
    webhook_id: number;
    position: number | null;
    message_id: string;
    kind: string;
    created_at: number;
    state: string;
    due_at: number | null;
    attempts: number;
    attempted_at: number;
    status: number | null;
    answer: string;
    took_ms: number;
  };
  mails: {
    id: Generated<number>;
    kind: string;
    address_key: string;
    mail: string;
    created_at: number;
    due_at: number | null;
    attempts: Generated<number>;
    error: string | null;
  };
  address_changes: {
    id: Generated<number>;
    token_hash: string | null;
    member_id: number;
    member_epoch: number;
    email: string;
    created_at: number;
    expires_at: number;
  };
  audit: {
    id: Generated<number>;
    position: number | null;
    at: number;
    kind: string;
    via: 'site' | 'api' | 'command line' | 'wiki';
    from_address: string | null;
    actor_id: number | null;
    token_id: number | null;
    subject_kind: string | null;
    subject_id: number | null;
    subject_name: string;
    note: string;
    hour: number | null;
    times: number;
    last_at: number;
  };
  second_factors: {
    member_id: number;
    secret: string;
    created_at: number;
    confirmed_at: number | null;
    last_step: number;
  };
  recovery_codes: {
    id: Generated<number>;
    member_id: number;
    code_hash: string;
  };
  sign_ups: {
    id: Generated<number>;
    email: string;
    email_key: string;
    name: string;
    passphrase_hash: string;
    token_hash: string | null;
    created_at: number;
    waiting_since: number | null;
    expires_at: number;
  };
  spent_challenges: {
    nonce: string;
    expires_at: number;
  };
  passkeys: {
    id: Generated<number>;
    member_id: number;
    name: string;
    credential_id: string;
    public_key: string;
    counter: number;
    is_synced: Truth;
    created_at: number;
    last_used_at: number | null;
  };
  answered_challenges: {
    challenge_hash: string;
    expires_at: number;
  };
  watches: {
    id: Generated<number>;
    member_id: number;
    kind: string;
    target: string;
    page_id: number | null;
    tag_key: string | null;
    value_key: string | null;
    tag_name: string | null;
    criteria: string | null;
    mail: string;
    created_at: number;
  };
  watchers: {
    member_id: number;
    unsubscribe_key: string;
    feed_hash: string | null;
  };
  notifications: {
    id: Generated<number>;
    member_id: number;
    event_id: number;
    watch_id: number;
    mail: string;
    mail_id: number | null;
    read_at: number | null;
  };
  watched_events: {
    id: number;
    position: number | null;
    lease_until: number;
  };
}

type Explained = { [T in keyof Tables]: { table: string; columns: { [C in keyof Tables[T]]: string } } };

/** In an order that satisfies every reference: a table stands after those that it points to, `trashed_pages` among them. */
export const meanings: Explained = {
  members: {
    table: 'People with an account.',
    columns: {
      id: 'Given in order of joining; the public ID of a member.',
      email: 'Address as written; leaves the wiki in no answer but to the member.',
      email_key: 'Address in NFC and lower case; unique, so that case never makes two accounts.',
      name: 'Shown as owner, editor and uploader.',
      is_active: 'An inactive member cannot sign in, and no token of theirs is valid.',
      is_bot: 'Whether it is a program that acts by API tokens alone: nobody can sign in as it.',
      epoch: 'Raised whenever every session of the member must end; tokens of an older epoch are dead.',
      passphrase_hash: 'Argon2id in PHC form; null for those who sign in by a provider alone.',
      created_at: 'When the account was made.',
      name_skeleton: 'Skeleton of the name by UTS #39: names that look alike have the same one.',
      folded_name_skeleton: 'Skeleton of the name without regard to case.',
      email_skeleton: 'Skeleton of the address without regard to case.',
      failed_sign_ins: 'Sign-ins with a wrong passphrase since the member was last told of any.',
      failed_since: 'When the first of them was; null if there is none.',
      group_ids:
        'IDs of the groups that the member is in, in order, with spaces between: a copy of `group_members`.',
      role: '`reader`, `writer`, `moderator` or `administrator`, who reads and writes everything and manages members.',
      blocked_at:
        'When the member was last blocked, which may be over; null: never, or the block was lifted.',
      blocked_until: 'When the block ends by itself; null: it does not.',
      blocked_by: 'Member who blocked them; null: the command line.',
      block_reason: 'Why, as the member is shown.',
    },
  },
  groups: {
    table: 'Groups of members. A page may be of one: then the second digit of its permissions is for them.',
    columns: {
      id: 'Never used again, as audiences and changes refer to it.',
      name: 'Unique without regard to case.',
      name_key: 'The name in NFC and lower case.',
      created_at: 'When it was made.',
    },
  },
  group_members: {
    table: 'Who is in which group.',
    columns: {
      group_id: 'The group.',
      member_id: 'The member.',
      by_provider:
        'Whether a sign-in by a provider named the group: then the next one may take the member out of it.',
      added_at: 'When the member came in.',
    },
  },
  invitations: {
    table: 'One-time invitations to make an account. Only the hash of the token is kept.',
    columns: {
      id: 'By which it is listed and revoked; tells nothing of the token.',
      token_hash: 'SHA-256 of the token in the link, hex.',
      role: 'Role of the new member.',
      by_command_line: 'Whether it was made by the command line, which stands for no member.',
      invited_by:
        'The administrator who invited; null for the command line and for the link that a first start prints.',
      inviter_epoch:
        'Epoch of the inviter at that time: the invitation is valid while it is theirs, and they an active administrator.',
      created_at: 'When it was issued.',
      expires_at: 'From when on it is of no use.',
      used_at: 'When it was used; null while it is still open.',
    },
  },
  reset_links: {
    table: 'One-time links by which a member chooses a new passphrase. Only the hash of the token is kept.',
    columns: {
      id: 'Given in order of making.',
      token_hash: 'SHA-256 of the token in the link, hex.',
      member_id: 'Whose passphrase it replaces.',
      member_epoch: 'Epoch of that member at that time: the link is valid while it is theirs.',
      made_by: 'The administrator who made it; null for the command line, and for a link that was mailed.',
      maker_epoch:
        'Epoch of the maker at that time: the link is valid while it is theirs, and they an active administrator.',
      created_at: 'When it was made.',
      expires_at: 'From when on it is of no use.',
      used_at: 'When it was used, which the member is told for a while; null while it is still open.',
    },
  },
  oauth_handles: {
    table:
      'Stored OAuth 2.0 tokens as the interface calls them: secret handles, each good for signing in as a member.',
    columns: {
      handle_hash: 'SHA-256 of the handle, base64url.',
      member_id: 'Whom the handle signs in.',
      provider: 'Name of the provider that it was linked for.',
      created_at: 'When it was handed out.',
    },
  },
  identities: {
    table:
      'Accounts at OpenID Connect providers and GitHub by which members sign in. One account is one member’s only.',
    columns: {
      issuer: 'Who vouches: the issuer as the provider itself states it.',
      subject: 'The account, as the issuer names it for ever; never an e-mail address.',
      member_id: 'Whom it signs in.',
      provider: 'Name of the provider in the settings when it was linked, for show.',
      account:
        'E-mail address or user name there, shown to the member alone; null if the provider tells none.',
      linked_at: 'When it was linked.',
    },
  },
  sessions: {
    table: 'Sign-ins that have not ended. Not part of backups: restoring one signs everybody out.',
    columns: {
      id: '256 random bits in base64url. Tokens and cookies refer to it, sealed; by itself it opens nothing.',
      member_id: 'Who is signed in.',
      method: 'How they signed in: passphrase, handle (of a stored OAuth 2.0 token), provider or passkey.',
      provider: 'Name of the provider in the settings; null for a passphrase or passkey.',
      credential:
        'What the session ends with: hash of the handle, issuer and subject of the identity with a space between, or ID of the credential of the passkey; null for a passphrase.',
      is_browser:
        'Whether a cookie of the site refers to it, which lives as long as the session; else tokens of 15 minutes alone do.',
      user_agent: 'What the client called itself, shortened; for the member to recognise it.',
      created_at: 'When the member signed in.',
      seen_at: 'When it was last used, to a few minutes.',
    },
  },
  api_tokens: {
    table:
      'Credentials of programs. Only the hash of the secret is kept. Not part of backups: restoring one must not bring back what was revoked.',
    columns: {
      id: 'By which it is listed and revoked; tells nothing of the secret.',
      token_hash: 'SHA-256 of the secret, hex.',
      member_id: 'For whom it speaks.',
      name: 'Given by the member, to recognise it.',
      scopes: 'What it may do, a space between: read, write, files, members, admin.',
      ancestor_id: 'The page that it is limited to, with what lies beneath; null: the whole wiki.',
      created_at: 'When it was made.',
      expires_at: 'From when on it is of no use; null: never.',
      last_used_at: 'When it was last used, to five minutes; null: never.',
      last_used_from: 'Address that it was last used from.',
    },
  },
  imports: {
    table: 'Imports begun over HTTP, the latest hundred. Not part of backups.',
    columns: {
      id: 'Given in order of arrival.',
      state: '`running`, of which there is one at most, `done`, `failed` or `cancelled`.',
      member_id: 'The administrator who began it.',
      done: 'Pages written so far.',
      total: 'Pages to write; null: the source is still being read.',
      begun_at: 'When it was begun.',
      seen_at: 'When its process last told of it: one that has told nothing for a minute has ended.',
      error: 'Why it failed; otherwise null.',
      certificate: 'JSON, once it is done; otherwise null.',
    },
  },
  scheduled_exports: {
    table: 'Exports that are made every few hours. Not part of backups.',
    columns: {
      format: 'Its name in the settings.',
      state: '`running`, `done`, `failed`, or `interrupted` by a stop: then it is due at once.',
      begun_at: 'When the last one was begun.',
      seen_at: 'When its process last told of it: one that has told nothing for two minutes has ended.',
      succeeded_at: 'When the last one was finished; null: none was.',
      failures: 'How many have failed.',
    },
  },
  idempotency_keys: {
    table: 'Requests with an idempotency key and their answers, for a day. Not part of backups.',
    columns: {
      id: 'Given in order of arrival.',
      member_id: 'Whose key it is: others may have the same.',
      key: 'Chosen by the client.',
      fingerprint:
        'SHA-256 of method, URL, condition and body, hex: another request may not have the same key.',
      attempt: 'Random: which try is carrying it out. Only that one can commit and answer.',
      state:
        'begun: nothing is committed. done: something is, and there is no answer yet. answered: the answer is returned again.',
      begun_at: 'When it arrived; a day later it is forgotten.',
      lease_until:
        'While it is begun: from when on another try may take it over. Put off while the first one runs.',
      status: 'Status of the answer.',
      headers: 'Headers that are returned again with the answer, a JSON object.',
      body: 'Body of the answer: a letter for how it is written and the text; null: not kept, as it was too long.',
      bytes: 'Length of the body as it is stored.',
    },
  },
  pages: {
    table:
      'The current state of every page: one row each, all that does not grow with history or neighbours.',
    columns: {
      id: 'Given in order of creation; the public ID of a page.',
      path: 'Unique address within the wiki, beginning with a slash; case matters.',
      path_key:
        'The path in lower case: for autocomplete, and to treat links as one that differ in case alone.',
      slug: 'Last part of a generated path.',
      title: 'As shown. Several pages may share one.',
      title_key:
        'The title in NFC and lower case with white space collapsed: links and title search match by it.',
      sort_key: 'The title folded for alphabetical order (at most 400 characters); ties are broken by ID.',
      description: 'Shown description: given, or derived from the body.',
      type: 'Shown type: given, by marker, or Place for a page with a location. Null: none.',
      lat: 'Shown location, degrees north; null together with lon and cell.',
      lon: 'Shown location, degrees east.',
      cell: 'Number of the band of latitude, a tenth of a degree, times 2^20, plus the step of longitude within it.',
      parent_id: 'The page above; null for a root page.',
      depth: 'Number of ancestors.',
      trail:
        'IDs of the ancestors, root first, each after a slash, and a slash at the end: /1/5/ (a root page: /).',
      permissions: 'Three octal digits as a decimal number: owner, group, world.',
      audience:
        'Who may read, by the permissions: 0 everyone, 1 members, 2 the owner, 3 administrators alone; for a page of the group g, 2g + 2 the group and the owner, 2g + 3 the group.',
      follows_path:
        'Whether some of its links are relative to its path, so that they must be derived anew when it moves; may be true where none is.',
      owner_id: 'The member who created the page.',
      group_id: 'The group whom the second digit of the permissions is for; null: all members.',
      default_permissions:
        'Permissions of new pages beneath it that are given none; null: it has no defaults.',
      default_group_id:
        'Group of new pages beneath it that are given none; null: all members, or no defaults.',
      protection:
        'Who alone may write the page, as JSON: `level`, `subtree` if pages beneath are protected with it, `reason`, `until`; null: nobody in particular.',
      change_id: 'The latest change; its content is the current content.',
      history_bytes: 'Length of the contents of all its changes from history_from on, as they are stored.',
      history_from:
        'The first change that all readers of the page may see; 0: all of them. Earlier ones are for its owner and administrators.',
      created_at: 'When the first change was made.',
      updated_at: 'When the latest change was made; never runs backwards.',
    },
  },
  trash: {
    table:
      'Deletions that can be undone: a row for each page that was deleted, with all that lay beneath it.',
    columns: {
      id: 'Given in order of deletion.',
      page_id: 'The page that was deleted; those beneath it went along.',
      path: 'Where it was.',
      title: 'Its title.',
      trail: 'IDs of its ancestors as in `pages`: the nearest one that is still there takes it back.',
      audience: 'Who could read it, and may see that it was deleted.',
      owner_id: 'Its owner.',
      pages: 'How many pages went, itself included.',
      world_pages: 'Those of them that everyone could read.',
      members_pages: 'Those of them that members could read.',
      deleted_at: 'When.',
      deleted_by: 'The member who deleted it.',
    },
  },
  trashed_pages: {
    table:
      'Pages in the trash: what does not follow from their current change. Their changes, files, likes and old paths stay in the tables of these.',
    columns: {
      id: 'The ID that the page had and will have again.',
      trash_id: 'The deletion that it went with.',
      path: 'Where it was.',
      title: 'Its title.',
      parent_id: 'The page above it; null for a root page.',
      depth: 'Number of its ancestors: parents come back before their children.',
      permissions: 'As in `pages`.',
      audience: 'As in `pages`: who could read it.',
      owner_id: 'As in `pages`.',
      group_id: 'As in `pages`.',
      default_group_id: 'As in `pages`.',
      protection: 'As in `pages`.',
      change_id: 'Its latest change.',
      history_bytes: 'As in `pages`.',
      history_from: 'As in `pages`.',
      created_at: 'As in `pages`.',
      updated_at: 'As in `pages`.',
    },
  },
  changes: {
    table:
      'Every version of every page, in the trash or not, whole. Rows are never altered but by an erasure, and removed only with a page that is purged from the trash.',
    columns: {
      id: 'Given in order of saving; the public ID of a change and the version of its page.',
      page_id: 'The page that was changed.',
      at: 'When.',
      editor_id: 'The member who made the change.',
      content:
        'The explicit state of the page after the change, body and names of files included, as a JSON object.',
    },
  },
  events: {
    table:
      'What happened to pages, for programs that follow the wiki. Written with each change; never altered but for their place and review.',
    columns: {
      id: 'Given as they are written; the public ID of an event.',
      position:
        'Place in the order of commits, given once the event is committed; null before, and on engines that write in that order, where the ID is the place.',
      kind: 'created, edited, moved, permissions, deleted, restored or erased.',
      at: 'When.',
      page_id: 'The page, which need not exist any more.',
      change_id: 'The latest change of the page at that time.',
      path: 'Path of the page after it.',
      title: 'Title of the page after it.',
      trail: 'IDs of the ancestors after it, as in pages.',
      audience: 'Who could read the page after it.',
      lost_audience:
        'Former audience, in the event that tells those who can no longer read the page that they lost it; null in every other event.',
      owner_id: 'Owner of the page.',
      editor_id: 'The member who did it.',
      msg: 'Message of the change.',
      facts:
        '1 if it may have altered what pages beneath show of the page: all but its content; 0 if it has not.',
      from_path: 'Path of the page before a move; otherwise null.',
      from_title: 'Title of the page before, where it differs or was lost; otherwise null.',
      from_trail: 'IDs of the ancestors before a move; otherwise null.',
      awaits_review:
        '1 until a moderator marks it as reviewed or it is old; 0 from the beginning if a moderator or administrator did it.',
    },
  },
  aliases: {
    table:
      'Paths at which pages once lived, or that their front matter declares. Whoever sees no page at such a path now is led to the one that left it last, of those that they see.',
    columns: {
      id: 'Given in order of leaving: of several pages with one old path, the highest left it last.',
      path: 'The old path. A page may live there again.',
      path_key: 'The old path in lower case.',
      page_id: 'The page that lived there.',
    },
  },
  likes: {
    table: 'Who likes which page.',
    columns: { page_id: 'The page.', member_id: 'The member.', at: 'When it was liked.' },
  },
  tags: {
    table: 'Tags of the current content. Derived: rebuilt from the changes.',
    columns: {
      page_id: 'The page that carries the tag.',
      seq: 'Position among the tags of the page, from 0.',
      key: 'Name, lower case.',
      value: 'Value as written.',
      value_key: 'The value, or its beginning and its SHA-256 where it is too long for an index.',
    },
  },
  files: {
    table:
      'Files of pages, current and replaced ones: a row for each that a change names, removed only with its page. The bytes lie in the file store under their hash.',
    columns: {
      name: 'Server-made, unique in the wiki: the file is served by it.',
      page_id: 'The page that the file belongs to, whose permissions count.',
      filename: 'What the uploader called it; unique among the current files of its page.',
      hash: 'SHA-256 of the bytes, hex.',
      mime: 'Type of the bytes, by the bytes; of a text with its charset.',
      size_bytes: 'Length.',
      width: 'Pixels; images only.',
      height: 'Pixels; images only.',
      thumbnail: 'Name that the thumbnail is served by; images only.',
      thumbnail_hash: 'SHA-256 of the bytes of the thumbnail, hex.',
      thumbnail_mime: 'Type of the thumbnail.',
      uploaded_at: 'When.',
      uploader_id: 'The member who uploaded it.',
      until_change_id: 'The change that took it from the page last; null while the page has it.',
      sort_key: 'The name by the uploader folded for alphabetical order and for looking up parts of it.',
    },
  },
  links: {
    table: 'What the current content links to. Derived: rebuilt from the changes.',
    columns: {
      source_id: 'The page that contains the link.',
      kind: 'page for a wiki link, template for a call of a template or module, file for an embedded or linked file.',
      target: 'As written, normalised: a path if it starts with a slash, else a title.',
      key: 'The target in lower case: links of one key are one wanted link.',
      is_path: 'Whether the target is a path.',
      count: 'How often the page says it.',
      audience: 'Copy of the audience of the source, so that counting needs no look at the page.',
    },
  },
  wanted: {
    table:
      'How many pages ask for each target that leads nowhere, for each audience. Kept by every write, and only while one of the counts is above 0.',
    columns: {
      key: 'Key of the links.',
      sort_key: 'The key folded for alphabetical order.',
      world_count: 'Pages that everyone can read and whose link leads nowhere for everyone.',
      members_count: 'Pages that members can read and whose link leads nowhere that every member can read.',
      all_count: 'Pages of any audience whose link leads nowhere at all.',
      private_count:
        'Pages for their owner or a group alone whose link leads nowhere that every member can read.',
    },
  },
  webhooks: {
    table:
      'Addresses that are told what happens. Not part of backups: a copy of the wiki tells them nothing.',
    columns: {
      id: 'Given in order of making.',
      member_id: 'The administrator who answers for it; what they may read is sent, while they are one.',
      url: 'Where it is sent.',
      kinds: 'Kinds of events, separated by commas; null: all.',
      ancestor_id: 'The page above everything that it is told of; null: the whole wiki.',
      secret: 'Key of the signatures, as it was shown: requests cannot be signed without it.',
      created_at: 'When.',
      disabled_at: 'Since when nothing is sent; null while it is enabled.',
      disabled_reason: 'Why, in a sentence.',
      position:
        'Place in the order of events: later ones were not sent yet, earlier ones were, or wait below.',
      last_success_at: 'When something was last taken at its address; null: never.',
      leased_until: 'Until when one process sends for it, even if it dies; null: none does.',
      leased_by: 'That process, by a random name.',
    },
  },
  webhook_deliveries: {
    table:
      'Log of what was sent to webhooks, the latest of each, and what is tried again. Not part of backups.',
    columns: {
      id: 'Given in order of the first attempt.',
      webhook_id: 'The webhook.',
      position: 'Place of the event, whose text is written for each attempt; null for a test.',
      message_id: 'By which the receiver knows it again: the cursor of the event.',
      kind: 'Kind of the event, or test.',
      created_at: 'When it was first tried, or tried anew after a pause of the webhook.',
      state:
        'waiting: it is tried again. delivered. failed: it is given up. left-out: the member may not read it any more.',
      due_at: 'When it is tried again; null unless it waits.',
      attempts: 'How often it was tried.',
      attempted_at: 'When it was last tried.',
      status: 'HTTP status of the last answer; null: there was none.',
      answer: 'Beginning of the last answer, or why there was none.',
      took_ms: 'How long the last attempt took.',
    },
  },
  mails: {
    table:
      'Mail that was not sent yet, or could not be. A row says what it is about; text and links are made when it is sent, so that no secret lies here. Not part of backups.',
    columns: {
      id: 'Given in order of queueing.',
      kind: 'What it is about, such as passphrase-forgotten.',
      address_key: 'Where it goes, in NFC and lower case.',
      mail: 'Kind, address and what the text needs, as a JSON object.',
      created_at: 'When it was queued.',
      due_at:
        'When it is tried next; pushed into the future by the process that tries it now. Null: given up, or held for an administrator because no mail server is set.',
      attempts: 'How often it was tried.',
      error: 'Answer of the mail server to the last attempt, or why there is none.',
    },
  },
  address_changes: {
    table:
      'New e-mail addresses that members have not confirmed yet; at most one for each member. Not part of backups.',
    columns: {
      id: 'Given in order of asking.',
      token_hash: 'SHA-256 of the token in the link that was sent last, hex; null before it is sent.',
      member_id: 'Whose address changes.',
      member_epoch: 'Epoch of that member at that time: the link is valid while it is theirs.',
      email: 'The new address as written.',
      created_at: 'When the member asked for it.',
      expires_at: 'From when on the link is of no use.',
    },
  },
  audit: {
    table:
      'Who did what to accounts, rights and content, when and from where. Rows are added and never altered, but for the count of failed sign-ins within their hour; they go when they are old, and names of members are not in them.',
    columns: {
      id: 'Given as they are written; the public ID of an entry.',
      position:
        'Place in the order of commits, given once the entry is committed; null before, and on engines that write in that order, where the ID is the place.',
      at: 'When; for an entry that stands for several, the first time.',
      kind: 'What was done, such as token-made.',
      via: 'site, api, command line, or wiki for what the wiki does by itself.',
      from_address: 'Address of the client; null for the command line and the wiki itself.',
      actor_id: 'The member who did it; null for the command line, the wiki itself and who is not signed in.',
      token_id: 'The API token by which they did it; null: none.',
      subject_kind: 'To what it was done, such as member or page; null: to nothing with a name.',
      subject_id: 'Its ID; null if it has none.',
      subject_name: 'Its name at that time; empty for members, whose names stand in `members`.',
      note: 'What else is to be known, in words.',
      hour: 'For entries that stand for several: the hour in which they are counted, as hours since the epoch. Null for all others.',
      times: 'For how many times it stands; 1 for all but failed sign-ins.',
      last_at: 'The last of these times.',
    },
  },
  second_factors: {
    table: 'One-time passwords that members need beside their passphrase.',
    columns: {
      member_id: 'Whose it is.',
      secret: 'The key that the app of the member shares, in base32.',
      created_at: 'When it was made.',
      confirmed_at: 'When a code of it was shown for the first time; null: not yet, and it is not in force.',
      last_step: 'The last time step whose code was used: neither it nor an earlier one is taken again.',
    },
  },
  recovery_codes: {
    table: 'Codes for members who have lost their second factor; each goes when it is used.',
    columns: {
      id: 'Given as they are made.',
      member_id: 'Whose it is.',
      code_hash: 'SHA-256 of the code, hex.',
    },
  },
  sign_ups: {
    table:
      'Strangers who ask to join: their address is not confirmed yet, or they wait for an administrator.',
    columns: {
      id: 'By which administrators approve or refuse it.',
      email: 'Address as written.',
      email_key: 'Address in NFC and lower case; unique, so that nobody asks twice.',
      name: 'How the person wants to be shown.',
      passphrase_hash: 'Argon2id in PHC form: it becomes that of the member.',
      token_hash: 'SHA-256 of the token in the link that was mailed last, hex; null: none was.',
      created_at: 'When the person asked.',
      waiting_since: 'Since when it waits for an administrator; null: the address is not confirmed.',
      expires_at: 'From when on it counts for nothing and is deleted.',
    },
  },
  spent_challenges: {
    table: 'Proofs of work that were taken, so that each counts once.',
    columns: {
      nonce: 'Random number of the challenge, hex.',
      expires_at: 'When the challenge expires: from then on the row is of no use.',
    },
  },
  passkeys: {
    table: 'Public keys of passkeys by which members sign in.',
    columns: {
      id: 'Given in order of adding; the public ID of a passkey.',
      member_id: 'Whose it is.',
      name: 'How the member calls it.',
      credential_id: 'ID that the authenticator gave it, base64url.',
      public_key: 'Its public key in COSE, base64url.',
      counter: 'Signatures that the authenticator counted, by the last one; 0: it counts none.',
      is_synced: 'Whether the authenticator keeps copies on other devices, as it last said.',
      created_at: 'When it was added.',
      last_used_at: 'When somebody last signed in with it; null: never.',
    },
  },
  answered_challenges: {
    table:
      'Challenges to passkeys that were answered, until they expire: none is answered twice. Not part of backups.',
    columns: {
      challenge_hash: 'SHA-256 of the challenge, hex.',
      expires_at: 'From when on nobody can answer it anyway.',
    },
  },
  watches: {
    table: 'What members watch: a page, a page with all beneath it, a tag, or a search.',
    columns: {
      id: 'Given in order of watching; the public ID of a watch.',
      member_id: 'Who watches.',
      kind: 'page, subtree, tag or search.',
      target: 'What is watched, in one spelling: the ID of the page, the tag, or the query of the search.',
      page_id: 'The page of a page or subtree, which need not exist any more; 0: the whole wiki.',
      tag_key: 'Key of a tag with key and value, lower case.',
      value_key: 'Value of a tag, as in tags.',
      tag_name: 'Lower-case name of a tag without a value: pages with any tag of that name are watched, too.',
      criteria: 'Criteria of a search as the store takes them, as a JSON object; null for all others.',
      mail: 'off, now, daily or weekly.',
      created_at: 'When the member began to watch: earlier events do not count.',
    },
  },
  watchers: {
    table: 'Members who have watched something.',
    columns: {
      member_id: 'The member.',
      unsubscribe_key:
        '256 random bits in base64url, part of the links in mail that end mail. It allows nothing else, and must work for years.',
      feed_hash: 'SHA-256 of the secret in the address of the private feed, hex; null: no feed.',
    },
  },
  notifications: {
    table:
      'Events that members are told of, the newest of each. What is shown of one follows from the event and the page as it is then. Not part of backups.',
    columns: {
      id: 'Given as they are written.',
      member_id: 'Who is told.',
      event_id: 'The event.',
      watch_id: 'The watch that it met: of several, the one with the soonest mail.',
      mail: 'off, now, daily or weekly: how the member is told by mail.',
      mail_id: 'The mail that tells of it, sent or not; null: none yet.',
      read_at: 'When the member marked it as read; null: not yet.',
    },
  },
  watched_events: {
    table:
      'How far the events have been held against the watches. One row. Not part of backups: events that are restored notify nobody again.',
    columns: {
      id: '1.',
      position:
        'Place of the last event that was; null: none was, and the next round begins at the last one.',
      lease_until: 'Until when one process does so, and the others leave it alone.',
    },
  },
};

export const tableNames = Object.keys(meanings) as (keyof Tables)[];

/** Credentials and errands of the moment: old ones must not come back with a backup. */
const momentary: readonly (keyof Tables)[] = [
  'sessions',
  'api_tokens',
  'idempotency_keys',
  'webhooks',
  'webhook_deliveries',
  'imports',
  'scheduled_exports',
  'mails',
  'address_changes',
  'answered_challenges',
  'notifications',
  'watched_events',
];

/** Tables that backups hold. */
export const contentTables = tableNames.filter((name) => !momentary.includes(name));
