/** Checks whether a path is available for a new page. Private pages count as well, as the interface requires. */

import { escapeHtml } from '@coppice/wikitext';
import { textOf } from '#words/say.ts';
import { isReserved, readNewPath } from '../model/path.ts';
import type { Reader } from '../ports/reader.ts';
import { findFreePath } from './free-path.ts';

/** `error` is HTML: a sentence for the person, with all input escaped. `freePath`: the next free path if this one is taken. */
export async function checkPath(
  reader: Reader,
  text: string,
): Promise<{ ok: true } | { ok: false; error: string; freePath?: string }> {
  const read = readNewPath(text);
  if ('problem' in read) return unusable(escapeHtml(textOf(read.problem, 'en')));
  const shown = `<code>${escapeHtml(read.path)}</code>`;
  if (isReserved(read.path)) return unusable(`The path ${shown} is reserved for Coppice itself.`);
  if (!(await reader.pages.isTaken(read.path))) return { ok: true };
  const freePath = await findFreePath(reader, read.path);
  return { ...unusable(`A page at ${shown} already exists.`), ...(freePath ? { freePath } : {}) };
}

function unusable(error: string) {
  return { ok: false as const, error };
}
