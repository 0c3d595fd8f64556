/** How members prove who they are, and their sessions. */
import {
  column,
  id,
  integer,
  integerOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  truth,
} from './column.ts';

export const signInTables = {
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
    isLeftOutOfBackups: true,
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
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
