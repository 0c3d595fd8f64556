/** Recognises contents that an import wrote, so that an export returns them as they were in the source. */
import type { Content } from '#core/model/page.ts';
import { hashOf, noteOf } from '#import/note.ts';
import { importSteps } from '#import/steps.ts';

/** Returns whether an import added this change after the source's own changes. The text before it is the source's. */
export function isImportStep({ data, msg }: Content): boolean {
  return importSteps.includes(msg) && noteOf(data) !== undefined;
}

/** Returns whether the text is still exactly that of the source. */
export function isVerbatim({ data, body }: Content): boolean {
  const note = noteOf(data);
  return note !== undefined && note.revision !== '' && note.body === hashOf(body);
}

/** Returns whether an import made this page for a folder without a text of its own. The next import would make it again. */
export function isFolderAlone({ data, body }: Content): boolean {
  return body === '{{Children}}\n' && noteOf(data)?.body === hashOf(body);
}

/** Returns whether the latest import of a document wrote this text, apart from its links. */
export function isAsImported({ data, body }: Content): boolean {
  return noteOf(data)?.body === hashOf(body);
}
