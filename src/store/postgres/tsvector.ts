/**
 * Search terms in PostgreSQL's form: `tsvector`s and `tsquery`s are written verbatim from our own terms, never by PostgreSQL's
 * parsers, so that both engines find the same.
 *
 * A tsvector stores positions up to 16,383, and 256 for each word, so a long text is split into parts that overlap by the
 * length of the longest phrase: adjacent terms are adjacent in at least one part.
 */
import type { Phrase } from '#core/model/terms.ts';
import { maxQueryTerms } from '#core/model/terms.ts';

/** For example `'open' <-> 'sourc':* & ('wiki' | '·wik')`, cast verbatim to tsquery. */
export function tsqueryOf(phrases: Phrase[], given = ''): string {
  return phrases
    .map(({ terms, prefix, stems = [], or = [], inTitle }) => {
      const weight = inTitle ? 'A' : given;
      const lexemes = terms.map((term, i) => {
        const flags = (prefix && i === terms.length - 1 ? '*' : '') + weight;
        return quoted(term) + (flags ? `:${flags}` : '');
      });
      const others = stems.map((stem) => ` | ${quoted(stem)}${weight ? `:${weight}` : ''}`);
      const instead = or.map((phrase) => ` | ${tsqueryOf([phrase], given)}`);
      return `(${lexemes.join(' <-> ')}${others.join('')}${instead.join('')})`;
    })
    .join(' & ');
}

const maxPosition = 16_000;
const maxRepeats = 255;
/** PostgreSQL accepts less than 1 MB. */
const maxVectorBytes = 900_000;
const overlap = maxQueryTerms - 1;

/** A term with its positions so far. */
interface Lexeme {
  text: string;
  repeats: number;
}

/** Returns one or more tsvectors in text form. Terms are separated by spaces. */
export function tsvectorsOf(title: string, body: string): string[] {
  const bodyTerms = body.split(' ').filter(Boolean);
  const vectors: string[] = [];
  let lexemes = new Map<string, Lexeme>();
  let position = 0;
  let bytes = 0;
  const add = (term: string, weight: string) => {
    position++;
    bytes += 6;
    const known = lexemes.get(term);
    if (known) {
      known.text += `,${position}${weight}`;
      known.repeats++;
    } else {
      lexemes.set(term, { text: `${quoted(term)}:${position}${weight}`, repeats: 1 });
      bytes += Buffer.byteLength(term) + 8;
    }
  };
  const close = () => {
    let vector = '';
    for (const { text } of lexemes.values()) vector += vector === '' ? text : ` ${text}`;
    vectors.push(vector);
    lexemes = new Map();
    position = 0;
    bytes = 0;
  };
  for (const term of title.split(' ').filter(Boolean)) add(term, 'A');
  // Skips a position, so that no phrase spans title and body.
  position++;
  for (const [i, term] of bodyTerms.entries()) {
    const isFull =
      position >= maxPosition || bytes >= maxVectorBytes || (lexemes.get(term)?.repeats ?? 0) >= maxRepeats;
    if (isFull) {
      close();
      for (const repeated of bodyTerms.slice(Math.max(0, i - overlap), i)) add(repeated, '');
    }
    add(term, '');
  }
  close();
  return vectors;
}

function quoted(term: string): string {
  if (!/['\\]/.test(term)) return `'${term}'`;
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
