/** Recognises contents that an import wrote, so that an export returns them as they were in the source. */
import type { Content } from '#domain/pages/page.ts';
import { hashOf, noteOf } from '#import/note.ts';
import { importSteps } from '#import/write.ts';

/** A change that an import added after the source's own: the text before it is the source's. */
export function isImportStep({ data, msg }: Content): boolean {
  return importSteps.includes(msg) && noteOf(data) !== undefined;
}

/** Whether the text is still that of the source. */
export function isVerbatim({ data, body }: Content): boolean {
  const note = noteOf(data);
  return note !== undefined && note.revision !== '' && note.body === hashOf(body);
}

/** A page that an import made for a folder without a text of its own: the next import would make it again. */
export function isFolderAlone({ data, body }: Content): boolean {
  return body === '{{Children}}\n' && noteOf(data)?.body === hashOf(body);
}

/** Whether the latest import of a document wrote the text, apart from its links. */
export function isAsImported({ data, body }: Content): boolean {
  return noteOf(data)?.body === hashOf(body);
}
