/** API tokens. */
import { id, integer, integerOrNull, type TableDefinitions, text, textOrNull } from './column.ts';

export const tokenTables = {
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
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
