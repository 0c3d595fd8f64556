/**
 * Documents that were asked for a moment ago. The site begins with the document of a long page while it sends the editor, which
 * asks for it once it runs.
 */
import type { SourceOfParts } from '#core/content/language.ts';

/** Longer bodies are read again, so that all documents together take a few megabytes. */
const maxLength = 300_000;
const maxKept = 4;

export class RecentDocuments<D> {
  #known: { source: SourceOfParts; dialect: D; document: Promise<string> }[] = [];

  /** The document that was read of the same source, or what `read` resolves to. Failures are not kept. */
  of(source: SourceOfParts, dialect: D, read: () => Promise<string>): Promise<string> {
    const { body, format, path } = source;
    if (body.length > maxLength) return read();
    const known = this.#known.find(
      (one) =>
        one.dialect === dialect &&
        one.source.format === format &&
        one.source.path === path &&
        one.source.body === body,
    );
    if (known) return known.document;
    const made = { source: { body, format, path }, dialect, document: read() };
    this.#known = [made, ...this.#known].slice(0, maxKept);
    made.document.catch(() => {
      this.#known = this.#known.filter((one) => one !== made);
    });
    return made.document;
  }
}
