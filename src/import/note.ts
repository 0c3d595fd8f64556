/** Import record in a page's `data.import`, by which a later run recognises the page and its state. */
import { hash } from 'node:crypto';
import type { Data } from '#core/model/page.ts';

export interface ImportNote {
  /** Name of the source. */
  from: string;
  /** Key of the page in the source. */
  source: string;
  /** ID of the imported revision. */
  revision: string;
  /** SHA-256 of the imported body; if the body differs, the page was edited since. */
  body: string;
  title: string;
  /** Name of the source among all that were imported: see `originOf`. */
  origin?: string;
  /** Path beneath which the import went; empty for the top of the wiki. */
  beneath?: string;
  /** Path that the source asks for. */
  wanted?: string;
  /** Fingerprint of the page in the source. */
  text?: string;
  /** Access that the source stated, if any. */
  access?: string;
}

const optional = ['origin', 'beneath', 'wanted', 'text', 'access'] as const;

export function noteOf(data: Data): ImportNote | undefined {
  const note = data.import;
  if (typeof note !== 'object' || note === null) return undefined;
  // Folders of wikitext were recorded without them.
  const complete = { from: 'wikitext', revision: '', ...note } as Record<string, unknown>;
  const { from, source, revision, body, title, ...others } = complete;
  const isOurs = [from, source, revision, body, title].every((value) => typeof value === 'string');
  const more = optional.flatMap((name) => (typeof others[name] === 'string' ? [[name, others[name]]] : []));
  return isOurs
    ? ({ from, source, revision, body, title, ...Object.fromEntries(more) } as ImportNote)
    : undefined;
}

export function withNote(data: Data, note: object): Data {
  return { ...data, import: note };
}

export function hashOf(text: string): string {
  return hash('sha256', text);
}
