/**
 * Attached files by their text. A file is found if one piece of it, such as a page of a PDF, has all of the words, or longer words
 * that begin so. Which language it is in is unknown, so words also count by the stems that they have in the language of the wiki.
 */
import type { AttachedFile, PageName } from '../model/page.ts';
import { type Phrase, readTextQuery } from '../model/terms.ts';
import type { FileWords } from '../ports/file-rows.ts';
import type { Reader } from '../ports/reader.ts';
import { type ExcerptPart, excerptOf, speechOf } from './excerpt.ts';

/** Words of a search that count, the longest ones, and alternatives to each. */
const maxWords = 6;
const maxAlternatives = 10;

export interface FoundInFile {
  file: AttachedFile;
  page: PageName;
  number: number;
  excerpt: ExcerptPart[];
}

/** Latest uploads first, at most `limit`. Nothing for a search without words, or only for titles. */
export async function searchFiles(reader: Reader, text: string, limit: number): Promise<FoundInFile[]> {
  const speech = speechOf(reader);
  const query = readTextQuery(text, [speech.language], speech.synonyms);
  const words = query?.phrases.filter(({ inTitle }) => !inTitle).flatMap(wordsOf) ?? [];
  // Long words are rare ones.
  const chosen = words.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, maxWords);
  if (chosen.length === 0) return [];
  const hits = await reader.files.withText(chosen, limit);
  return hits.map(({ text: found, ...hit }) => ({ ...hit, excerpt: excerptOf(found, text, speech) }));
}

/** One entry for each word of a phrase; alternatives of several words are left out. */
function wordsOf({ terms, prefix, stems = [], or = [] }: Phrase): FileWords[] {
  const words = terms.map((term, index) =>
    prefix && index === terms.length - 1
      ? { whole: stems, beginnings: [term] }
      : { whole: [term, ...stems], beginnings: [] },
  );
  const [only] = words;
  if (or.length === 0 || !only) return words;
  const all = [words, ...or.map(wordsOf)].flatMap((some) => (some.length === 1 ? some : []));
  const others = all.slice(0, maxAlternatives);
  return [
    {
      whole: others.flatMap(({ whole }) => whole),
      beginnings: others.flatMap(({ beginnings }) => beginnings),
    },
  ];
}

function lengthOf({ whole, beginnings }: FileWords): number {
  return (beginnings[0] ?? whole[0] ?? '').length;
}
