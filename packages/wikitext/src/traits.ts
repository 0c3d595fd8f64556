/** Traits of each element for the tree builder, as bits, so that one look-up answers all of its questions. */

export const trait = Object.freeze({
  /** Opened again after blocks and cells. */
  formatting: 1,
  heading: 2,
  closesParagraph: 4,
  /** The standard's "special" elements: formatting does not reach over them. */
  special: 8,
  impliedEnd: 16,
  /** Table, rows and cells. */
  tablePart: 32,
  /** Nothing outside it is closed from within. */
  scopeEnd: 64,
  rubyPart: 128,
  void: 256,
  /** Holds rows or cells only. */
  holdsTableParts: 512,
  listScopeEnd: 1024,
  /** Stands in paragraphs (`blocks/wrap.ts`). Not so `wbr`. */
  inline: 2048,
  /** Shows nothing, wherever it stands. */
  metadata: 4096,
});

const traits = new Map<string, number>();

function mark(bit: number, names: string): void {
  for (const name of names.split(' ')) traits.set(name, (traits.get(name) ?? 0) | bit);
}

mark(trait.formatting, 'a b big code em font i s small strike strong tt u');
mark(trait.heading, 'h1 h2 h3 h4 h5 h6');
mark(
  trait.closesParagraph,
  'blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table ul',
);
mark(
  trait.special,
  'blockquote br caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table td th tr ul wbr',
);
mark(trait.impliedEnd, 'dd dt li p rb rp rt rtc');
mark(trait.tablePart, 'caption table td th tr');
mark(trait.scopeEnd, 'caption table td th');
mark(trait.rubyPart, 'rb rp rt rtc');
mark(trait.void, 'br hr wbr img input meta link');
mark(trait.metadata, 'meta link');
mark(trait.holdsTableParts, 'table tr');
mark(trait.listScopeEnd, 'caption ol table td th ul');
mark(
  trait.inline,
  'a abbr b bdi bdo big br cite code data del dfn em font i img input ins kbd mark q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var',
);

export function traitsOf(name: string): number {
  return traits.get(name) ?? 0;
}
