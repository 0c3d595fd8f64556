/** Recognises contents that an import wrote, so that an export returns them as they were in the source. */
import type { Content } from '#core/model/page.ts';
import { hashOf, type ImportNote, noteOf } from '#import/note.ts';
import { adaptedMessage, importSteps } from '#import/steps.ts';

/** Returns whether an import added this change after the source's own changes, and the next import would add it again. */
export function isImportStep({ data, msg }: Content): boolean {
  const note = noteOf(data);
  return note !== undefined && importSteps.includes(msg) && (msg !== adaptedMessage || isOfMediaWiki(note));
}

/** Returns whether the text is still exactly that of the source. */
export function isVerbatim({ data, body, msg }: Content): boolean {
  const note = noteOf(data);
  const isOfSource = note !== undefined && (msg !== adaptedMessage || isOfMediaWiki(note));
  return isOfSource && note.revision !== '' && note.body === hashOf(body);
}

/**
 * Whether the text is in the language of a MediaWiki, for which the next import leads its links again. Keys of its pages begin with
 * the number of a namespace; a DokuWiki may call a namespace like that, but records when each page begun.
 */
function isOfMediaWiki({ source, text }: ImportNote): boolean {
  return /^\d+:/.test(source) && !text?.startsWith('begun-');
}

/** Returns whether an import made this page for a folder without a text of its own. The next import would make it again. */
export function isFolderAlone({ data, body }: Content): boolean {
  return body === '{{Children}}\n' && noteOf(data)?.body === hashOf(body);
}

/** Returns whether the latest import of a document wrote this text, apart from its links. */
export function isAsImported({ data, body }: Content): boolean {
  return noteOf(data)?.body === hashOf(body);
}
