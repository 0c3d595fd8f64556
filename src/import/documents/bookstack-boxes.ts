/** Boxes of BookStack, in its portable exports and in pages exported as HTML. */
import type { Element, ElementContent, Root } from 'hast';
import { all } from './html.ts';

/** Boxes are paragraphs with two classes: `<p class="callout warning">`. */
export function asBoxes(root: Root): undefined {
  for (const box of all(root, isBox)) {
    const kinds: Readonly<Record<string, string>> = { success: 'TIP', warning: 'WARNING', danger: 'CAUTION' };
    const kind = [box.properties.className].flat().find((name) => Object.hasOwn(kinds, String(name)));
    const name = `[!${kinds[String(kind)] ?? 'NOTE'}]`;
    const mark: ElementContent = {
      type: 'element',
      tagName: 'x-raw',
      properties: { value: name, hidden: true },
      children: [{ type: 'text', value: name }],
    };
    const paragraph = (children: ElementContent[]): Element => ({
      type: 'element',
      tagName: 'p',
      properties: {},
      children,
    });
    Object.assign(box, { tagName: 'blockquote', children: [paragraph([mark]), paragraph(box.children)] });
  }
}

function isBox({ tagName, properties }: Element): boolean {
  const names = [properties.className].flat().map(String);
  const isNamed = names.some((name) => /^(?:info|success|warning|danger)$/.test(name));
  return tagName === 'p' && names.includes('callout') && isNamed;
}
