/** How much text one answer may hold: many edits of long texts, or many long pages, would take all memory. */

/** Of the contents of one page's changes, as they are stored: JSON in UTF-8. */
export const maxHistoryBytes = 16_000_000;

/** Of the contents of all changes that a list of pages comes with. */
export const maxAnswerBytes = 64_000_000;

/** Of the contents of all templates that a page calls at one level of nesting. */
export const maxTemplateBytes = 16_000_000;
