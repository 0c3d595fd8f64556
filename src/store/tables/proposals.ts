/** Proposals with their changes, files and reviews. */
import {
  column,
  id,
  integer,
  integerOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  withDefault,
} from './column.ts';

export const proposalTables = {
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
      merged_by: integerOrNull('The member who merged the proposal. Null before.'),
      merged_names: textOrNull(
        'Names of members in the messages of the merge, as a JSON object by their IDs. Null before, and for older merges.',
      ),
      stranger: textOrNull(
        'Name of the person without an account who proposed it; the author let it in. Null for members.',
      ),
    },
  },
  proposal_changes: {
    meaning: 'Changes of each proposal, in the order in which they are made.',
    columns: {
      proposal_id: integer('The proposal.'),
      n: integer('Position in the proposal, from 0.'),
      action: column<'create' | 'edit' | 'move' | 'delete'>('`create`, `edit`, `move` or `delete`.'),
      path: text('Path that the page had when the change was proposed. For a new page, its future path.'),
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
} satisfies TableDefinitions;
