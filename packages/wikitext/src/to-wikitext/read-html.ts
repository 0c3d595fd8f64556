/**
 * Parses HTML to a tree with parse5 and two limits: elements nested too deeply are ignored, and so are formatting elements when
 * too many are open. Their text stays. Without the limits, parse5 needs quadratic time and memory for repeated `<p><font>`.
 */
import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, Parser, type Token } from 'parse5';
import type { HtmlNode } from './html-tree.ts';

const usuallyDeepest = 200;
/** Maximum number of open formatting elements: each paragraph reopens all of them. */
const mostFormatting = 20;
const formatting = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  deepest = usuallyDeepest;

  override onStartTag(token: Token.TagToken): void {
    if (this.openElements.stackTop >= this.deepest) return;
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

/** Never throws: any text is valid HTML. For a document, only the body is read. */
export function readHtml(html: string): HtmlNode[] {
  const parser = BoundedParser.getFragmentParser<DefaultTreeAdapterMap>();
  parser.tokenizer.write(html, true);
  return nodesOf(parser.getFragment());
}

/** A whole document, as parse5 reads it. `deepest`: elements nested more deeply are left out, and their text stays. */
export function readDocument(html: string, deepest: number): DefaultTreeAdapterTypes.Document {
  const parser = new BoundedParser({ scriptingEnabled: false });
  parser.deepest = deepest;
  parser.tokenizer.write(html, true);
  return parser.document;
}

function nodesOf(parent: DefaultTreeAdapterTypes.ParentNode): HtmlNode[] {
  const nodes: HtmlNode[] = [];
  for (const child of parent.childNodes) {
    if ('value' in child) nodes.push({ type: 'text', value: child.value });
    else if ('data' in child) nodes.push({ type: 'comment', value: child.data });
    else if ('tagName' in child) {
      const attributes = Object.fromEntries(child.attrs.map(({ name, value }) => [name, value]));
      // A template's contents are a separate, invisible document, so `child` has none.
      nodes.push({ type: 'element', name: child.tagName, attributes, children: nodesOf(child) });
    }
  }
  return nodes;
}
