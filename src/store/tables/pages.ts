/** Current state of pages. */
import {
  id,
  integer,
  integerOrNull,
  realOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  truth,
  withDefault,
} from './column.ts';

export const pageTables = {
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
      review_by: withDefault(textOrNull('Day when the next review of the page is due. Null for none.')),
      language: withDefault(
        textOrNull('Language of its text, a BCP 47 tag. Null for the language of the wiki.'),
      ),
      original_id: withDefault(
        integerOrNull(
          'The original of which this page is a translation. The original may have been deleted, and is never a translation. Null for a page that is not a translation.',
        ),
      ),
      rendered_id: withDefault(
        integerOrNull(
          'Change of the original that the translation renders. Null for a page that is not a translation.',
        ),
      ),
      rendered_paragraphs: withDefault(
        textOrNull(
          'Keys of changes of paragraphs of the original since then that the translation renders already, as JSON. Null for none.',
        ),
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
} satisfies TableDefinitions;
