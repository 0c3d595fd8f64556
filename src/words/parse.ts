/** Parses messages into the form that `evaluate.ts` evaluates. */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Parsed, Piece } from './evaluate.ts';

/** Throws if the message is not valid ICU MessageFormat, or uses formats for dates and numbers, which values have already. */
export function parseMessage(text: string): Parsed {
  return parse(text, { shouldParseSkeletons: false }).map(pieceOf);
}

function pieceOf(element: MessageFormatElement): Piece {
  switch (element.type) {
    case TYPE.literal:
      return element.value;
    case TYPE.pound:
      return 0;
    case TYPE.argument:
      return ['v', element.value];
    case TYPE.tag:
      return ['t', element.value, element.children.map(pieceOf)];
    case TYPE.select:
    case TYPE.plural: {
      const kind =
        element.type === TYPE.select ? 's' : element.pluralType === 'ordinal' ? 'o' : ('p' as const);
      const options = Object.entries(element.options).map(
        ([name, { value }]) => [name, value.map(pieceOf)] as const,
      );
      return [kind, element.value, Object.fromEntries(options)];
    }
    default:
      throw new Error(`A message may not format ${JSON.stringify(element)}: values are formatted before.`);
  }
}
