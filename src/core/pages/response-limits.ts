/** Limits on the text in one response: many edits of long texts, or many long pages, would exhaust the memory. */

/** Maximum total size of one page's changes as stored: JSON in UTF-8. */
export const maxHistoryBytes = 16_000_000;

/** Maximum total size of all changes in a list of pages. */
export const maxAnswerBytes = 64_000_000;

/** Maximum total size of all templates that a page calls at one level of nesting. */
export const maxTemplateBytes = 16_000_000;
