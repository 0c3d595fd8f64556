/** Every bound of the engine. Beyond one, the page still renders, and a notice says what was cut. */
export const limits = Object.freeze({
  /** Templates within templates. */
  templateDepth: 40,
  /** Elements, links and lists within one another. */
  nesting: 100,
  /** Characters that all templates of a page may produce together. */
  expandedLength: 2_000_000,
  /** Calls and arguments within one another while expanding. */
  expansionDepth: 150,
  /** Template and function calls of one page. */
  calls: 100_000,
  /** Calls of one page that ask the runtime for names in languages or for time zones. */
  costlyCalls: 200,
  /** Braces that are open at once: what begins within so many is no call. */
  openCalls: 20_000,
  /** Arguments of one call; the last one holds the rest. */
  arguments: 10_000,
  /** Double brackets that are open at once; beyond it the outer half is text. */
  openLinks: 2000,
  /** Files within captions of files. */
  fileDepth: 10,
  /** Links, tags and files in double brackets of one page; different templates, and different files, that it names. */
  links: 20_000,
  /** Nodes of one tree. */
  nodes: 1_000_000,
  /** Milliseconds that parsing one page may take, and expanding it once. */
  milliseconds: 10_000,
  /** Formatting left open that is opened again in each following block. */
  reopened: 6,
  /** References, gallery captions and the like within one another. */
  fragmentDepth: 10,
  /** Runs of apostrophes on one line. */
  quotes: 20_000,
  /** Cells of all tables of one page. */
  cells: 100_000,
  /** Tables within one another. */
  tableDepth: 25,
  /** Levels of one list. */
  listDepth: 45,
  /** Characters of a tag's key. */
  keyLength: 64,
  /** Rows that one listing shows. */
  listingRows: 500,
});
