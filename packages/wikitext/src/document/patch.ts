/**
 * Documents of an editor: `documentOf` reads a source, and `patch` makes the edits of the document in the source, where every
 * byte that was not edited stays. The result is read again and compared with the edited document, so that nothing is ever
 * written wrongly: what the language cannot express is refused, with its place.
 */
import { NotExpressible, readEdited } from './edited.ts';
import { firstDifference, toJson } from './json.ts';
import type { DocumentLanguage, Style } from './language.ts';
import type { Block, DocumentNode, Range, SourceBlock } from './nodes.ts';

/** Pages of one language as documents. `documentOf` accepts any source and never throws. */
export type Documents = {
  documentOf(source: string): DocumentNode;
  /** `document`: what `documentOf(source)` returned, edited. Throws `NotExpressible`. */
  patch(source: string, document: unknown): string;
};

/** Attempts to write a document, each with one block more in a safer form. */
const maxAttempts = 6;

/** Writes up to seven times, each time with one block in a safer form, until the result reads as the edited document. */
export function documentsOf(language: DocumentLanguage): Documents {
  return {
    documentOf: (source) => toJson(language.read(source)),
    patch(source, document) {
      const root = language.read(source);
      const now = readEdited(document, source, language, root);
      if (root.key === now.key) return source;
      const origins = blocksByOrigin(root);
      const before = { source, root, find: (block: Block) => origins.get(nameOf(block)) };
      const styles = new Map<readonly number[], Style>();
      const style = (block: Block): Style => styles.get(block.path) ?? 'usual';
      try {
        for (let attempt = 0; ; attempt++) {
          const written = language.write(before, now, style);
          const found = firstDifference(now, language.read(written));
          if (!found) return written;
          const tried = style(found);
          if (tried === 'anew' || attempt === maxAttempts) throw new NotExpressible(otherwise, found.path);
          styles.set(found.path, tried === 'usual' ? 'safe' : 'anew');
        }
      } catch (error) {
        if (!(error instanceof NotExpressible)) throw error;
        throw new NotExpressible(error.message, error.path, placeOf(now, error.path));
      }
    },
  };
}

const otherwise = 'This part cannot be written in the language of the page as it looks.';

/** Range of the innermost block on the path that the source has. */
function placeOf(now: Block, path: readonly number[]): Range | undefined {
  let place: Range | undefined;
  let block: Block | undefined = now;
  for (const index of path) {
    block = block?.children?.find((child) => child.path.at(-1) === index);
    place = block?.origin ?? place;
  }
  return place;
}

function nameOf({ type, origin }: Block): string {
  return `${type} ${origin?.start} ${origin?.end}`;
}

function blocksByOrigin(root: SourceBlock): Map<string, SourceBlock> {
  const found = new Map<string, SourceBlock>();
  const open = [root];
  for (let block = open.pop(); block; block = open.pop()) {
    found.set(nameOf(block), block);
    open.push(...(block.children ?? []));
  }
  return found;
}
