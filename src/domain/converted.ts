/**
 * Markdown that a transaction needs as wikitext. Converting it may take seconds, and everybody who writes would wait: so it is
 * done before, or the transaction is given up, and begun again once it is done.
 */
import { type Language, TooCostly } from './language.ts';
import { maxMarkdownAtOnce, wikitextOf } from './markdown.ts';
import type { Format } from './page.ts';
import { invalid } from './problem.ts';

/** A body as wikitext, at once. */
export type Convert = (body: string, format: Format) => string;

class NotConverted extends Error {
  readonly body: string;

  constructor(body: string) {
    super('Markdown is needed that is not converted yet.');
    this.body = body;
  }
}

/**
 * `work` is called again for each long body that it asks for, so it must do nothing that it cannot do again. Refuses `invalid`
 * if one takes too long: nothing is saved then. Without `language` it is all converted at once, as commands do.
 */
export async function converting<R>(
  language: Language | undefined,
  work: (convert: Convert) => Promise<R>,
  first?: { body?: string | undefined; format?: Format | undefined },
): Promise<R> {
  if (!language) return work(wikitextOf);
  const known = new Map<string, string>();
  const learn = async (body: string) => {
    known.set(body, await wikitextFor(language, body));
  };
  const convert: Convert = (body, format) => {
    if (isShort(body, format)) return wikitextOf(body, format);
    const wikitext = known.get(body);
    if (wikitext === undefined) throw new NotConverted(body);
    return wikitext;
  };
  if (first?.body !== undefined && !isShort(first.body, first.format ?? 'wikitext')) await learn(first.body);
  for (;;) {
    try {
      return await work(convert);
    } catch (error) {
      if (!(error instanceof NotConverted)) throw error;
      await learn(error.body);
    }
  }
}

function isShort(body: string, format: Format): boolean {
  return format !== 'markdown' || body.length <= maxMarkdownAtOnce;
}

async function wikitextFor(language: Language, body: string): Promise<string> {
  try {
    return await language.wikitext(body, 'markdown');
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    throw invalid(
      '/body',
      'This Markdown takes too long to read, so it was not saved. What costs most: brackets, emphasis, quotes and lists that are opened again and again. Use fewer of them, or divide the text among several pages.',
    );
  }
}
