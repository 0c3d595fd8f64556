/** Traits of each element for the tree builder, as bits, so that one lookup answers all questions. */

export const trait = Object.freeze({
  /** Reopened after blocks and cells. */
  formatting: 1,
  heading: 2,
  closesParagraph: 4,
  /** The standard's "special" elements, which end tags of other elements do not close. */
  special: 8,
  impliedEnd: 16,
  /** Tables, rows and cells. */
  tablePart: 32,
  /** Elements outside it cannot be closed from inside it. */
  scopeEnd: 64,
  rubyPart: 128,
  void: 256,
  /** May hold only rows or cells. */
  holdsTableParts: 512,
  listScopeEnd: 1024,
  /** Inline elements, which are wrapped in paragraphs (`blocks/wrap.ts`). `wbr` is not. */
  inline: 2048,
  /** Elements that show nothing, wherever they stand. */
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

/** Traits of an element as bits of `trait`; 0 for an unknown one. */
export function traitsOf(name: string): number {
  return traits.get(name) ?? 0;
}
