/**
 * Formulas of web pages as elements `x-formula` that hold TeX. KaTeX, MathJax and MediaWiki keep the source beside what they
 * draw; the source of other MathML is made from it by the function given.
 */
import type { Element, ElementContent, Nodes, Root } from 'hast';
import { element, isElement, text, textOf } from './elements.ts';

/** TeX of a `<math>` element that does not hold its source; undefined if it cannot be converted. */
export type TexOf = (math: Element) => string | undefined;

/** Longer MathML, in characters of its elements' names and texts, is not converted. */
const maxFormulaLength = 20_000;

/** A conversion that refuses what is too long or malformed. `convert` may throw. */
export function texFrom(convert: (math: Element) => string): TexOf {
  return (math) => {
    if (lengthOf(math) > maxFormulaLength) return undefined;
    try {
      return convert(math);
    } catch {
      // Malformed MathML: its text stays.
      return undefined;
    }
  };
}

function lengthOf(node: Nodes): number {
  if (node.type === 'text') return node.value.length;
  const own = node.type === 'element' ? node.tagName.length : 0;
  return 'children' in node ? node.children.reduce((sum, child) => sum + lengthOf(child), own) : 0;
}

/** Modifies the tree. */
export function withFormulas(root: Root, texOf: TexOf): void {
  root.children = replaced(root.children as ElementContent[], texOf);
}

function replaced(nodes: readonly ElementContent[], texOf: TexOf): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'element') return [node];
    const found = formulaOf(node, texOf);
    if (found !== undefined) return found;
    node.children = replaced(node.children, texOf);
    return [node];
  });
}

/** Undefined: no formula, so that its children are looked through. */
function formulaOf(node: Element, texOf: TexOf): ElementContent[] | undefined {
  const classes = classOf(node);
  if (node.tagName === 'script') {
    const type = String(node.properties.type ?? '');
    if (!/^math\/(?:tex|mml)/.test(type)) return undefined;
    return /^math\/tex/.test(type) ? [made(textOf(node), /mode\s*=\s*display/.test(type))] : undefined;
  }
  // MathJax 2 draws beside its script.
  if (/\bMathJax(?:_Preview|_Display|_SVG|_CHTML)?\b/.test(classes) && node.tagName !== 'mjx-container')
    return [];
  const isFrame = /\bkatex\b|\bkatex-display\b|\bmwe-math-element\b/.test(classes);
  if (!(isFrame || node.tagName === 'mjx-container' || node.tagName === 'math')) return undefined;
  const math = node.tagName === 'math' ? node : find(node, (one) => one.tagName === 'math');
  if (!math) return undefined;
  const source = find(
    math,
    (one) => one.tagName === 'annotation' && /tex/i.test(String(one.properties.encoding ?? '')),
  );
  const alternative = String(math.properties.alttext ?? '');
  const tex = source ? textOf(source) : alternative !== '' ? alternative : texOf(math);
  if (tex === undefined || tex.trim() === '') return undefined;
  const isDisplay =
    /\bkatex-display\b/.test(classes) ||
    node.properties.display === 'true' ||
    math.properties.display === 'block' ||
    /\bmwe-math-element-block\b/.test(classes);
  return [made(tex, isDisplay)];
}

/** MediaWiki wraps the whole formula in its style. */
function made(tex: string, isDisplay: boolean): Element {
  const own = /^\{\\(?:displaystyle|textstyle)\s([\s\S]*)\}$/.exec(tex.trim())?.[1] ?? tex;
  return element('x-formula', [text(own.trim())], isDisplay ? { display: 'block' } : {});
}

function find(node: Nodes, isWanted: (element: Element) => boolean): Element | undefined {
  if (isElementNode(node) && isWanted(node)) return node;
  for (const child of 'children' in node ? node.children : []) {
    const found = find(child, isWanted);
    if (found) return found;
  }
  return undefined;
}

function isElementNode(node: Nodes): node is Element {
  return isElement(node, (node as Element).tagName);
}

function classOf({ properties }: Element): string {
  const names = properties.className;
  return Array.isArray(names) ? names.join(' ') : String(names ?? '');
}
