/** Writes edited documents in Markdown. */
import { type DocumentLanguage, NotExpressible, writeSequence } from '@coppice/wikitext/document';
import { readMarkdown } from './read.ts';

/** Markdown as a language of documents, for `documentsOf`. */
export function markdownDocuments(): DocumentLanguage {
  return {
    read: readMarkdown,
    write({ source, root }, now) {
      const refuse = () => {
        throw new NotExpressible('This cannot be written in Markdown yet.');
      };
      return writeSequence(
        source,
        { content: root.content, children: root.children ?? [] },
        now.children ?? [],
        {
          change: (_old, block) => (block.type === 'source' ? String(block.attrs.text) : refuse()),
          write: (block) => (block.type === 'source' ? String(block.attrs.text) : refuse()),
          separator: () => '\n\n',
        },
      );
    },
  };
}
