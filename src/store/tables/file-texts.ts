/** Texts of files, for searching. */
import { integer, integerOrNull, type TableDefinitions, text } from './column.ts';

export const fileTextTables = {
  file_texts: {
    meaning: 'Files whose text was read for searching, or is being read: one row for the same bytes.',
    columns: {
      hash: text('SHA-256 of the bytes, hex.'),
      begun_at: integer('When a process began to read it.'),
      attempts: integer('How often that was.'),
      read_at: integerOrNull('When the text of the file was stored. Null until then.'),
    },
    isLeftOutOfBackups: true,
  },
  file_text_parts: {
    meaning: 'Texts of files, in pieces.',
    columns: {
      hash: text('SHA-256 of the bytes, hex.'),
      number: integer('Page of the document, slide, sheet or piece, counted from 1.'),
      text: text('Its text on one line.'),
    },
    isLeftOutOfBackups: true,
  },
  file_terms: {
    meaning: 'Search terms of these pieces.',
    columns: {
      term: text('Term, as `core/model/terms.ts` splits texts.'),
      hash: text('SHA-256 of the bytes, hex.'),
      number: integer('The piece.'),
    },
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
