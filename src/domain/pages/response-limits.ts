/** How much text one answer may hold: many edits of long texts, or many long pages, would take all memory. */

/** Maximum total length of one page's changes, as they are stored: JSON in UTF-8. */
export const maxHistoryBytes = 16_000_000;

/** Maximum total length of all changes in a list of pages. */
export const maxAnswerBytes = 64_000_000;

/** Maximum total length of all templates that a page calls at one level of nesting. */
export const maxTemplateBytes = 16_000_000;
