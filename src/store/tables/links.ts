/** Secret links to pages. */
import { id, integer, integerOrNull, type TableDefinitions, text, truth } from './column.ts';

export const linkTables = {
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
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
