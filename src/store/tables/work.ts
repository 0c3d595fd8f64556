/** Work in progress: requests that may be repeated, imports, scheduled exports, erasures, renewal of search indexes. */
import {
  column,
  holder,
  id,
  integer,
  integerOrNull,
  type TableDefinitions,
  text,
  textOrNull,
  withDefault,
} from './column.ts';

export const workTables = {
  idempotency_keys: {
    meaning: 'Requests with an idempotency key and their responses, kept for a day. Not part of backups.',
    columns: {
      id: id('ID of the request, in order of arrival.'),
      member_id: integer('The member against whose limit the request counts.'),
      key: text(
        'Credential (`session:` or `token:` and its ID), a space, and the key that the client chose.',
      ),
      fingerprint: text(
        'SHA-256 of method, URL, condition and body, hex. A different request with the same key is refused.',
      ),
      attempt: text(
        'Random ID of the attempt that carries out the request. Only this attempt can commit and answer.',
      ),
      state: column<'begun' | 'done' | 'answered'>(
        'begun: nothing is committed. done: committed, without a response yet. answered: the response is stored and sent again.',
      ),
      begun_at: integer('When the request arrived. The row is deleted a day later.'),
      lease_until: integer(
        'While the state is begun: time from which another attempt may take over. The running attempt keeps postponing it.',
      ),
      status: integerOrNull('Status of the response.'),
      headers: textOrNull('Headers that are sent again with the response, as a JSON object.'),
      body: textOrNull(
        'Body of the response: a letter for its encoding, then the text. Null if it was too long to store.',
      ),
      bytes: withDefault(integer('Length of the body as stored.')),
      holder: holder(),
    },
    isLeftOutOfBackups: true,
  },
  imports: {
    meaning: 'Imports started over HTTP, the latest hundred. Not part of backups.',
    columns: {
      id: id('ID of the import, in order of arrival.'),
      state: column<'running' | 'done' | 'failed' | 'cancelled'>(
        '`running` (at most one import), `done`, `failed` or `cancelled`.',
      ),
      member_id: integer('The administrator who started the import.'),
      done: withDefault(integer('Pages written so far.')),
      total: integerOrNull('Pages to write. Null while the source is still being read.'),
      begun_at: integer('When the import was started.'),
      seen_at: integer(
        'When its process last reported progress. A process that has reported nothing for a minute counts as ended.',
      ),
      error: textOrNull('Why the import failed. Null otherwise.'),
      certificate: textOrNull('Summary as JSON once the import is done. Null before.'),
      holder: holder(),
    },
    isLeftOutOfBackups: true,
  },
  scheduled_exports: {
    meaning: 'Exports that are made every few hours. Not part of backups.',
    columns: {
      format: text('Name of the export in the settings.'),
      state: column<'running' | 'done' | 'failed' | 'interrupted'>(
        '`running`, `done`, `failed`, or `interrupted` if the process was stopped. An interrupted export is due at once.',
      ),
      begun_at: integer('When the latest run was started.'),
      seen_at: integer(
        'When its process last reported progress. A process that has reported nothing for two minutes counts as ended.',
      ),
      succeeded_at: integerOrNull('When the latest run was finished. Null if none was.'),
      failures: withDefault(integer('Number of failed runs.')),
      holder: holder(),
    },
    isLeftOutOfBackups: true,
  },
  erasures: {
    meaning: 'Unfinished erasures, some of whose erased bytes are still stored. Not part of backups.',
    columns: {
      id: id('ID of the erasure, in order of erasing.'),
      begun_at: integer('When the rows were erased.'),
      hashes: text('SHA-256 of the files whose bytes are still to be removed, hex, as a JSON array.'),
    },
    isLeftOutOfBackups: true,
  },
  search_renewal: {
    meaning:
      'One row while keys and index entries of an earlier version are being renewed; otherwise empty. Not part of backups.',
    columns: {
      id: id('Always 1, so that the table has at most one row.'),
      after_id: integer('ID of the last renewed page.'),
    },
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
