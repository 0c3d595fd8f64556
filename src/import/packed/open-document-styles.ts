/** Styles of a document of OpenDocument, as far as HTML has elements for them. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';

export interface OfficeStyles {
  /** Elements of words in a style. */
  tagsOf(style: string): string[];
  /** Element of a paragraph in a style: `p`, `h1`, `pre`, `blockquote`. */
  blockOf(style: string): string;
  /** Whether the program does not show text in the style. */
  isHidden(style: string): boolean;
  /** `depth`: 1 for a list that lies in no other. */
  isNumbered(style: string, depth: number): boolean;
}

interface Style {
  parent: string;
  isHidden?: boolean;
  tags: string[];
}

/** Longest line of styles that come from each other. */
const maxParents = 20;
const blocks: Readonly<Record<string, string>> = {
  Title: 'h1',
  Quotations: 'blockquote',
  Preformatted_20_Text: 'pre',
};

/** `parts`: XML of the parts of a document that hold styles. */
export function readStyles(parts: readonly string[]): OfficeStyles {
  const styles = new Map<string, Style>();
  const numbered = new Set<string>();
  let style = '';
  for (const xml of parts.filter((xml) => xml !== '')) {
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
      if (name === 'style:style' || name === 'text:list-style') style = attributes['style:name'] ?? '';
      if (name === 'style:style')
        styles.set(style, { parent: attributes['style:parent-style-name'] ?? '', tags: [] });
      if (name === 'text:list-level-style-number' && attributes['style:num-format'] !== '')
        numbered.add(`${style} ${attributes['text:level']}`);
      const properties = name === 'style:text-properties' ? styles.get(style) : undefined;
      properties?.tags.push(...tagsIn(attributes));
      const display = attributes['text:display'];
      if (properties && display !== undefined) properties.isHidden = display === 'none';
    });
    parser.write(xml).close();
  }
  const line = (style: string): string[] => {
    const found: string[] = [];
    for (let one = style; one !== '' && found.length < maxParents; one = styles.get(one)?.parent ?? '')
      found.push(one);
    return found;
  };
  return {
    tagsOf: (style) => [...new Set(line(style).flatMap((one) => styles.get(one)?.tags ?? []))],
    blockOf: (style) =>
      line(style)
        .map((one) => blocks[one])
        .find(Boolean) ?? 'p',
    isHidden: (style) =>
      line(style)
        .map((one) => styles.get(one)?.isHidden)
        .find((one) => one !== undefined) ?? false,
    isNumbered: (style, depth) => numbered.has(`${style} ${depth}`),
  };
}

function tagsIn(attributes: SaxesTagPlain['attributes']): string[] {
  const position = attributes['style:text-position'] ?? '';
  return [
    attributes['fo:font-weight'] === 'bold' ? 'strong' : '',
    attributes['fo:font-style'] === 'italic' ? 'em' : '',
    attributes['style:text-line-through-style'] === 'solid' ? 'del' : '',
    /^(?:super|[1-9])/.test(position) ? 'sup' : '',
    /^(?:sub|-)/.test(position) ? 'sub' : '',
  ].filter((tag) => tag !== '');
}
