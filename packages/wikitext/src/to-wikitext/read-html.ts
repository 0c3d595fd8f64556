/**
 * HTML → tree, by parse5 with two bounds: elements nested deeper than anybody writes are left out (their text stays), and so
 * is formatting beyond what one block opens again. Without the bounds parse5 takes quadratic time and memory for `<p><font>` repeated.
 */
import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, Parser, type Token } from 'parse5';
import type { HtmlNode } from './html-tree.ts';

const deepest = 200;
/** Formatting elements that may be open at once. */
const mostFormatting = 20;
const formatting = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  override onStartTag(token: Token.TagToken): void {
    if (this.openElements.stackTop >= deepest) return;
    if (formatting.has(token.tagName) && this.#isFull()) return;
    super.onStartTag(token);
  }

  #isFull(): boolean {
    let count = 0;
    for (let entry = this.activeFormattingElements.newest; entry; entry = entry.older) {
      if (++count >= mostFormatting) return true;
    }
    return false;
  }
}

/** Any text is HTML: nothing here throws. Of a whole document, what stands in its body. */
export function readHtml(html: string): HtmlNode[] {
  const parser = BoundedParser.getFragmentParser<DefaultTreeAdapterMap>();
  parser.tokenizer.write(html, true);
  return nodesOf(parser.getFragment());
}

function nodesOf(parent: DefaultTreeAdapterTypes.ParentNode): HtmlNode[] {
  const nodes: HtmlNode[] = [];
  for (const child of parent.childNodes) {
    if ('value' in child) nodes.push({ type: 'text', value: child.value });
    else if ('data' in child) nodes.push({ type: 'comment', value: child.data });
    else if ('tagName' in child) {
      const attributes = Object.fromEntries(child.attrs.map(({ name, value }) => [name, value]));
      // The contents of a template are a document of their own, which shows nothing.
      nodes.push({ type: 'element', name: child.tagName, attributes, children: nodesOf(child) });
    }
  }
  return nodes;
}
