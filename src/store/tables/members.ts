/** Accounts, and the ways to get or change one: invitations, requests, and links by mail. */
import type { Role } from '#core/model/member.ts';
import {
  column,
  id,
  integer,
  integerOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  truth,
  withDefault,
} from './column.ts';

export const memberTables = {
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
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
