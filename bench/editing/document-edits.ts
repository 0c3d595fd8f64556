/**
 * Edits of documents as a visual editor makes them: how many change only the bytes of what was edited, and how many are refused.
 *
 *   node bench/editing/document-edits.ts <folder of .mediawiki or .md files> [edits of a kind in each page, 1] [kind]
 *
 * Prints by kind the edits that were exact, refused (`NotExpressible`), and wider: bytes outside of the edited part changed too.
 * No edit can be wrong: `patch` compares the document of its result with the edited one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownDocuments } from '@coppice/markdown/document';
import { documentsOf, NotExpressible, wikitextDocuments } from '@coppice/wikitext/document';
import { isWithin, randomFrom, randomStep, stepKinds } from '../../packages/wikitext/test/document-steps.ts';

const [folder = '', each = '1', only] = process.argv.slice(2);
const languages = {
  mediawiki: documentsOf(wikitextDocuments()),
  md: documentsOf(markdownDocuments()),
};
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(mediawiki|md)$/.test(name),
);
const counts: Record<string, { exact: number; refused: number; wider: number }> = {};

for (const [index, name] of names.sort().entries()) {
  const { documentOf, patch } = languages[name.endsWith('.md') ? 'md' : 'mediawiki'];
  const source = readFileSync(join(folder, name), 'utf8');
  const document = documentOf(source);
  if (patch(source, document) !== source) throw new Error(`${name} changed without an edit.`);
  const pick = randomFrom(index + 1);
  for (const kind of stepKinds.filter((one) => only === undefined || one === only))
    for (let count = 0; count < Number(each); count++) {
      const step = randomStep(document, kind, pick);
      if (!step) continue;
      counts[kind] ??= { exact: 0, refused: 0, wider: 0 };
      try {
        counts[kind][isWithin(source, patch(source, step.document), step.touches) ? 'exact' : 'wider']++;
      } catch (error) {
        if (!(error instanceof NotExpressible)) throw error;
        counts[kind].refused++;
      }
    }
}
console.table(counts);
