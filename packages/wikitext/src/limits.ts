/** All limits of the engine. A page that exceeds one still renders, and a notice says what was cut. */
export const limits = Object.freeze({
  /** Nesting depth of templates. */
  templateDepth: 40,
  /** Nesting depth of elements, links and lists. */
  nesting: 100,
  /** Total number of characters that all templates of a page may produce. */
  expandedLength: 2_000_000,
  /** Nesting depth of calls and arguments during expansion. */
  expansionDepth: 150,
  /** Template and function calls per page. */
  calls: 100_000,
  /** Calls per page that look up names in languages or time zones in the JavaScript runtime. */
  costlyCalls: 200,
  /** Open braces at one time; deeper calls are text. */
  openCalls: 20_000,
  /** Arguments of one call; the last one holds all the rest. */
  arguments: 10_000,
  /** Open double brackets at one time; beyond it, the outer half is text. */
  openLinks: 2000,
  /** Nesting depth of files within captions of files. */
  fileDepth: 10,
  /** Per page: links, tags and files in double brackets; also different templates, and different files. */
  links: 20_000,
  /** Nodes per tree. */
  nodes: 150_000,
  /** Nodes of a page that an editor gets as a document; a longer page is one block of source there. */
  documentNodes: 50_000,
  /** Headings per page. */
  headings: 20_000,
  /** Notes per page. */
  notes: 25_000,
  /** Characters of a page as HTML or Markdown. */
  output: 8_000_000,
  /** Milliseconds for parsing a page, and for expanding it once. */
  milliseconds: 10_000,
  /** Unclosed formatting elements that are reopened in each following block. */
  reopened: 6,
  /** Nesting depth of references, gallery captions and similar fragments. */
  fragmentDepth: 10,
  /** Runs of apostrophes per line. */
  quotes: 20_000,
  /** Table cells per page. */
  cells: 100_000,
  /** Nesting depth of tables. */
  tableDepth: 25,
  /** Nesting depth of one list. */
  listDepth: 45,
  /** Characters in the key of a tag. */
  keyLength: 64,
  /** Rows per listing. */
  listingRows: 500,
});
