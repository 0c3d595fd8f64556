/** Writes blocks where wikitext has room for one line only: as tags, with `<br />` between paragraphs. */
import { attributesOf, isBox, mayBeTag } from './elements.ts';
import { codeBlock, isExtension, isTransclusion } from './extension.ts';
import { type HtmlElement, type HtmlNode, hasClass, isElement, textOf } from './html-tree.ts';
import { isMedia } from './media.ts';
import type { Place, Writing } from './writing.ts';

/** Writes blocks in one line. Of a paragraph only its content is written, with `<br />` between it and what comes next. */
export function oneLine(writer: Writing, nodes: readonly HtmlNode[], place: Partial<Place>): void {
  const { out } = writer;
  const inside: Place = { ...place, isOneLine: true };
  let run: HtmlNode[] = [];
  const endRun = () => {
    writer.inline(run, inside);
    run = [];
  };
  /** Whether a paragraph was written last, so that text needs a `<br />` before it. */
  let isOwed = false;
  /** Whether a block's tag was written last, so that a paragraph needs no `<br />` before it. */
  let isAfterBlock = false;
  for (const node of nodes) {
    const isText = node.type !== 'element' || !writer.blocks.has(node) || isMedia(node);
    const isKept = node.type === 'element' && writer.keptSource(node)?.includes('\n') === false;
    if (isText || isKept || isExtension(node) || isTransclusion(node)) {
      const isBlank = node.type === 'text' && node.value.trim() === '';
      if (isOwed && !isBlank) {
        endRun();
        out.put('<br />');
        isOwed = false;
      }
      if (!isBlank) isAfterBlock = false;
      run.push(node);
      continue;
    }
    endRun();
    if (isElement(node, 'p') && attributesOf(node) === '') {
      const text = out.capture(() => oneLine(writer, node.children, place)).trim();
      if (text === '') continue;
      if (!out.isEmpty && !isAfterBlock) out.put('<br />');
      out.put(text);
      isOwed = true;
      isAfterBlock = false;
      continue;
    }
    const code = codeTag(node);
    if (code !== undefined) out.put(code);
    else if (!mayBeTag(node, writer.rules) || isBox(node)) {
      if (node.name !== 'tbody' && node.name !== 'thead' && node.name !== 'tfoot' && !out.isEmpty)
        out.put(' ');
      oneLine(writer, node.children, place);
    } else if (node.name === 'hr') out.put(`<hr${attributesOf(node)} />`);
    else {
      const name = hasClass(node, 'gallery') ? 'div' : node.name;
      out.put(
        `<${name}${attributesOf(node)}>${out.capture(() => oneLine(writer, node.children, { ...place, inTerm: false })).trim()}</${name}>`,
      );
    }
    isOwed = false;
    isAfterBlock = true;
  }
  endRun();
}

/** Returns a block of code as a tag, which keeps its lines wherever it stands; undefined for other elements. */
export function codeTag(node: HtmlElement): string | undefined {
  const block = codeBlock(node);
  if (block && !/<\/?syntaxhighlight/i.test(block.code)) {
    const language = block.language === '' ? '' : ` lang="${block.language}"`;
    return `<syntaxhighlight${language}>\n${block.code}\n</syntaxhighlight>`;
  }
  return node.name === 'pre' ? `<pre${attributesOf(node)}>${preText(textOf(node))}</pre>` : undefined;
}

function preText(text: string): string {
  return text
    .replace(/&(?=#?\w{1,40};)/g, '&amp;')
    .replace(/<(?=\/pre|\/?nowiki)/gi, '&lt;')
    .replace(/(?<!\n)\n+$/, '');
}
